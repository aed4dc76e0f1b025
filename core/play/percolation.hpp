// Percolation by one sweep: mines are laid one by one in a random order, and clusters are joined as
// they meet (Newman & Ziff, Phys. Rev. E 64, 016706). Every density is visited on the way.
//
// A mine occupies the square of sites around it, so with squares of side 3 the occupied sites are
// the mines and the nonzero labels of a board on a torus; with side 1 it is ordinary site
// percolation. Occupied sites hang together along edges, not at corners.
//
// Whether a cluster wraps around the torus is seen when a bond closes a cycle: each site knows its
// displacement from its root along the cluster, and two sites side by side whose displacements
// differ by more than the step between them lie on a cycle around the torus (Machta et al., Phys.
// Rev. E 54, 1332). This is exact, whatever the cycle's shape.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "base/random.hpp"

namespace sapper {

// The cells of a field in random order, one by one: the first n are n mines drawn uniformly, and
// those for n + 1 mines have one more. Cells that are forbidden never come.
class MineOrder {
 public:
  MineOrder(std::int32_t cells, std::span<const std::int32_t> forbidden, std::uint64_t seed);
  std::int32_t left() const { return left_; }
  // A cell that has not come yet; some must be left.
  std::int32_t next();

 private:
  Random random_;
  std::vector<std::uint8_t> gone_;
  std::int32_t left_;
};

// Clusters after so many mines.
struct SweepState {
  std::int64_t mines = 0, sites = 0, clusters = 0, largest = 0, squares = 0;
};

struct Sweep {
  // Mines at which a cluster first wraps along rows, and along columns; -1: not by the last mine.
  std::int64_t rows = -1, columns = -1;
  SweepState wrapped;          // when the first of the two happens
  std::vector<SweepState> at;  // at each of the marks
};

// Lay mines until clusters wrap both ways and the last of the marks (ascending) is reached.
// Sides from `square` + 1 to 9741.
Sweep percolation_sweep(std::int32_t side, std::int32_t square,
                        std::span<const std::int64_t> marks, std::uint64_t seed, Guard& guard);

}  // namespace sapper
