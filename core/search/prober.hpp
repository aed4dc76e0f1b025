// Finds every forced variable of a system of linear clues, whatever its width.
//
// A conflict-driven search over the clues themselves (no clausal encoding), guided by a model. To
// learn whether a variable can differ from the model we assume that it does and repair: only
// variables of clues that the repaired model violates are ever decided, and the search ends as
// soon as no clue is violated. So a probe costs what its neighbourhood costs, not what the board
// costs. A successful probe replaces the model and settles every variable it flipped; a failed one
// leaves a learned clause that forces the variable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "search/clauses.hpp"
#include "search/conflict.hpp"

namespace sapper {

class Prober {
 public:
  struct Entry {
    std::int32_t variable;
    std::int64_t weight;
  };

  Prober(std::int32_t variables, Guard& guard);

  // Room for so many clues with so many entries in all, charged to the guard.
  void expect(std::size_t clues, std::size_t entries);
  void add_clue(std::span<const Entry> entries, std::int64_t count);

  // Before `solve`: where to start from. The search changes this guess only where it has to.
  void guess(std::int32_t variable, bool mine) { model_[variable] = mine ? 1 : 0; }

  // Is there an assignment that meets all clues? Must come first; afterwards `model` is one.
  [[nodiscard]] bool solve();

  // After a successful solve: decide these variables. Results in `forced`.
  void probe(std::span<const std::int32_t> candidates);

  // After a successful solve: can `variable` take the value it does not have in the model?
  // If so the model changes to one where it does.
  [[nodiscard]] bool can_flip(std::int32_t variable);

  bool model(std::int32_t variable) const { return model_[variable] != 0; }
  // After `probe`: 0 or 1 where forced, -1 where both values occur.
  std::int8_t forced(std::int32_t variable) const {
    return levels_[variable] == 0 ? values_[variable] : std::int8_t(-1);
  }

 private:
  struct Use {
    std::int32_t clue;
    std::int64_t weight;
  };
  struct Clue {
    std::int32_t begin, end;
    std::int64_t need, low, high, model_sum, step;
    std::int32_t violated_at;  // index in violated_, or -1
  };
  // Why a variable has its value: a decision, a clue or a learned clause.
  struct Reason {
    enum Kind : std::uint8_t { decision, clue, clause } kind = decision;
    std::int32_t index = -1;
  };
  // The arrays by variable, and those that grow up to one entry per variable.
  static std::uint64_t bytes_for(std::int32_t variables) {
    return std::uint64_t(variables) * (4 + 4 * sizeof(std::int32_t) + sizeof(Reason) +
                                       2 * sizeof(std::vector<Clauses::Watch>) + sizeof(double) +
                                       4 * sizeof(std::int32_t));
  }

  void freeze();
  void assign(Literal l, Reason reason);
  void unassign_to(std::int32_t level);
  void set_violated(std::int32_t clue);
  bool propagate();  // false: conflict_ holds a clause that is false
  bool propagate_clues(std::int32_t variable);
  void explain_clue(std::int32_t clue, bool low_side, std::int32_t before,
                    std::vector<Literal>& out) const;
  bool reason_literals(std::int32_t variable, std::vector<Literal>& out) const;
  bool search(Literal assumption);  // -1: none
  void charge_clauses(std::size_t clauses, std::size_t literals);
  void forget_clauses();
  int mends(std::int32_t variable) const;
  bool decide();
  void commit();
  std::int32_t level() const { return static_cast<std::int32_t>(trail_limits_.size()); }

  Guard* guard_;
  Charge charge_, clause_charge_;
  std::int32_t variables_;
  std::vector<Clue> clues_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> use_offsets_;
  std::vector<Use> uses_;
  bool frozen_ = false;

  Values values_, model_;
  std::vector<std::int32_t> levels_, positions_;
  std::vector<Reason> reasons_;
  std::vector<Literal> trail_;
  std::vector<std::int32_t> trail_limits_;
  std::size_t head_ = 0;

  Clauses clauses_;
  ConflictAnalysis analysis_;
  std::vector<std::int32_t> violated_;
  std::vector<Literal> conflict_;
  std::vector<std::uint8_t> settled_;
  std::size_t charged_literals_ = 0;
  std::int32_t conflicts_ = 0;  // of the current search
};

}  // namespace sapper
