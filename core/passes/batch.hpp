// Many boards on one field, one after the other, into arrays: for bots, grading and learning.
#pragma once

#include <cstdint>
#include <span>

#include "diagram/compiled_system.hpp"
#include "system/system.hpp"

namespace sapper {

// Where the answers go: a row for each board in all of them. In a row of `verdicts` and of
// `probabilities` only the covered cells of a consistent board are written.
struct BatchRows {
  std::span<std::int8_t> verdicts;
  std::span<double> probabilities;
  std::span<std::int8_t> consistent;  // 0 or 1 once a board is done: who was interrupted can tell
  std::span<double> log2_counts;      // of the legal assignments; written if there are any
  std::span<std::int32_t> best;       // the cell to dig; written if there is one
};

// `labels` has one code a cell, board after board; `totals` one number a board, -1: not known. All
// that the boards take together is spent of one guard.
void analyze_boards(const Adjacency& field, std::span<const std::int32_t> labels,
                    std::span<const std::int64_t> totals, const Options& options,
                    const BatchRows& out, Guard& guard);

}  // namespace sapper
