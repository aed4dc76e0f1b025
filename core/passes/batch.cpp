#include "passes/batch.hpp"

#include <stdexcept>

#include "passes/answers.hpp"

namespace sapper {

namespace {

void analyze_board(const System& system, const Options& options, std::int8_t* verdict_of,
                   double* chance_of, std::int8_t& consistent, double& log2_count,
                   std::int32_t& best, Guard& guard) {
  const Compiled compiled = compile_system(system, options, guard, nullptr);
  Verdicts known;
  const Probabilities chances = probabilities(compiled, known, guard);
  if (known.consistent) {
    log2_count = chances.log2_count;
    // The first of the certainly free cells; or the first of those that are least likely mines.
    double least = 1;  // only that of a certain mine is as large
    for (std::int32_t v = 0; v < system.variables; ++v) {
      const std::int32_t cell = system.cell_of[v];
      verdict_of[cell] = std::int8_t(known.of[v]);
      chance_of[cell] = chances.of[v];
      if (chances.of[v] < least) {
        least = chances.of[v];
        best = cell;
      }
    }
  }
  consistent = known.consistent ? 1 : 0;
}

}  // namespace

void analyze_boards(const Adjacency& field, std::span<const std::int32_t> labels,
                    std::span<const std::int64_t> totals, const Options& options,
                    const BatchRows& out, Guard& guard) {
  const auto cells = std::size_t(field.cells());
  const std::size_t boards = totals.size();
  if (labels.size() != boards * cells || out.verdicts.size() != labels.size() ||
      out.probabilities.size() != labels.size() || out.consistent.size() != boards ||
      out.log2_counts.size() != boards || out.best.size() != boards)
    throw std::invalid_argument("one row a board is needed, and one label a cell");
  for (std::size_t i = 0; i < boards; ++i) {
    const Lease lease(guard);
    guard.tick(std::uint32_t(cells) / 8 + 1);
    const System system =
        System::from_labels(field, labels.subspan(i * cells, cells), totals[i] >= 0, totals[i], true);
    analyze_board(system, options, out.verdicts.data() + i * cells,
                  out.probabilities.data() + i * cells, out.consistent[i], out.log2_counts[i],
                  out.best[i], guard);
  }
}

}  // namespace sapper
