// What a conflict teaches: a clause that rules out its cause, not only the conflict itself.
//
// Reasons are followed back along the trail until a single literal of the current level is left
// (the first unique implication point), as in GRASP and Chaff; then literals whose reasons are in
// the clause already are dropped. Variables that took part become active, recent ones most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/memory.hpp"
#include "search/clauses.hpp"

namespace sapper {

class ConflictAnalysis {
 public:
  explicit ConflictAnalysis(std::int32_t variables)
      : activity_(variables, 0.0), seen_(variables, 0) {}

  void allow(std::size_t variables) {
    activity_.reserve(variables);
    seen_.reserve(variables);
  }
  void add_variable() {
    activity_.push_back(0.0);
    seen_.push_back(0);
  }

  // How often, and how recently, a variable took part in conflicts.
  double activity(std::int32_t variable) const { return activity_[variable]; }

  // Nothing is seen, if `learn` was cut short.
  void forget() { std::ranges::fill(seen_, std::uint8_t(0)); }

  // After `learn`: the first literal follows once the search is back at the level returned; the
  // second, if any, became false at that level, so the two can be watched.
  const Vector<Literal>& learned() const { return learned_; }

  // `conflict` is a clause that is false, with literals of the current `level`, which is not 0.
  // `reason_of(variable, out)` appends the false literals that forced a variable, or returns false
  // if it was decided. Returns the level to go back to.
  template <class ReasonOf>
  std::int32_t learn(const Vector<Literal>& conflict, const Vector<Literal>& trail,
                     const Vector<std::int32_t>& levels, std::int32_t level,
                     ReasonOf reason_of) {
    learned_.assign(1, 0);
    touched_.clear();
    std::int32_t open = 0;  // literals of the current level that are seen and not yet resolved
    const auto see = [&](const Vector<Literal>& literals) {
      for (const Literal l : literals) {
        const std::int32_t v = variable_of(l);
        if (seen_[v] || levels[v] == 0) continue;
        seen_[v] = 1;
        touched_.push_back(v);
        activity_[v] += bump_;
        if (levels[v] == level)
          ++open;
        else
          learned_.push_back(l);
      }
    };
    see(conflict);
    for (std::size_t position = trail.size();;) {
      std::int32_t v;
      do v = variable_of(trail[--position]);
      while (!seen_[v] || levels[v] != level);
      if (--open == 0) {
        learned_[0] = trail[position] ^ 1;
        break;
      }
      scratch_.clear();
      reason_of(v, scratch_);
      see(scratch_);
    }
    drop_redundant(levels, reason_of);
    for (const std::int32_t v : touched_) seen_[v] = 0;
    grow_bump();
    return second_watch(levels);
  }

 private:
  // A literal whose whole reason is in the clause already adds nothing.
  template <class ReasonOf>
  void drop_redundant(const Vector<std::int32_t>& levels, ReasonOf reason_of) {
    std::size_t kept = 1;
    for (std::size_t i = 1; i < learned_.size(); ++i) {
      scratch_.clear();
      bool redundant = reason_of(variable_of(learned_[i]), scratch_);
      for (const Literal l : scratch_)
        redundant = redundant && (seen_[variable_of(l)] || levels[variable_of(l)] == 0);
      if (!redundant) learned_[kept++] = learned_[i];
    }
    learned_.resize(kept);
  }

  // Put a literal that became false last, but for the first one, in the second place.
  std::int32_t second_watch(const Vector<std::int32_t>& levels) {
    if (learned_.size() == 1) return 0;
    std::size_t second = 1;
    for (std::size_t i = 2; i < learned_.size(); ++i)
      if (levels[variable_of(learned_[i])] > levels[variable_of(learned_[second])]) second = i;
    std::swap(learned_[1], learned_[second]);
    return levels[variable_of(learned_[1])];
  }

  // Growing what is added is the same as letting all activities fade.
  void grow_bump() {
    bump_ *= 1.05;
    if (bump_ > 1e100) {
      for (double& a : activity_) a *= 1e-100;
      bump_ *= 1e-100;
    }
  }

  Vector<double> activity_;
  double bump_ = 1.0;
  Vector<std::uint8_t> seen_;
  Vector<std::int32_t> touched_;  // those with seen_
  Vector<Literal> learned_, scratch_;
};

}  // namespace sapper
