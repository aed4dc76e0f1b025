// Learned clauses, each watched at its first two literals.
//
// A clause is looked at only when one of these two becomes false; it then watches another literal
// that is not false, or it forces its first literal, or it is a conflict. Nothing has to be undone
// when the search goes back. The values belong to the search: 0, 1, or -1 where there is none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/memory.hpp"

namespace sapper {

using Literal = std::int32_t;  // 2 * variable + (1 if it says "free")

inline Literal literal(std::int32_t variable, bool mine) { return 2 * variable + (mine ? 0 : 1); }
inline std::int32_t variable_of(Literal l) { return l >> 1; }
inline bool says_mine(Literal l) { return (l & 1) == 0; }

using Values = Vector<std::int8_t>;
inline bool is_true(const Values& values, Literal l) {
  return values[variable_of(l)] == (says_mine(l) ? 1 : 0);
}
inline bool is_false(const Values& values, Literal l) {
  return values[variable_of(l)] == (says_mine(l) ? 0 : 1);
}

class Clauses {
 public:
  using Clause = Vector<Literal>;
  struct Watch {
    std::int32_t clause;
    Literal blocker;  // another literal of it: if true, the clause need not be looked at
  };

  explicit Clauses(std::int32_t variables) : watches_(std::size_t(variables) * 2) {}

  void allow(std::size_t variables) { watches_.reserve(variables * 2); }
  void add_variable() { watches_.resize(watches_.size() + 2); }

  const Clause& operator[](std::int32_t clause) const { return clauses_[clause]; }
  bool is_watched(Literal l) const { return !watches_[l].empty(); }

  // Two or more literals. If the second is false, no other but the first may be taken back before
  // it is.
  std::int32_t add(Clause clause) {
    const auto index = static_cast<std::int32_t>(clauses_.size());
    watches_[clause[0]].push_back({index, clause[1]});
    watches_[clause[1]].push_back({index, clause[0]});
    literals_ += clause.size();
    clauses_.push_back(std::move(clause));
    return index;
  }

  // Forget all, but keep the room of the watches.
  void clear() {
    clauses_.clear();
    literals_ = 0;
    for (auto& w : watches_) w.clear();
  }

  // Long clauses go when they pile up to `most` literals; false: they do not yet. Clauses are
  // numbered anew. What has a value has it for good.
  bool forget(const Values& values, std::size_t most) {
    if (literals_ < most) return false;
    for (auto& w : watches_) Vector<Watch>().swap(w);
    literals_ = 0;
    Vector<Clause> clauses = std::exchange(clauses_, {});
    std::size_t kept = 0, literals = 0;
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      auto& clause = clauses[i];
      const bool recent = i * 2 > clauses.size();
      const bool holds = std::ranges::any_of(clause, [&](Literal l) { return is_true(values, l); });
      if (holds || (clause.size() > 4 && !(recent && clause.size() < 40))) continue;
      std::erase_if(clause, [&](Literal l) { return is_false(values, l); });
      literals += clause.size();
      if (kept != i) clauses[kept] = std::move(clause);
      ++kept;
    }
    if (literals > most / 4 * 3) kept = literals = 0;
    clauses.resize(kept);
    for (auto& clause : clauses) add(std::move(clause));
    return true;
  }

  // What follows from a literal that has become true: `assign(literal, clause)` for each. False:
  // `conflict` holds a clause that is false.
  template <class Assign>
  bool propagate(Literal made_true, const Values& values, Clause& conflict, Assign assign) {
    const Literal falsified = made_true ^ 1;
    auto& list = watches_[falsified];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Watch w = list[i];
      if (is_true(values, w.blocker)) {
        list[kept++] = w;
        continue;
      }
      Clause& clause = clauses_[w.clause];
      if (clause[0] == falsified) std::swap(clause[0], clause[1]);
      if (is_true(values, clause[0])) {
        list[kept++] = {w.clause, clause[0]};
        continue;
      }
      if (watch_another(clause, w.clause, values)) continue;
      list[kept++] = w;
      if (is_false(values, clause[0])) {
        conflict = clause;
        for (++i; i < list.size(); ++i) list[kept++] = list[i];
        list.resize(kept);
        return false;
      }
      assign(clause[0], w.clause);
    }
    list.resize(kept);
    return true;
  }

 private:
  bool watch_another(Clause& clause, std::int32_t index, const Values& values) {
    for (std::size_t k = 2; k < clause.size(); ++k) {
      if (is_false(values, clause[k])) continue;
      std::swap(clause[1], clause[k]);
      watches_[clause[1]].push_back({index, clause[0]});
      return true;
    }
    return false;
  }

  Vector<Clause> clauses_;
  Vector<Vector<Watch>> watches_;  // by literal
  std::size_t literals_ = 0;  // of all clauses together
};

}  // namespace sapper
