// What each dig of a position wins under perfect play, where all worlds can be listed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

struct Winning {
  std::uint64_t worlds = 0;         // 0: there are too many, or none
  std::vector<std::int32_t> cells;  // that may be dug
  std::vector<std::uint32_t> wins;  // worlds won after a dig there
};

// No cell may be certainly safe. More worlds than `most` are not listed.
Winning winning(const Adjacency& field, std::span<const std::int32_t> labels, std::int32_t mines,
                double most, Guard& guard);

}  // namespace sapper
