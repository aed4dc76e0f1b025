#include "system/knowledge.hpp"

#include <algorithm>
#include <cstdlib>

namespace sapper {

Knowledge::Knowledge(const System& system) : system_(&system) {
  find_uses();
  find_room();
}

Knowledge::Knowledge(const System& system, Crew& crew, Guard& guard) : system_(&system) {
  crew.spread(2, guard, [&](std::size_t i, Guard&) { i == 0 ? find_uses() : find_room(); });
}

void Knowledge::find_uses() {
  const System& system = *system_;
  clues_of_ = {std::size_t(system.variables), [&](auto put) {
                 for (std::int32_t c = 0; c < system.clues(); ++c)
                   for (const std::int32_t v : system.clue(c)) put(v, c);
               }};
  if (!system.weights.empty())
    weights_of_ = {std::size_t(system.variables), [&](auto put) {
                     for (std::size_t e = 0; e < system.cells.size(); ++e) put(system.cells[e], system.weights[e]);
                   }};
}

void Knowledge::find_room() {
  const System& system = *system_;
  values_ = system.values;
  values_.resize(std::size_t(system.variables), kUnknown);
  clues_.resize(system.counts.size());
  steps_.resize(system.weights.empty() ? 0 : system.counts.size(), 0);
  queue_.reserve(clues_.size());
  for (std::int32_t c = 0; c < system.clues(); ++c) {
    Clue& clue = clues_[c];
    clue.unknowns = system.offsets[c + 1] - system.offsets[c];
    std::int64_t low = 0, high = clue.unknowns;
    if (!system.weights.empty()) {
      high = 0;
      for (std::int32_t e = system.offsets[c]; e < system.offsets[c + 1]; ++e) {
        const std::int64_t w = system.weights[e];
        (w < 0 ? low : high) += w;
        steps_[c] = std::max(steps_[c], std::abs(w));
      }
    }
    clue.low = low;
    clue.above = system.counts[c] - low;
    clue.below = high - system.counts[c];
    if (std::min(clue.above, clue.below) < step(c)) queue(c);
  }
}

void Knowledge::queue(std::int32_t clue) {
  if (!clues_[clue].queued) {
    clues_[clue].queued = true;
    queue_.push_back(clue);
  }
}

// Whatever a variable becomes, its clues lose its weight of room on one side.
void Knowledge::learn(std::int32_t variable, bool mine) {
  values_[variable] = mine ? 1 : 0;
  const auto lose = [&](std::int32_t clue, std::int64_t weight) {
    Clue& c = clues_[clue];
    if (weight < 0) c.low -= weight;
    std::int64_t& room = mine == (weight > 0) ? c.above : c.below;
    room -= std::abs(weight);
    --c.unknowns;
    if (room < step(clue)) queue(clue);
  };
  const auto clues = clues_of(variable);
  const auto weights = weights_of(variable);
  for (std::size_t i = 0; i < clues.size(); ++i) lose(clues[i], weights.empty() ? 1 : weights[i]);
}

// Apply the single-clue rule to one clue.
bool Knowledge::settle(std::int32_t clue) {
  const std::int64_t above = clues_[clue].above, below = clues_[clue].below;
  if (above < 0 || below < 0) return false;
  if (clues_[clue].unknowns == 0) return true;
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
    guard.tick();
    clues_[clue].queued = false;
    if (!settle(clue)) return false;
  }
  return true;
}

}  // namespace sapper
