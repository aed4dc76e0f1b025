// What sets of clues allow, by trying every assignment of a small system.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "system/system.hpp"

namespace sapper::tests {

class ClueSets {
 public:
  using Ids = Vector<std::int32_t>;

  // The total, if there is one, counts as one more clue.
  explicit ClueSets(const System& system);

  std::int32_t size() const { return static_cast<std::int32_t>(met_.size()); }
  Ids all() const;

  // Is there an assignment that meets these clues, with variable = value unless variable is -1?
  bool can_be_met(std::span<const std::int32_t> clues, std::int32_t variable = -1,
                  bool value = false) const;
  // Can it not, and would it with any one clue less?
  bool is_minimal_core(const Ids& clues, std::int32_t variable = -1, bool value = false) const;
  // Is there such a set with so many clues?
  bool has_core_of(std::int32_t clues, std::int32_t variable, bool value) const;
  bool meets(std::span<const std::int32_t> clues, const Vector<std::int8_t>& values) const;

 private:
  using Set = Vector<std::uint64_t>;  // of assignments, a bit each

  bool has_core_of(std::int32_t more, std::int32_t from, const Set& left) const;

  std::int32_t variables_;
  Vector<Set> met_;   // by clue
  Vector<Set> mined_;  // by variable
};

}  // namespace sapper::tests
