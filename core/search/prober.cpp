#include "search/prober.hpp"

#include <algorithm>

namespace sapper {

namespace {

// How many clues join the search before the model is repaired.
constexpr std::int32_t kAtOnce = 32;

}  // namespace

Prober::Prober(std::int32_t variables, Guard& guard)
    : search_(Terms(), Values(std::size_t(variables), 0), guard),
      settled_(std::size_t(variables), 0) {}

void Prober::expect(std::size_t clues, std::size_t entries) {
  search_.terms().offsets.reserve(clues + 1);
  search_.terms().entries.reserve(entries);
  counts_.reserve(clues);
}

void Prober::add_clue(std::span<const Entry> entries, std::int64_t count) {
  Terms& terms = search_.terms();
  terms.entries.insert(terms.entries.end(), entries.begin(), entries.end());
  terms.offsets.push_back(static_cast<std::int32_t>(terms.entries.size()));
  counts_.push_back(count);
}

bool Prober::solve() {
  if (!complete_) {
    Terms& terms = search_.terms();
    const auto clues = static_cast<std::int32_t>(counts_.size());
    terms.uses = {settled_.size(), [&](auto put) {
                    for (std::int32_t c = 0; c < clues; ++c)
                      terms.each_term(c, [&](std::int32_t v, std::int64_t w) { put(v, Terms::Use{c, w}); });
                  }};
    search_.expect(counts_.size());
    terms.first = clues;
    complete_ = true;
  }
  // A few clues more at a time, repaired around their place: what was met before stays as it is. All
  // at once would be one search over the whole board.
  std::int32_t& first = search_.terms().first;
  do {
    for (std::int32_t i = std::min(first, kAtOnce); i > 0; --i) {
      --first;
      search_.open(first, counts_[first]);
    }
    if (!search_.solve()) return false;
    search_.keep();
  } while (first > 0);
  return true;
}

bool Prober::can_flip(std::int32_t variable) {
  if (!search_.can_differ(variable)) return false;
  search_.each_change([&](std::int32_t v) { settled_[v] = 1; });
  search_.keep();
  return true;
}

void Prober::probe(std::span<const std::int32_t> candidates) {
  for (const std::int32_t v : candidates)
    if (std::size_t(v) < settled_.size() && !settled_[v]) settled_[v] = can_flip(v);
}

}  // namespace sapper
