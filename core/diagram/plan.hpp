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

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/limits.hpp"
#include "base/rows.hpp"
#include "system/component.hpp"

namespace sapper {

// What a clue may have collected after a step, and whether it opens or closes there.
struct Check {
  std::int32_t clue;
  std::int32_t word;
  std::int32_t shift;
  bool opens, closes;
  std::uint64_t mask;  // before shifting
  std::uint64_t low, high;
  std::uint64_t high_before;  // the most it may have collected before the step (choice steps)
  std::int64_t weight;        // of the step's group in this clue (choice steps)
};

// All checks of a step that fall into one machine word, made at once. A field is one bit wider than
// its clue's number needs, and that top bit tells whether a sum or difference left its range: with
// x + over it must stay clear, with (x | tops) - under it must stay set.
struct PackedCheck {
  std::int32_t word;
  std::uint64_t tops, over, under;
  std::uint64_t closing;      // fields that are erased afterwards
  std::uint64_t over_before;  // for the way back: bounds before the step,
  std::uint64_t reopened;     // and the numbers of the clues that it closes
};

// Two open clues that share undecided groups (or decided ones, on the way back): what they have
// collected can only differ so much.
struct PairCheck {
  std::int32_t word_a, shift_a, word_b, shift_b;
  std::uint64_t mask_a, mask_b;
  std::uint64_t low, span;  // collected(a) - collected(b) is low, ..., low + span (modulo 2^64)
};

struct Step {
  std::int32_t left = -1;   // child step, -1: the empty state
  std::int32_t right = -1;  // second child of a join
  std::int32_t group = -1;  // decided group, -1: a join
  std::int32_t value_low = 0, value_high = -1;  // values worth trying
  std::int32_t check_begin = 0, check_end = 0;
  std::int32_t packed_begin = 0, packed_end = 0;
  std::int32_t pair_begin = 0, pair_end = 0;      // on the way forth, for states after the step
  std::int32_t behind_begin = 0, behind_end = 0;  // on the way back, for states before it
  bool is_join() const { return group < 0; }
};

struct Plan {
  Vector<Step> steps;  // children before parents; the last one is the root
  Vector<Check> checks;
  Vector<PackedCheck> packed;
  Vector<PairCheck> pairs;
  std::int32_t words = 1;     // machine words per state
  std::int32_t width = 0;     // most clues open at once
  double expected_nodes = 0;  // sum over steps of a bound on the table's size
  double expected_work = 0;   // arcs and join pairs looked at
  bool has_joins = false;
  bool both_ways = false;  // compile from both ends until they meet
};

// Of small numbers, which are asked for often; 0 of 0.
extern const std::array<double, 64> kLog2;

inline double log2_of(std::int64_t x) {
  return x < std::int64_t(kLog2.size()) ? kLog2[std::size_t(x)] : std::log2(double(x));
}

// The component with all contributions made non-negative and both directions indexed.
class Shape {
 public:
  explicit Shape(const Component& component);

  struct Use {
    std::int32_t clue;
    std::int64_t weight;
    std::int64_t amount;  // of the whole group
  };
  const Component& component() const { return *component_; }
  std::span<const Use> uses(std::int32_t group) const {
    return uses_[std::size_t(group)];
  }
  std::int64_t target(std::int32_t clue) const { return targets_[clue]; }
  std::int64_t most(std::int32_t clue) const { return most_[clue]; }
  // log2 of how many amounts a clue can have collected once `done` of its most are decided.
  double spread(std::int32_t clue, std::int64_t done) const {
    const std::int64_t target = targets_[clue], left = most_[clue] - done;
    const std::int64_t low = std::max<std::int64_t>(0, target - left);
    const std::int64_t high = std::min(target, done);
    // Without a branch: where nothing or all is decided there is one amount, or none.
    return log2_of(std::max<std::int64_t>(0, high - low + 1));
  }

 private:
  const Component* component_;
  Rows<Use> uses_;
  Vector<std::int64_t> targets_, most_;
};

// Costs only: steps and expected sizes, without bit fields.
Plan build_plan(const Shape& shape, const Vector<std::int32_t>& clue_order, Guard& guard);

// The same for a plan without joins that decides the groups in this order.
Plan build_group_plan(const Shape& shape, const Vector<std::int32_t>& group_order,
                      Guard& guard);

// The same for a plan with joins, written as a program: a new table that knows nothing becomes the
// table at hand, a group is decided in it (its number), or it is joined to the one before it.
constexpr std::int32_t kEmptyTable = -1, kJoinTables = -2;
Plan build_chain_plan(const Shape& shape, const Vector<std::int32_t>& program, Guard& guard);

}  // namespace sapper
