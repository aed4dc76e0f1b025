// Minimal sets of clues that force a value or contradict each other.
//
// A set of clues forces a variable if no assignment meets the set with the variable at the other
// value. `minimal` looks at the clues around the variable first, ring by ring, until they force it,
// and then drops clues as long as the rest still does: what is left is minimal, not always
// smallest. `smallest` proves that no smaller set does, by implicit hitting sets: every assignment
// with the other value violates some clues, a core must contain one of each such family, so a
// smallest set that meets all families seen so far is either a core or gives another family.
// `by_deletion` knows nothing of rings and shows how much a minimal set depends on its making.
//
// The total counts as one more clue, numbered after the last. Questions about the total go to the
// compiled diagram, since search over clues cannot count; all others go to the prober.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/limits.hpp"
#include "base/rows.hpp"
#include "system/system.hpp"

namespace sapper {

class CoreFinder {
 public:
  using Ids = Vector<std::int32_t>;
  using Values = Vector<std::int8_t>;

  explicit CoreFinder(System system);

  const System& system() const { return system_; }
  // What a finder takes, and what a search around a variable adds: lists of clues and variables,
  // and some assignments.
  static std::uint64_t bytes_for(const System& s) {
    return s.bytes() - s.field_bytes + std::uint64_t(s.variables) * 28 +
           std::uint64_t(s.clues()) * 16 + s.cells.size() * sizeof(std::int32_t);
  }
  // With the system it was made from, which lives on.
  std::uint64_t bytes() const { return system_.bytes() + bytes_for(system_); }
  std::int32_t total_id() const { return system_.clues(); }

  // A minimal set of clues that refutes variable = value; nothing if it cannot be refuted. With
  // `smallest`, one with the least number of clues. The whole system must be consistent. If
  // `below` is positive, only sets with fewer clues than that are of interest (`smallest` only).
  std::optional<Ids> core(std::int32_t variable, bool value, bool smallest, std::int32_t below,
                          Guard& guard);

  // A minimal set that refutes variable = value, by deletion from all clues that hang together with
  // the variable, one after the other, the last first. The total is not used.
  std::optional<Ids> by_deletion(std::int32_t variable, bool value, Guard& guard);

  // A minimal set of clues that contradict each other; nothing if there is none.
  std::optional<Ids> contradiction(Guard& guard);

  // An assignment that meets these clues, with variable = value unless variable is -1. Variables
  // that the clues do not speak of keep the values of `near`, or are 0.
  std::optional<Values> witness(std::span<const std::int32_t> clues, std::int32_t variable,
                                bool value, const Values& near, Guard& guard);

 private:
  struct Question {
    std::int32_t variable = -1;
    bool value = false;
  };

  bool satisfiable(std::span<const std::int32_t> clues, Question q, Guard& guard);
  bool satisfiable_with_total(std::span<const std::int32_t> clues, Question q, Guard& guard);
  // The prober on some clues; the model, on success, is written over `values`.
  bool search(std::span<const std::int32_t> clues, Question q, Values* values, Guard& guard);

  // Clues by distance from a variable; `ends` marks where each ring ends.
  Ids rings(std::int32_t variable, Vector<std::size_t>& ends);
  Ids connected(const Ids& clues, std::int32_t variable);
  Ids shrink(Ids clues, Question q, Guard& guard);
  std::optional<Ids> minimal(Question q, Guard& guard);
  std::optional<Ids> smallest(Question q, std::optional<Ids> best, std::int32_t below,
                              Guard& guard);
  bool total_may_help(std::int32_t end) const;
  std::optional<Ids> fewer(Question q, bool total, std::int32_t end, Guard& guard);
  Ids violated(const Ids& clues, const Values& values) const;
  bool is_total(std::int32_t clue) const { return clue == total_id(); }

  System system_;
  Rows<std::int32_t> uses_;          // clues of each variable
  Vector<std::int32_t> local_;  // scratch: local number of a variable, or -1
  Vector<std::uint8_t> clue_seen_, variable_seen_;
};

}  // namespace sapper
