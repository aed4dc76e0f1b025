// Boards made to order: finished by certainty alone, or of some level.
//
// `draw` is uniform: random boards, until one qualifies. Where next to none does, `walk` goes from
// board to board by moving one mine at a time: downhill until certainty gets to the end, then at
// random among boards that qualify. Every such move can be taken back with the same chance, so the
// walk tends to the uniform distribution on what it can reach, but it stops after finitely many
// moves: boards near its beginning are more likely.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "play/grade.hpp"
#include "system/system.hpp"

namespace sapper {

struct Wish {
  std::int32_t mines = 0;
  std::int32_t start = 0;
  std::vector<std::int32_t> kept_free;  // cells that never have a mine
  bool no_guess = true;
  bool use_total = true;  // the player knows the number of mines
  std::optional<Level> level;
};

struct Drawn {
  std::vector<std::uint8_t> mines;  // one byte a cell; empty: none qualified
  std::uint64_t tries = 0;
};

// At most so many tries, after the first so many. The boards tried follow from the seed.
Drawn draw(const Adjacency& field, const Wish& wish, std::uint64_t seed, std::uint64_t first,
           std::uint64_t tries, Guard& guard);
// At most so many boards looked at.
Drawn walk(const Adjacency& field, const Wish& wish, std::uint64_t seed, std::uint64_t tries,
           Guard& guard);

}  // namespace sapper
