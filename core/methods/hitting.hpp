// Smallest hitting sets, by branch and bound.
#pragma once

#include <cstdint>
#include <optional>

#include "base/limits.hpp"

namespace sapper {

// A smallest set of numbers that meets every family, with at least `least` and fewer than `end`
// members; nothing if there is none.
std::optional<Vector<std::int32_t>> smallest_hitting_set(
    const Vector<Vector<std::int32_t>>& families, std::int32_t least, std::int32_t end,
    Guard& guard);

}  // namespace sapper
