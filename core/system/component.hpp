// Independent components over groups of interchangeable cells.
//
// Variables that stand in exactly the same clues with the same weights are one *group*: only how
// many of them are mines matters, and binomial coefficients say in how many ways. Components share
// no clue, so each is solved by itself. A component speaks of its groups by local number; what it
// says does not depend on where on the board it lies, so equal components share one diagram.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "system/knowledge.hpp"

namespace sapper {

struct Component {
  struct Entry {
    std::int32_t group;
    std::int64_t weight;
    bool operator==(const Entry&) const = default;
  };
  Vector<std::int32_t> sizes;          // variables in each group
  Vector<std::int32_t> clue_offsets{0};
  Vector<Entry> entries;               // sorted by group within a clue
  Vector<std::int64_t> counts;

  std::int32_t groups() const { return static_cast<std::int32_t>(sizes.size()); }
  std::int32_t clues() const { return static_cast<std::int32_t>(counts.size()); }
  std::span<const Entry> clue(std::int32_t c) const {
    return {entries.data() + clue_offsets[c], entries.data() + clue_offsets[c + 1]};
  }
  // What a group with `value` mines adds to a clue; negative weights count the free cells.
  std::int64_t contribution(std::int32_t group, std::int64_t weight, std::int64_t value) const {
    return weight >= 0 ? weight * value : -weight * (sizes[group] - value);
  }
  // Byte string that is equal for equal components.
  Text content() const;
};

// A component in its place: which variables its groups are and which clues its clues were.
struct Part {
  Component component;
  Vector<std::int32_t> variable_offsets{0};
  Vector<std::int32_t> variables;  // of each group
  Vector<std::int32_t> clue_ids;   // of each clue, in the system

  std::span<const std::int32_t> group(std::int32_t g) const {
    return {variables.data() + variable_offsets[g], variables.data() + variable_offsets[g + 1]};
  }
};

// Splits what is unknown into parts: one thread finds them, and whoever is free builds them, meanwhile or later.
class Splitter {
 public:
  // What hangs together, ascending.
  struct Found {
    std::span<std::int32_t> clues, variables;
  };
  // Room for building; a thread has its own.
  struct Scratch {
    Vector<std::int32_t> first_of;    // the first variable of each group
    Vector<std::int32_t> slots;       // groups by the clues they are in, open addressing
    Vector<std::int32_t> last_with;   // the last clue so far that begins with a group,
    Vector<std::int32_t> one_before;  // and the one before each
  };

  // With `group` off every variable is a group of its own.
  Splitter(const Knowledge& knowledge, bool group);

  // f(found) for each part. `within` limits the work to the unknown variables of some clues (a former component); if
  // it is empty all clues count. What is found lies here, one after the other, until it is forgotten; no clue may be
  // found twice before that.
  template <class F>
  void find(std::span<const std::int32_t> within, Guard& guard, F&& f) {
    const std::uint32_t before = round_;
    const auto clues = within.empty() ? std::size_t(knowledge_->system().clues()) : within.size();
    for (std::size_t i = 0; i < clues; ++i) {
      const std::int32_t first = within.empty() ? std::int32_t(i) : within[i];
      if (clue_met_[first] > before || knowledge_->unknowns(first) == 0) continue;
      ++round_;
      f(collect(first, guard));
    }
  }
  void forget() {
    clues_end_ = clue_room_.data();
    variables_end_ = variable_room_.data();
  }

  // What was found, as a part. Nothing of it may have been learned since; of others, it may even be learned at the
  // same time. Several threads may build at once.
  Part build(const Found& found, Scratch& scratch);

 private:
  Found collect(std::int32_t first, Guard& guard);
  std::int32_t group_variables(std::span<const std::int32_t> variables, Scratch& scratch);

  const Knowledge* knowledge_;
  bool group_;
  // The round, one for each part, in which a clue or a variable was last met: nothing has to be reset between
  // rounds, so a round costs what it meets, not what the board has.
  std::uint32_t round_ = 0;
  Vector<std::uint32_t> clue_met_, variable_met_;
  Space<std::int32_t> group_of_;  // parts have no variable in common
  Space<std::int32_t> clue_room_, variable_room_;  // for those of all parts, and one more
  std::int32_t *clues_end_, *variables_end_;       // of what was found
};

}  // namespace sapper
