#include "knowledge.hpp"

#include <algorithm>
#include <cstdlib>

namespace sapper {

Knowledge::Knowledge(const System& system)
    : system_(&system),
      values_(system.variables, kUnknown),
      occurrence_offsets_(system.variables + 1, 0),
      occurrences_(system.cells.size()),
      need_(system.counts),
      low_(system.counts.size(), 0),
      high_(system.counts.size(), 0),
      step_(system.counts.size(), 0),
      unknowns_(system.counts.size(), 0),
      queued_(system.counts.size(), 0) {
  for (const std::int32_t v : system.cells) ++occurrence_offsets_[v + 1];
  for (std::int32_t v = 0; v < system.variables; ++v)
    occurrence_offsets_[v + 1] += occurrence_offsets_[v];
  std::vector<std::int32_t> fill(occurrence_offsets_.begin(), occurrence_offsets_.end() - 1);
  queue_.reserve(system.counts.size());
  for (std::int32_t c = 0; c < system.clues(); ++c) {
    for (std::int32_t e = system.offsets[c]; e < system.offsets[c + 1]; ++e) {
      const std::int64_t w = system.weight(e);
      occurrences_[fill[system.cells[e]]++] = {c, w};
      (w < 0 ? low_[c] : high_[c]) += w;
      step_[c] = std::max(step_[c], std::abs(w));
      ++unknowns_[c];
    }
    queue(c);
  }
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

bool Knowledge::deduce_from_pairs(std::span<const std::int32_t> clues, Guard& guard) {
  if (!propagate(guard)) return false;
  const System& s = *system_;
  std::vector<std::int32_t> mark(s.variables, -1);
  std::vector<std::int32_t> seen(s.clues(), -1);
  std::vector<std::int32_t> work(clues.begin(), clues.end());
  std::vector<std::uint8_t> waiting(s.clues(), 0);
  for (const std::int32_t c : work) waiting[c] = 1;
  auto plain = [&](std::int32_t c) {
    return step_[c] == 1 && low_[c] == 0;  // unit weights among the unknowns
  };
  std::vector<std::int32_t> common, only_a, only_b;
  std::int32_t stamp = 0;
  while (!work.empty()) {
    const std::int32_t a = work.back();
    work.pop_back();
    waiting[a] = 0;
    if (unknowns_[a] == 0 || !plain(a)) continue;
    ++stamp;
    std::vector<std::int32_t> members;
    for (const std::int32_t v : s.clue(a))
      if (values_[v] == kUnknown) members.push_back(v);
    std::vector<std::int32_t> partners;
    for (const std::int32_t v : members)
      for (const auto& o : occurrences(v))
        if (o.clue != a && seen[o.clue] != stamp) {
          seen[o.clue] = stamp;
          partners.push_back(o.clue);
        }
    for (const std::int32_t b : partners) {
      guard.tick();
      if (unknowns_[b] == 0 || !plain(b)) continue;
      for (const std::int32_t v : members) mark[v] = values_[v] == kUnknown ? a : -1;
      common.clear();
      only_a.clear();
      only_b.clear();
      for (const std::int32_t v : s.clue(b)) {
        if (values_[v] != kUnknown) continue;
        if (mark[v] == a) {
          common.push_back(v);
          mark[v] = -1;
        } else {
          only_b.push_back(v);
        }
      }
      for (const std::int32_t v : members)
        if (mark[v] == a) {
          only_a.push_back(v);
          mark[v] = -1;
        }
      const auto shared = std::int64_t(common.size()), na = std::int64_t(only_a.size()),
                 nb = std::int64_t(only_b.size());
      const std::int64_t least = std::max({std::int64_t(0), need_[a] - na, need_[b] - nb});
      const std::int64_t most = std::min({shared, need_[a], need_[b]});
      if (least > most) return false;
      const std::int64_t a_low = need_[a] - most, a_high = need_[a] - least;
      const std::int64_t b_low = need_[b] - most, b_high = need_[b] - least;
      bool learned = false;
      auto decide = [&](const std::vector<std::int32_t>& part, std::int64_t low,
                        std::int64_t high) {
        if (part.empty() || (high > 0 && low < std::int64_t(part.size()))) return;
        for (const std::int32_t v : part) {
          learned = true;
          learn(v, high > 0);
          for (const auto& o : occurrences(v))
            if (!waiting[o.clue]) {
              waiting[o.clue] = 1;
              work.push_back(o.clue);
            }
        }
      };
      decide(common, least, most);
      decide(only_a, a_low, a_high);
      decide(only_b, b_low, b_high);
      if (learned) {
        // Values found by propagation change clues too; re-examine their neighbours.
        const std::vector<std::int8_t> before = values_;
        if (!propagate(guard)) return false;
        for (std::int32_t v = 0; v < s.variables; ++v)
          if (before[v] != values_[v])
            for (const auto& o : occurrences(v))
              if (!waiting[o.clue]) {
                waiting[o.clue] = 1;
                work.push_back(o.clue);
              }
        if (!waiting[a]) {
          waiting[a] = 1;
          work.push_back(a);
        }
        break;
      }
    }
  }
  return true;
}

}  // namespace sapper
