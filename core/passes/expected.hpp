// How many mines a piece is expected to have if there is no total and a mine weighs so much.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"

namespace sapper {

struct Expected {
  double bits = 0;        // 2^bits is what all solutions are worth
  double mean = 0, variance = 0;
  Vector<double> weights;  // of each group and number of mines, scaled so that no level has values above 2
  bool fits = false;       // are all values, and all weights, far within the range of doubles?
};

Expected expected(const Diagram& d, double weight, Guard& guard);

}  // namespace sapper
