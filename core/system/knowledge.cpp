#include "system/knowledge.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace sapper {

Knowledge::Knowledge(const System& system)
    : system_(&system),
      values_(system.variables, kUnknown),
      occurrences_(std::size_t(system.variables), [&](auto put) {
        for (std::int32_t c = 0; c < system.clues(); ++c)
          for (std::int32_t e = system.offsets[c]; e < system.offsets[c + 1]; ++e)
            put(system.cells[e], Occurrence{c, system.weight(e)});
      }),
      need_(system.counts),
      low_(system.counts.size(), 0),
      high_(system.counts.size(), 0),
      step_(system.counts.size(), 0),
      unknowns_(system.counts.size(), 0),
      queue_(system.counts.size()),
      queued_(system.counts.size(), 1) {
  for (std::int32_t c = 0; c < system.clues(); ++c) {
    unknowns_[c] = system.offsets[c + 1] - system.offsets[c];
    if (system.weights.empty()) {
      high_[c] = unknowns_[c];
      step_[c] = 1;
      continue;
    }
    for (std::int32_t e = system.offsets[c]; e < system.offsets[c + 1]; ++e) {
      const std::int64_t w = system.weights[e];
      (w < 0 ? low_[c] : high_[c]) += w;
      step_[c] = std::max(step_[c], std::abs(w));
    }
  }
  std::iota(queue_.begin(), queue_.end(), 0);
}

void Knowledge::queue(std::int32_t clue) {
  if (!queued_[clue]) {
    queued_[clue] = 1;
    queue_.push_back(clue);
  }
}

void Knowledge::learn(std::int32_t variable, bool mine) {
  values_[variable] = mine ? 1 : 0;
  for (const auto& [clue, weight] : occurrences(variable)) {
    (weight < 0 ? low_[clue] : high_[clue]) -= weight;
    if (mine) need_[clue] -= weight;
    --unknowns_[clue];
    queue(clue);
  }
}

// Apply the single-clue rule to one clue.
bool Knowledge::settle(std::int32_t clue) {
  const std::int64_t above = need_[clue] - low_[clue], below = high_[clue] - need_[clue];
  if (above < 0 || below < 0) return false;
  if (unknowns_[clue] == 0 || (above >= step_[clue] && below >= step_[clue])) return true;
  for (std::int32_t e = system_->offsets[clue]; e < system_->offsets[clue + 1]; ++e) {
    const std::int32_t v = system_->cells[e];
    if (values_[v] != kUnknown) continue;
    const std::int64_t w = system_->weight(e), size = std::abs(w);
    // Too heavy to take its larger contribution, or too heavy to be left at its smaller one.
    if (size > above)
      learn(v, w < 0);
    else if (size > below)
      learn(v, w > 0);
  }
  return true;
}

bool Knowledge::propagate(Guard& guard) {
  while (!queue_.empty()) {
    const std::int32_t clue = queue_.back();
    queue_.pop_back();
    queued_[clue] = 0;
    guard.tick();
    if (!settle(clue)) return false;
  }
  return true;
}

}  // namespace sapper
