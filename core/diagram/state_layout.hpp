// Bit fields for the open clues of a plan, and the look-ahead between pairs of clues.
#pragma once

#include "diagram/plan.hpp"

namespace sapper {

// Bit fields and checks. `thorough` also prepares the pair checks, and paths to be compiled from
// both ends: worth its price for what is wide. After this the plan can be compiled. Returns false
// if the open clues do not fit into the widest supported state.
bool lay_out(const Shape& shape, Plan& plan, bool thorough, Guard& guard);

}  // namespace sapper
