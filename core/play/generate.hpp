// Boards that certainty alone finishes, drawn uniformly: random ones, until one does.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

struct Wish {
  std::int32_t mines = 0;
  std::int32_t start = 0;
  std::vector<std::int32_t> kept_free;  // cells that never have a mine
  bool use_total = true;                // the player knows the number of mines
};

struct Drawn {
  std::vector<std::uint8_t> mines;  // one byte a cell; empty: none qualified
  std::uint64_t tries = 0;
};

// At most so many tries, after the first so many. The boards tried follow from the seed.
Drawn draw_certain(const Adjacency& field, const Wish& wish, std::uint64_t seed, std::uint64_t first,
                   std::uint64_t tries, Guard& guard);

}  // namespace sapper
