// What is known for certain, and the clues that are left once it is substituted.
//
// `Knowledge` keeps a value for every variable (0, 1 or unknown) and, for every clue, what its
// unknown variables still have to add up to. `propagate` applies the single-clue rule to a
// fixpoint: a clue that can only be met by all its unknowns at their least, or all at their most,
// decides them. It is lossless: the legal assignments of what remains, with the known values, are
// those of the system. What takes more than one clue to see is left to the prober.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "base/crew.hpp"
#include "base/limits.hpp"
#include "base/rows.hpp"
#include "system/system.hpp"

namespace sapper {

class Knowledge {
 public:
  static constexpr std::int8_t kUnknown = -1;

  explicit Knowledge(const System& system);
  // The same by several threads.
  Knowledge(const System& system, Crew& crew, Guard& guard);

  // Set a variable; takes effect for the clues with the next `propagate`.
  void learn(std::int32_t variable, bool mine);

  // Single-clue rule to a fixpoint. False: the clues contradict each other.
  [[nodiscard]] bool propagate(Guard& guard);

  std::int8_t value(std::int32_t variable) const { return values_[variable]; }
  const Vector<std::int8_t>& values() const& { return values_; }
  Vector<std::int8_t> values() && { return std::move(values_); }
  // What the unknowns of a clue must add up to.
  std::int64_t need(std::int32_t clue) const { return clues_[clue].low + clues_[clue].above; }
  std::int32_t unknowns(std::int32_t clue) const { return clues_[clue].unknowns; }
  // Where a variable stands, and with what weights; none are told if all weights are 1.
  std::span<const std::int32_t> clues_of(std::int32_t variable) const { return clues_of_[std::size_t(variable)]; }
  std::span<const std::int64_t> weights_of(std::int32_t variable) const {
    if (steps_.empty()) return {};
    return weights_of_[std::size_t(variable)];
  }
  const System& system() const { return *system_; }

 private:
  // Of the unknowns of a clue: the least they can add up to, how far what they must add up to is
  // above that, and how far below the most they can.
  struct Clue {
    std::int64_t low, above, below;
    std::int32_t unknowns;
    bool queued;
  };

  // What variables stand in, and what clues have room for: two things that know nothing of each other.
  void find_uses();
  void find_room();
  void queue(std::int32_t clue);
  bool settle(std::int32_t clue);
  // The largest |weight| of a clue: with so much room both ways it decides nothing.
  std::int64_t step(std::int32_t clue) const { return steps_.empty() ? 1 : steps_[clue]; }

  const System* system_;
  Vector<std::int8_t> values_;
  Rows<std::int32_t> clues_of_;
  Rows<std::int64_t> weights_of_;  // of the same
  Vector<Clue> clues_;
  Vector<std::int64_t> steps_;  // empty: all weights are 1
  Vector<std::int32_t> queue_;
};

}  // namespace sapper
