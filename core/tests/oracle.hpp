// Brute force: what is true of a small system, by trying every assignment.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "system/system.hpp"

namespace sapper::tests {

// All assignments that meet the clues, whatever the total, as bit masks in ascending order.
struct Truth {
  static constexpr std::int32_t kMostVariables = 20;

  std::int32_t variables = 0;
  Vector<std::uint32_t> solutions;
  Vector<std::uint64_t> by_mines;            // variables + 1 entries
  Vector<Vector<std::uint64_t>> mined;  // [mines][variable]: solutions that mine it

  explicit Truth(const System& system);
  // From masks found elsewhere, in ascending order.
  Truth(std::int32_t variables, Vector<std::uint32_t> solutions);

  bool consistent() const { return !solutions.empty(); }
  // Under a total; without one if `has_total` is false.
  std::uint64_t count(bool has_total, std::int64_t total) const;
  std::uint64_t mined_in(std::int32_t variable, bool has_total, std::int64_t total) const;
  bool holds(std::uint32_t mask) const;
};

// Do these mines meet every clue, and the total if there is one?
bool is_solution(const System& system, std::span<const std::uint8_t> mines);

}  // namespace sapper::tests
