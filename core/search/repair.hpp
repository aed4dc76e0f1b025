// Conflict-driven search on sums, without a clausal encoding, guided by a model.
//
// To learn whether a variable can differ from the model we assume that it does and repair: only
// variables of sums that the repaired model violates are ever decided, and the search ends as soon
// as no sum is violated. So a question costs what its neighbourhood costs, not what the board
// costs. What is learned on the way stays: clauses, and values that follow at level 0.
//
// `Terms` says which variables stand in which sums, and may change between two questions:
//   Number                what sums are counted in
//   each_sum(variable, f) f(sum, weight) for every open sum it stands in; others may come if all their variables are told
//   each_term(sum, f)     f(variable, weight)
//   is_open(sum)          does it count?
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/limits.hpp"
#include "search/clauses.hpp"
#include "search/conflict.hpp"

namespace sapper {

template <class Terms>
class Repair {
 public:
  using Number = typename Terms::Number;

  Repair(Terms terms, Values model, Guard& guard)
      : guard_(&guard),
        terms_(std::move(terms)),
        values_(model.size(), -1),
        model_(std::move(model)),
        levels_(model_.size(), -1),
        positions_(model_.size(), -1),
        reasons_(model_.size(), kNoReason),
        clauses_(std::int32_t(model_.size())),
        analysis_(std::int32_t(model_.size())) {
    trail_.reserve(model_.size());
  }

  // Before the first is opened: how many sums there can be. With room for all, what is noted about
  // an assignment cannot fail half-way.
  void expect(std::size_t sums) {
    sums_.resize(sums);
    violated_.reserve(sums);
    wake_.reserve(sums);
  }

  // Who does not know them yet: make room for so many, and add them as they come, which then cannot
  // fail.
  void allow(std::size_t variables, std::size_t sums) {
    model_.reserve(variables);
    values_.reserve(variables);
    levels_.reserve(variables);
    positions_.reserve(variables);
    reasons_.reserve(variables);
    trail_.reserve(variables);
    clauses_.allow(variables);
    analysis_.allow(variables);
    sums_.reserve(sums);
    violated_.reserve(sums);
    wake_.reserve(sums);
  }
  // Between two questions: one more variable, with its value in the model, or one more sum.
  std::int32_t add_variable(bool mine) {
    const auto v = static_cast<std::int32_t>(model_.size());
    model_.push_back(mine ? 1 : 0);
    values_.push_back(-1);
    levels_.push_back(-1);
    positions_.push_back(-1);
    reasons_.push_back(kNoReason);
    clauses_.add_variable();
    analysis_.add_variable();
    return v;
  }
  std::int32_t add_sum() {
    sums_.emplace_back();
    return static_cast<std::int32_t>(sums_.size()) - 1;
  }

  // Between two questions: another thread asks the next ones.
  void use(Guard& guard) { guard_ = &guard; }

  Terms& terms() { return terms_; }
  const Terms& terms() const { return terms_; }
  bool model(std::int32_t v) const { return model_[v] != 0; }
  // Before the first question: where to start from.
  void guess(std::int32_t v, bool mine) { model_[v] = mine ? 1 : 0; }
  // Between two questions: 0 or 1 if it is known to follow, or -1.
  std::int8_t value(std::int32_t v) const { return values_[v]; }
  // What followed, or was told and mattered, in the order in which it was found.
  const Vector<Literal>& facts() const { return trail_; }

  // A sum whose terms are there now: what it must come to.
  void open(std::int32_t index, Number need) {
    Sum& s = sums_[index];
    s = Sum{need};
    terms_.each_term(index, [&](std::int32_t v, Number w) {
      // What follows already, and is yet to be kept, counts as it does for the other sums.
      if ((values_[v] < 0 ? model_[v] : values_[v]) == 1) s.model += w;
      s.step = std::max(s.step, Number(std::abs(w)));
      if (values_[v] != 1) (w < 0 ? s.low : s.high) += values_[v] < 0 ? w : 0;
      if (values_[v] == 1) s.low += w, s.high += w;
    });
    set_violated(index);
    wake(index);
  }

  // A value that was seen, and agrees with the model. It goes on the trail only if a clause waits
  // for it. `closes(sum)`: is a sum that it stands in settled by that?
  template <class F>
  void tell(std::int32_t v, F closes) {
    const bool mine = model_[v] == 1;
    values_[v] = model_[v];
    levels_[v] = 0;
    reasons_[v] = kNoReason;
    terms_.each_sum(v, [&](std::int32_t index, Number w) {
      sums_[index].bound(w, mine, 1);
      if (!closes(index)) wake(index);
    });
    const Literal l = literal(v, mine);
    if (clauses_.is_watched(l ^ 1)) trail_.push_back(l);
  }

  // What follows at once, between two questions. False: the sums contradict each other.
  bool propagate() {
    return orderly([&] { return follow(); });
  }

  // Is there a model? Afterwards `keep` or `drop` it.
  bool solve() {
    return orderly([&] {
      forget_clauses();
      return search(-1);
    });
  }

  // Can a variable differ from the model, which meets all sums? If so, there is a repaired model:
  // `keep` or `drop` it. If not, its value follows.
  bool can_differ(std::int32_t v) {
    if (values_[v] >= 0) return false;
    return orderly([&] {
      forget_clauses();
      if (search(literal(v, model_[v] == 0))) return true;
      unassign_to(0);
      if (values_[v] < 0) assign(literal(v, model_[v] == 1), kNoReason);
      // The model meets every sum and every learned clause, so this cannot fail.
      (void)follow();
      return false;
    });
  }

  // f(variable) for all that the repaired model changes.
  template <class F>
  void each_change(F f) const {
    const std::size_t begin = level() == 0 ? 0 : std::size_t(limits_[0]);
    for (std::size_t i = begin; i < trail_.size(); ++i)
      if (const std::int32_t v = variable_of(trail_[i]); values_[v] != model_[v]) f(v);
  }
  // Make the repaired model the model.
  void keep() {
    for (std::size_t i = agreed_; i < trail_.size(); ++i) {
      const std::int32_t v = variable_of(trail_[i]);
      model_[v] = values_[v];
    }
    unassign_to(0);
    agreed_ = trail_.size();
  }
  void drop() { unassign_to(0); }

 private:
  struct Sum {
    Number need{}, low{}, high{};  // what it must be, least and most it can be
    Number model{};                // what it is in the repaired model
    Number step{};                 // largest |weight|
    std::int32_t violated_at = -1;  // index in violated_, or -1
    bool awake = false;             // is it in wake_?

    // A variable gets a value (sign 1) or loses it (-1): more is known of the range, or less.
    void bound(Number weight, bool mine, Number sign) {
      if ((weight > 0) == mine)
        low += sign * Number(std::abs(weight));
      else
        high -= sign * Number(std::abs(weight));
    }
  };
  // Why a variable has its value: -1 a decision or none, >= 0 that sum, <= -2 clause -2 - index.
  static constexpr std::int32_t kNoReason = -1;

  std::int32_t level() const { return static_cast<std::int32_t>(limits_.size()); }

  // Whatever ends a question, a limit too: the search is back at level 0 with nothing half done.
  template <class F>
  bool orderly(F f) {
    try {
      return f();
    } catch (...) {
      unassign_to(0);
      clauses_.clear();
      analysis_.forget();
      throw;
    }
  }

  void set_violated(std::int32_t index) {
    Sum& s = sums_[index];
    const bool violated = s.model != s.need;
    if (violated == (s.violated_at >= 0)) return;
    if (violated) {
      s.violated_at = static_cast<std::int32_t>(violated_.size());
      violated_.push_back(index);
    } else {
      const std::int32_t last = violated_.back();
      violated_[s.violated_at] = last;
      sums_[last].violated_at = s.violated_at;
      violated_.pop_back();
      s.violated_at = -1;
    }
  }

  // Look at a sum again before the next question.
  void wake(std::int32_t index) {
    if (!std::exchange(sums_[index].awake, true)) wake_.push_back(index);
  }

  // A variable gets its value (sign 1) or loses it (-1).
  void update(std::int32_t v, Number sign) {
    const bool mine = values_[v] == 1;
    const Number change = sign * Number(values_[v] - model_[v]);
    terms_.each_sum(v, [&](std::int32_t index, Number w) {
      sums_[index].bound(w, mine, sign);
      if (change == 0) return;
      sums_[index].model += w * change;
      set_violated(index);
    });
  }

  void assign(Literal l, std::int32_t reason) {
    const std::int32_t v = variable_of(l);
    values_[v] = says_mine(l) ? 1 : 0;
    levels_[v] = level();
    reasons_[v] = reason;
    positions_[v] = static_cast<std::int32_t>(trail_.size());
    trail_.push_back(l);
    update(v, 1);
  }

  void unassign_to(std::int32_t target) {
    if (level() <= target) return;
    const std::int32_t keep = limits_[target];
    for (auto i = std::int32_t(trail_.size()) - 1; i >= keep; --i) {
      const std::int32_t v = variable_of(trail_[i]);
      update(v, -1);
      values_[v] = -1;
      levels_[v] = -1;
      positions_[v] = -1;
    }
    trail_.resize(keep);
    limits_.resize(target);
    head_ = trail_.size();
  }

  // The assigned variables of a sum that pushed its least value up (or its greatest down), as false
  // literals of a clause. Only assignments made before trail position `before` count.
  void explain(std::int32_t index, bool low_side, std::int32_t before,
               Vector<Literal>& out) const {
    terms_.each_term(index, [&](std::int32_t v, Number w) {
      if (levels_[v] <= 0 || positions_[v] >= before) return;
      const bool raises_low = (w > 0) == (values_[v] == 1);
      if (raises_low == low_side) out.push_back(literal(v, values_[v] == 0));
    });
  }

  // False: there is no reason, it was decided.
  bool reason_of(std::int32_t v, Vector<Literal>& out) const {
    const std::int32_t r = reasons_[v];
    if (r <= -2) {
      for (const Literal l : clauses_[-2 - r])
        if (variable_of(l) != v) out.push_back(l);
    } else if (r >= 0) {
      // A variable held at its smaller contribution was forced from the low side.
      bool at_smaller = false;
      terms_.each_term(r, [&](std::int32_t u, Number w) {
        if (u == v) at_smaller = (w > 0) == (values_[v] == 0);
      });
      explain(r, at_smaller, positions_[v], out);
    }
    return r != kNoReason;
  }

  bool propagate_sum(std::int32_t index) {
    const Sum& s = sums_[index];
    const Number above = s.need - s.low, below = s.high - s.need;
    if (above < 0 || below < 0) {
      conflict_.clear();
      explain(index, above < 0, std::int32_t(trail_.size()), conflict_);
      return false;
    }
    if ((above >= s.step && below >= s.step) || s.low == s.high) return true;
    terms_.each_term(index, [&](std::int32_t v, Number w) {
      if (values_[v] >= 0) return;
      const Number size = Number(std::abs(w));
      if (size > above)
        assign(literal(v, w < 0), index);
      else if (size > below)
        assign(literal(v, w > 0), index);
    });
    return true;
  }

  // False: conflict_ holds a clause that is false.
  bool follow() {
    while (!wake_.empty()) {
      const std::int32_t index = wake_.back();
      wake_.pop_back();
      sums_[index].awake = false;
      if (terms_.is_open(index) && !propagate_sum(index)) return contradiction();
    }
    while (head_ < trail_.size()) {
      guard_->tick();
      const Literal l = trail_[head_++];
      bool fine = true;
      terms_.each_sum(variable_of(l), [&](std::int32_t index, Number) {
        fine = fine && propagate_sum(index);
      });
      const auto force = [&](Literal forced, std::int32_t clause) { assign(forced, -2 - clause); };
      if (!fine || !clauses_.propagate(l, values_, conflict_, force)) return contradiction();
    }
    return true;
  }
  bool contradiction() {
    if (level() == 0) contradicted_ = true;
    return false;
  }

  // Only at level 0, where no reason matters any more.
  void forget_clauses() {
    if (clauses_.forget(values_, std::max<std::size_t>(200'000, 2 * model_.size())))
      std::ranges::fill(reasons_, kNoReason);
  }

  // How many sums a flip of the variable would mend, less those it would break.
  int mends(std::int32_t v) const {
    const Number change = model_[v] == 0 ? 1 : -1;
    int score = 0;
    terms_.each_sum(v, [&](std::int32_t index, Number w) {
      const Sum& s = sums_[index];
      score += int(s.model + w * change == s.need) - int(s.model == s.need);
    });
    return score;
  }

  // Branch on a violated sum in the direction that mends it. At first we flip what does the least
  // damage elsewhere, which keeps repairs local; a question that meets many conflicts is hard, and
  // then the variables of recent conflicts lead. False: no sum is violated.
  bool decide() {
    if (violated_.empty()) return false;
    const std::int32_t index = violated_.back();
    const bool too_much = sums_[index].model > sums_[index].need;
    const bool gentle = conflicts_ < 30;
    std::int32_t best = -1;
    int best_score = 0;
    terms_.each_term(index, [&](std::int32_t v, Number w) {
      if (values_[v] >= 0 || ((w > 0) == (model_[v] == 1)) != too_much) return;
      const int score = gentle ? mends(v) : 0;
      if (best < 0 || score > best_score ||
          (score == best_score && analysis_.activity(v) > analysis_.activity(best))) {
        best = v;
        best_score = score;
      }
    });
    begin_level(literal(best, model_[best] == 0));
    return true;
  }
  void begin_level(Literal decision) {
    limits_.push_back(static_cast<std::int32_t>(trail_.size()));
    assign(decision, kNoReason);
  }

  // Runs until the repaired model meets all sums (true) or the assumption is refuted (false). The
  // assumption, if any, is the decision of level 1.
  bool search(Literal assumption) {
    conflicts_ = 0;
    std::uint32_t told = 0;  // literals of reasons: clues may be long
    const std::int32_t base = assumption < 0 ? 0 : 1;
    while (!contradicted_) {
      if (follow()) {
        if (level() < base) {
          // The beginning, or a unit clause took us back to level 0.
          if (is_false(values_, assumption)) return false;
          begin_level(assumption);
        } else if (!decide()) {
          return true;
        }
        continue;
      }
      if (level() == 0) return false;
      ++conflicts_;
      guard_->add_nodes(1);  // a dead end is a node of the search
      guard_->tick(std::exchange(told, 0));  // not while reasons are told: that would leave them half learned
      const bool refuted = level() <= base;
      const auto reasons = [&](std::int32_t v, Vector<Literal>& out) {
        const std::size_t before = out.size();
        const bool is_forced = reason_of(v, out);
        told += std::uint32_t(out.size() - before);
        return is_forced;
      };
      unassign_to(analysis_.learn(conflict_, trail_, levels_, level(), reasons));
      const auto& learned = analysis_.learned();
      if (learned.size() == 1) {
        assign(learned[0], kNoReason);
        if (refuted) return false;
        continue;
      }
      assign(learned[0], -2 - clauses_.add(learned));
    }
    return false;
  }

  Guard* guard_;
  Terms terms_;
  Vector<Sum> sums_;
  Values values_, model_;
  Vector<std::int32_t> levels_, positions_, reasons_;
  Vector<Literal> trail_;
  Vector<std::int32_t> limits_;  // where each level begins on the trail
  std::size_t head_ = 0;              // what comes from here on has not been followed yet
  Vector<std::int32_t> violated_, wake_;

  Clauses clauses_;
  ConflictAnalysis analysis_;
  Vector<Literal> conflict_;
  std::int32_t conflicts_ = 0;  // of the current question
  std::size_t agreed_ = 0;      // of what follows, the first so many are as in the model
  bool contradicted_ = false;
};

}  // namespace sapper
