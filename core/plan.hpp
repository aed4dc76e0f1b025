// From an elimination order of the clues to a plan: the steps by which a diagram is compiled.
//
// The state of a half-decided component is how much each open clue has collected so far. A plan is
// a tree of steps, each producing a table of states:
//   - a *choice* step takes the table of its child (or the empty state) and decides one group;
//   - a *join* step merges two tables, adding up what both have collected for the clues they share.
// A clue is open from the first of its groups until all of them are decided in one table; then it
// must have collected exactly its number, and it leaves the state. A plan without joins is a path
// order; with joins it follows a tree decomposition of the clues.
//
// States are packed into machine words. A clue owns a bit field from opening to closing, the same
// one in all tables of its subtree, so that deciding a group or joining two states is an addition.
#pragma once

#include <cstdint>
#include <vector>

#include "component.hpp"
#include "limits.hpp"

namespace sapper {

// What a clue may have collected after a step, and whether it closes there.
struct Check {
  std::int32_t clue;
  std::int32_t word;
  std::int32_t shift;
  bool closes;
  std::uint64_t mask;  // before shifting
  std::uint64_t low, high;
  std::int64_t weight;  // of the step's group in this clue (choice steps)
};

// Two open clues that share undecided groups: what they have collected can only differ so much.
struct PairCheck {
  std::int32_t word_a, shift_a, word_b, shift_b;
  std::uint64_t mask_a, mask_b;
  std::int64_t low, high;  // bounds on collected(a) - collected(b)
};

struct Step {
  std::int32_t left = -1;   // child step, -1: the empty state
  std::int32_t right = -1;  // second child of a join
  std::int32_t group = -1;  // decided group, -1: a join
  std::int32_t value_low = 0, value_high = -1;  // values worth trying
  std::int32_t check_begin = 0, check_end = 0;
  std::int32_t pair_begin = 0, pair_end = 0;
  bool is_join() const { return group < 0; }
};

struct Plan {
  std::vector<Step> steps;  // children before parents; the last one is the root
  std::vector<Check> checks;
  std::vector<PairCheck> pairs;
  std::int32_t words = 1;     // machine words per state
  std::int32_t width = 0;     // most clues open at once
  double expected_nodes = 0;  // sum over steps of a bound on the table's size
  double expected_work = 0;   // arcs and join pairs looked at
  bool has_joins = false;

  std::uint64_t bytes() const {
    return steps.capacity() * sizeof(Step) + checks.capacity() * sizeof(Check) +
           pairs.capacity() * sizeof(PairCheck);
  }
};

// The component with all contributions made non-negative and both directions indexed.
class Shape {
 public:
  explicit Shape(const Component& component);

  struct Use {
    std::int32_t clue;
    std::int64_t weight;
  };
  const Component& component() const { return *component_; }
  std::span<const Use> uses(std::int32_t group) const {
    return {uses_.data() + use_offsets_[group], uses_.data() + use_offsets_[group + 1]};
  }
  // What a group with `value` mines adds to a clue; negative weights count the free cells.
  std::int64_t contribution(std::int32_t group, std::int64_t weight, std::int64_t value) const {
    return weight >= 0 ? weight * value : -weight * (component_->sizes[group] - value);
  }
  std::int64_t target(std::int32_t clue) const { return targets_[clue]; }
  std::int64_t most(std::int32_t clue) const { return most_[clue]; }
  // log2 of how many amounts a clue can have collected once `done` of its most are decided.
  double spread(std::int32_t clue, std::int64_t done) const;

  static std::uint64_t bytes_for(const Component& c) {
    return std::uint64_t(c.groups()) * 2 * sizeof(std::int32_t) + c.entries.size() * sizeof(Use) +
           std::uint64_t(c.clues()) * 2 * sizeof(std::int64_t);
  }

 private:
  const Component* component_;
  std::vector<std::int32_t> use_offsets_;
  std::vector<Use> uses_;
  std::vector<std::int64_t> targets_, most_;
};

// Which group of a clue is decided next: the one that leaves the smallest table when it is done, or
// the one whose first cell does. Diagrams over single cells can be smaller with the latter.
enum class Pick : std::uint8_t { whole_group, first_cell };

// Costs only: steps and expected sizes, without bit fields.
Plan build_plan(const Shape& shape, const std::vector<std::int32_t>& clue_order, Guard& guard,
                Pick pick = Pick::whole_group);

// The same for a plan without joins that decides the groups in this order.
Plan build_group_plan(const Shape& shape, const std::vector<std::int32_t>& group_order,
                      Guard& guard);

// What it takes to look for an order while so many plans are held: the shape, the arrays of the
// search, and in each plan a step for every group and a check for every entry.
inline std::uint64_t planning_bytes(const Component& c, std::uint64_t plans) {
  return Shape::bytes_for(c) + std::uint64_t(c.clues()) * 160 + c.entries.size() * 16 +
         plans * (std::uint64_t(c.groups()) * sizeof(Step) + c.entries.size() * 3 / 2 * sizeof(Check));
}

// Bit fields and checks; `pairs` also prepares the pair checks. After this it can be compiled.
// Returns false if the open clues do not fit into the widest supported state.
bool lay_out(const Shape& shape, Plan& plan, bool pairs, Guard& guard);

}  // namespace sapper
