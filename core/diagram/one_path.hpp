// All pieces as one, cell by cell in an order that knows no pieces.
#pragma once

#include <cstdint>
#include <optional>

#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "diagram/plan.hpp"

namespace sapper {

// The diagram of a plan, unless it takes more states.
std::optional<Diagram> compile_within(const Shape& shape, Plan plan, std::uint64_t states, Guard& guard);

// The same system with one piece, whose diagram decides single cells in this order of the variables; forced and free ones
// in it are stepped over. Nothing if it takes more states, or they do not fit into machine words. All weights must be 1.
std::optional<Compiled> one_path(const Compiled& compiled, const Vector<std::int32_t>& order, std::uint64_t states,
                                 Guard& guard);

}  // namespace sapper
