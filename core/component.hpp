// Independent components over groups of interchangeable cells.
//
// Variables that stand in exactly the same clues with the same weights are one *group*: only how
// many of them are mines matters, and binomial coefficients say in how many ways. Components share
// no clue, so each is solved by itself. A component speaks of its groups by local number; what it
// says does not depend on where on the board it lies, so equal components share one diagram.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "knowledge.hpp"

namespace sapper {

struct Component {
  struct Entry {
    std::int32_t group;
    std::int64_t weight;
    bool operator==(const Entry&) const = default;
  };
  std::vector<std::int32_t> sizes;          // variables in each group
  std::vector<std::int32_t> clue_offsets{0};
  std::vector<Entry> entries;               // sorted by group within a clue
  std::vector<std::int64_t> counts;

  std::int32_t groups() const { return static_cast<std::int32_t>(sizes.size()); }
  std::int32_t clues() const { return static_cast<std::int32_t>(counts.size()); }
  std::span<const Entry> clue(std::int32_t c) const {
    return {entries.data() + clue_offsets[c], entries.data() + clue_offsets[c + 1]};
  }
  // Byte string that is equal for equal components.
  std::string content() const;
};

// A component in its place: which variables its groups are and which clues its clues were.
struct Part {
  Component component;
  std::vector<std::int32_t> variable_offsets{0};
  std::vector<std::int32_t> variables;  // of each group
  std::vector<std::int32_t> clue_ids;   // of each clue, in the system

  std::span<const std::int32_t> group(std::int32_t g) const {
    return {variables.data() + variable_offsets[g], variables.data() + variable_offsets[g + 1]};
  }
};

// Splits what is unknown into parts. `within` limits the work to the unknown variables of some
// clues (a former component); without it all clues count. With `group` off every variable is a
// group of its own.
std::vector<Part> split(const Knowledge& knowledge, std::span<const std::int32_t> within,
                        bool group, Guard& guard);

}  // namespace sapper
