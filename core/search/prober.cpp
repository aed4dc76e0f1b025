#include "search/prober.hpp"

#include <algorithm>
#include <cstdlib>

namespace sapper {

Prober::Prober(std::int32_t variables, Guard& guard)
    : guard_(&guard),
      charge_(guard, bytes_for(variables)),
      clause_charge_(guard),
      variables_(variables),
      values_(variables, -1),
      model_(variables, 0),
      levels_(variables, -1),
      positions_(variables, -1),
      reasons_(variables),
      clauses_(variables),
      analysis_(variables),
      settled_(variables, 0) {}

void Prober::expect(std::size_t clues, std::size_t entries) {
  charge_.at_least(bytes_for(variables_) + clues * (sizeof(Clue) + 2 * sizeof(std::int32_t)) +
                   entries * (sizeof(Entry) + sizeof(Use)));
  clues_.reserve(clues);
  entries_.reserve(entries);
}

void Prober::add_clue(std::span<const Entry> entries, std::int64_t count) {
  Clue c{};
  c.begin = static_cast<std::int32_t>(entries_.size());
  c.need = count;
  c.violated_at = -1;
  for (const Entry& e : entries) {
    entries_.push_back(e);
    (e.weight < 0 ? c.low : c.high) += e.weight;
    c.step = std::max(c.step, std::abs(e.weight));
  }
  c.end = static_cast<std::int32_t>(entries_.size());
  clues_.push_back(c);
}

// Occurrence lists, once all clues are there.
void Prober::freeze() {
  if (frozen_) return;
  frozen_ = true;
  use_offsets_.assign(variables_ + 1, 0);
  for (const Entry& e : entries_) ++use_offsets_[e.variable + 1];
  for (std::int32_t v = 0; v < variables_; ++v) use_offsets_[v + 1] += use_offsets_[v];
  uses_.resize(entries_.size());
  std::vector<std::int32_t> fill(use_offsets_.begin(), use_offsets_.end() - 1);
  for (std::int32_t c = 0; c < std::int32_t(clues_.size()); ++c) {
    for (std::int32_t e = clues_[c].begin; e < clues_[c].end; ++e) {
      uses_[fill[entries_[e].variable]++] = {c, entries_[e].weight};
      if (model_[entries_[e].variable]) clues_[c].model_sum += entries_[e].weight;
    }
    set_violated(c);
  }
}

void Prober::set_violated(std::int32_t index) {
  Clue& c = clues_[index];
  const bool violated = c.model_sum != c.need;
  if (violated == (c.violated_at >= 0)) return;
  if (violated) {
    c.violated_at = static_cast<std::int32_t>(violated_.size());
    violated_.push_back(index);
  } else {
    const std::int32_t last = violated_.back();
    violated_[c.violated_at] = last;
    clues_[last].violated_at = c.violated_at;
    violated_.pop_back();
    c.violated_at = -1;
  }
}

void Prober::assign(Literal l, Reason reason) {
  const std::int32_t v = variable_of(l);
  const bool mine = says_mine(l);
  values_[v] = mine ? 1 : 0;
  levels_[v] = level();
  reasons_[v] = reason;
  positions_[v] = static_cast<std::int32_t>(trail_.size());
  trail_.push_back(l);
  const int change = int(values_[v]) - int(model_[v]);
  for (std::int32_t u = use_offsets_[v]; u < use_offsets_[v + 1]; ++u) {
    Clue& c = clues_[uses_[u].clue];
    const std::int64_t w = uses_[u].weight;
    if ((w > 0) == mine)
      c.low += std::abs(w);
    else
      c.high -= std::abs(w);
    if (change != 0) {
      c.model_sum += w * change;
      set_violated(uses_[u].clue);
    }
  }
}

void Prober::unassign_to(std::int32_t target) {
  if (level() <= target) return;
  const std::int32_t keep = trail_limits_[target];
  for (auto i = std::int32_t(trail_.size()) - 1; i >= keep; --i) {
    const std::int32_t v = variable_of(trail_[i]);
    const bool mine = values_[v] == 1;
    const int change = int(model_[v]) - int(values_[v]);
    for (std::int32_t u = use_offsets_[v]; u < use_offsets_[v + 1]; ++u) {
      Clue& c = clues_[uses_[u].clue];
      const std::int64_t w = uses_[u].weight;
      if ((w > 0) == mine)
        c.low -= std::abs(w);
      else
        c.high += std::abs(w);
      if (change != 0) {
        c.model_sum += w * change;
        set_violated(uses_[u].clue);
      }
    }
    values_[v] = -1;
    levels_[v] = -1;
    positions_[v] = -1;
  }
  trail_.resize(keep);
  trail_limits_.resize(target);
  head_ = trail_.size();
}

// The assigned literals of a clue that pushed its least sum up (or its greatest sum down), as
// false literals of a clause. Only assignments made before trail position `before` count.
void Prober::explain_clue(std::int32_t index, bool low_side, std::int32_t before,
                          std::vector<Literal>& out) const {
  const Clue& c = clues_[index];
  for (std::int32_t e = c.begin; e < c.end; ++e) {
    const std::int32_t v = entries_[e].variable;
    if (values_[v] < 0 || positions_[v] >= before) continue;
    const bool raises_low = (entries_[e].weight > 0) == (values_[v] == 1);
    if (raises_low == low_side) out.push_back(literal(v, values_[v] == 0));
  }
}

bool Prober::propagate_clues(std::int32_t variable) {
  for (std::int32_t u = use_offsets_[variable]; u < use_offsets_[variable + 1]; ++u) {
    const std::int32_t index = uses_[u].clue;
    const Clue& c = clues_[index];
    const std::int64_t above = c.need - c.low, below = c.high - c.need;
    if (above < 0 || below < 0) {
      conflict_.clear();
      explain_clue(index, above < 0, std::int32_t(trail_.size()), conflict_);
      return false;
    }
    if (above >= c.step && below >= c.step) continue;
    if (c.low == c.high) continue;
    for (std::int32_t e = c.begin; e < c.end; ++e) {
      const Entry& entry = entries_[e];
      if (values_[entry.variable] >= 0) continue;
      const std::int64_t size = std::abs(entry.weight);
      if (size > above) {
        assign(literal(entry.variable, entry.weight < 0), {Reason::clue, index});
      } else if (size > below) {
        assign(literal(entry.variable, entry.weight > 0), {Reason::clue, index});
      }
    }
  }
  return true;
}

bool Prober::propagate() {
  while (head_ < trail_.size()) {
    guard_->tick();
    const Literal l = trail_[head_++];
    if (!propagate_clues(variable_of(l))) return false;
    const auto force = [&](Literal forced, std::int32_t clause) {
      assign(forced, {Reason::clause, clause});
    };
    if (!clauses_.propagate(l, values_, conflict_, force)) return false;
  }
  return true;
}

// False: there is no reason, it was decided.
bool Prober::reason_literals(std::int32_t v, std::vector<Literal>& out) const {
  const Reason& r = reasons_[v];
  if (r.kind == Reason::clause) {
    for (const Literal l : clauses_[r.index])
      if (variable_of(l) != v) out.push_back(l);
  } else if (r.kind == Reason::clue) {
    // A variable held at its smaller contribution was forced from the low side.
    const Clue& c = clues_[r.index];
    for (std::int32_t e = c.begin; e < c.end; ++e)
      if (entries_[e].variable == v) {
        const bool at_smaller = (entries_[e].weight > 0) == (values_[v] == 0);
        explain_clue(r.index, at_smaller, positions_[v], out);
        break;
      }
  }
  return r.kind != Reason::decision;
}

// Learned clauses are charged in growing steps: their literals, and for each clause its vector, its
// block and its place in two lists of watches (which keep the room they once had).
void Prober::charge_clauses(std::size_t clauses, std::size_t literals) {
  const auto more = [](std::uint64_t n) { return n + n / 4; };
  charged_literals_ = more(literals) + 256;
  clause_charge_.at_least(charged_literals_ * sizeof(Literal) +
                          more(clauses + 16) * (2 * sizeof(Clauses::Clause) + kBlock +
                                                6 * sizeof(Clauses::Watch)));
}

// Long clauses go when they pile up. Only at level 0, where no reason matters any more.
void Prober::forget_clauses() {
  if (clauses_.literals() < 200'000) return;
  std::vector<Clauses::Clause> clauses = clauses_.take();
  std::size_t kept = 0, literals = 0;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    auto& clause = clauses[i];
    const bool recent = i * 2 > clauses.size();
    bool holds = false;
    for (const Literal l : clause) holds = holds || is_true(values_, l);
    if (holds || (clause.size() > 4 && !(recent && clause.size() < 40))) continue;
    // Only level 0 is assigned here, so false literals are false for good.
    std::erase_if(clause, [&](Literal l) { return is_false(values_, l); });
    literals += clause.size();
    if (kept != i) clauses[kept] = std::move(clause);
    ++kept;
  }
  if (literals > 150'000) kept = literals = 0;
  clauses.resize(kept);
  clause_charge_.release();
  charge_clauses(kept, literals);
  for (auto& clause : clauses) clauses_.add(std::move(clause));
  for (auto& r : reasons_) r = {};
}

// How many clues a flip of the variable would mend, less those it would break.
int Prober::mends(std::int32_t v) const {
  const int change = model_[v] == 0 ? 1 : -1;
  int score = 0;
  for (std::int32_t u = use_offsets_[v]; u < use_offsets_[v + 1]; ++u) {
    const Clue& c = clues_[uses_[u].clue];
    const std::int64_t after = c.model_sum + uses_[u].weight * change;
    score += int(after == c.need) - int(c.model_sum == c.need);
  }
  return score;
}

// Branch on a violated clue in the direction that mends it. At first we flip what does the least
// damage elsewhere, which keeps repairs local; a probe that meets many conflicts is hard, and then
// the variables of recent conflicts lead. False: no clue is violated.
bool Prober::decide() {
  if (violated_.empty()) return false;
  const Clue& c = clues_[violated_.back()];
  const bool too_much = c.model_sum > c.need;
  const bool gentle = conflicts_ < 30;
  std::int32_t best = -1;
  int best_mends = 0;
  for (std::int32_t e = c.begin; e < c.end; ++e) {
    const std::int32_t v = entries_[e].variable;
    if (values_[v] >= 0) continue;
    const bool adds = (entries_[e].weight > 0) == (model_[v] == 1);
    if (adds != too_much) continue;
    const int score = gentle ? mends(v) : 0;
    if (best < 0 || score > best_mends ||
        (score == best_mends && analysis_.activity(v) > analysis_.activity(best))) {
      best = v;
      best_mends = score;
    }
  }
  trail_limits_.push_back(static_cast<std::int32_t>(trail_.size()));
  assign(literal(best, model_[best] == 0), {});
  return true;
}

// Runs until the repaired model meets all clues (true) or the assumption is refuted (false). The
// assumption, if any, is the decision of level 1.
bool Prober::search(Literal assumption) {
  conflicts_ = 0;
  const std::int32_t base = assumption < 0 ? 0 : 1;
  while (true) {
    if (propagate()) {
      if (level() < base) {
        // A unit clause took us back to level 0: assume again.
        if (is_false(values_, assumption)) return false;
        trail_limits_.push_back(static_cast<std::int32_t>(trail_.size()));
        assign(assumption, {});
      } else if (!decide()) {
        return true;
      }
      continue;
    }
    if (level() == 0) return false;
    ++conflicts_;
    const bool refuted = level() <= base;
    const auto reasons = [&](std::int32_t v, std::vector<Literal>& out) {
      return reason_literals(v, out);
    };
    unassign_to(analysis_.learn(conflict_, trail_, levels_, level(), reasons));
    const auto& learned = analysis_.learned();
    if (learned.size() == 1) {
      assign(learned[0], {});
      if (refuted) return false;
      continue;
    }
    const std::size_t literals = clauses_.literals() + learned.size();
    if (literals > charged_literals_) charge_clauses(clauses_.size(), literals);
    assign(learned[0], {Reason::clause, clauses_.add(learned)});
  }
}

// Make the repaired assignment the model; what differs is seen with both values.
void Prober::commit() {
  for (const Literal l : trail_) {
    const std::int32_t v = variable_of(l);
    if (model_[v] != values_[v]) {
      model_[v] = values_[v];
      settled_[v] = 1;
    }
  }
  unassign_to(0);
}

bool Prober::solve() {
  freeze();
  for (std::int32_t i = 0; i < std::int32_t(clues_.size()); ++i) {
    // Clues that decide something by themselves, and empty ones, never wake up otherwise.
    const Clue& c = clues_[i];
    const std::int64_t above = c.need - c.low, below = c.high - c.need;
    if (above < 0 || below < 0) return false;
    if (above >= c.step && below >= c.step) continue;
    for (std::int32_t e = c.begin; e < c.end; ++e) {
      const Entry entry = entries_[e];
      if (values_[entry.variable] >= 0) continue;
      const std::int64_t size = std::abs(entry.weight);
      if (size > clues_[i].need - clues_[i].low)
        assign(literal(entry.variable, entry.weight < 0), {});
      else if (size > clues_[i].high - clues_[i].need)
        assign(literal(entry.variable, entry.weight > 0), {});
    }
  }
  if (!propagate()) return false;
  if (!search(-1)) return false;
  commit();
  std::fill(settled_.begin(), settled_.end(), std::uint8_t(0));
  return true;
}

bool Prober::can_flip(std::int32_t v) {
  if (levels_[v] == 0) return false;
  forget_clauses();
  if (search(literal(v, model_[v] == 0))) {
    commit();
    return true;
  }
  unassign_to(0);
  if (levels_[v] != 0) assign(literal(v, model_[v] != 0), {});
  // The model meets every clue and every learned clause, so this cannot fail.
  (void)propagate();
  return false;
}

void Prober::probe(std::span<const std::int32_t> candidates) {
  for (const std::int32_t v : candidates)
    if (v < variables_ && levels_[v] != 0 && !settled_[v] && can_flip(v)) settled_[v] = 1;
}

}  // namespace sapper
