// How hard a board is, from the reasons that it takes.
//
// The easiest path: always the deduction with the smallest core, that is, from the fewest numbers
// that force a cell, everything easier being exhausted. Cells that are known cost nothing. The mine
// total is asked only when no set of numbers forces anything, and only then a cell is given away, the
// free one with the least chance of a mine. Knowledge only grows and a core stays a core, so no
// other order gets along with smaller ones: the largest core met is *needed*.
//
// The same path by k-set search (methods/kset.hpp) tells the least k that makes all deductions that
// numbers allow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

struct Grade {
  static constexpr std::int32_t kMostK = 6;

  std::vector<std::int32_t> guessed;  // cells that were given away, in order
  // For each number of clues, how many deductions needed so many. Those from single numbers are
  // not counted, but whether there were any.
  std::vector<std::int32_t> sizes;
  std::int32_t total_steps = 0;  // deductions that needed the total, which counts as a clue
  std::int32_t k = 1;            // 0: more than kMostK
  bool finished = true;          // false: the start is a mine

  std::int32_t hardest() const { return std::int32_t(sizes.size()) - 1; }
};

enum class Level : std::uint8_t { trivial, easy, tricky, hard, fiendish };

Level level_of(const Grade& grade);

Grade grade_board(const Adjacency& field, std::span<const std::uint8_t> mines, std::int32_t start,
                  Guard& guard);

}  // namespace sapper
