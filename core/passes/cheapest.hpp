// A solution of least total cost, in exact integers.
#pragma once

#include <cstdint>
#include <optional>

#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/algebra.hpp"

namespace sapper {

// The mined variables of a cheapest solution; nothing if there is no solution. `costs` has one
// entry per variable; their absolute values must add up to less than 2^124.
std::optional<Vector<std::int32_t>> cheapest(const Compiled& compiled,
                                                  const Vector<Costs::Number>& costs,
                                                  Guard& guard);

}  // namespace sapper
