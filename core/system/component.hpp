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

#include "system/knowledge.hpp"

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
  std::uint64_t content_bytes() const {
    return 64 + sizes.size() * sizeof(std::int32_t) + counts.size() * 12 +
           entries.size() * 2 * sizeof(std::int64_t);
  }
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
  static std::uint64_t bytes_for(std::size_t groups, std::size_t variables, std::size_t clues,
                                 std::size_t entries) {
    return sizeof(Part) + 7 * kBlock + (groups * 2 + variables) * sizeof(std::int32_t) +
           clues * (2 * sizeof(std::int32_t) + sizeof(std::int64_t)) +
           entries * sizeof(Component::Entry);
  }
  std::uint64_t bytes() const {
    return bytes_for(component.sizes.capacity(), variables.capacity(), component.counts.capacity(),
                     component.entries.capacity());
  }
};

// Splits what is unknown into parts.
class Splitter {
 public:
  // With `group` off every variable is a group of its own.
  Splitter(const Knowledge& knowledge, bool group, Guard& guard);

  // `within` limits the work to the unknown variables of some clues (a former component); without
  // it all clues count. Parts are charged to the guard, and who drops one gives its bytes back.
  std::vector<Part> split(std::span<const std::int32_t> within = {});

 private:
  struct Keyed {
    std::uint64_t hash;
    std::int32_t variable;
  };
  void collect(std::int32_t first);
  void make_room(std::size_t more);
  Part build();

  const Knowledge* knowledge_;
  bool group_;
  Guard* guard_;
  Charge charge_;
  // The round in which a clue or a variable was last met: nothing has to be reset between rounds,
  // so a round costs what it meets, not what the board has.
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> clue_met_, variable_met_;
  std::vector<std::int32_t> group_of_, clue_ids_;
  std::vector<Keyed> keyed_;
  std::vector<std::pair<std::int32_t, std::int32_t>> runs_;
};

}  // namespace sapper
