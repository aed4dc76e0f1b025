// How many mines a piece is expected to have if there is no total and a mine weighs so much.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"

namespace sapper {

struct Expected {
  double bits = 0;             // 2^bits is what all solutions are worth
  double mean = 0, variance = 0;
  Vector<std::int32_t> scale;  // by group: the bits by which the largest value grows at its level
  bool fits = false;           // are values, scaled so, within the range of doubles?
};

Expected expected(const Diagram& d, double weight, Guard& guard);

}  // namespace sapper
