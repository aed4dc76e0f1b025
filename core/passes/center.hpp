// A diagram seen from a level in its middle, for exact passes by number of mines.
//
// Towards the root polynomials grow long, and so do their coefficients. But what leads from the root
// down to a node is a polynomial too, and near the root a short one. So the diagram is turned: what
// lies below a level in the middle is passed up as it is, what lies above it from the root down, and
// all solutions are what both say of a node of that level, multiplied and added up. Half as long,
// half as many limbs: where all polynomials were long that leaves a quarter of the work or less.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"
#include "passes/by_mines.hpp"

namespace sapper {

struct Centered {
  Diagram turned;     // with the root as its last level, where both sides meet
  std::int32_t up;    // the level in the middle, as it is seen from below,
  std::int32_t down;  // and from the root: the same nodes
};

// The level from which exact counts (`counts.hpp`) take least time.
std::int32_t center_of(const Diagram& d, const MineRanges& m, Guard& guard);

Centered turn(const Diagram& d, std::int32_t center, Guard& guard);

}  // namespace sapper
