#include "methods/forest.hpp"

#include <algorithm>
#include <cstddef>

namespace sapper {

namespace {

// Walks from both ends of an edge that closes a cycle up to where they meet.
Vector<std::int32_t> cycle_through(const Forest& forest, std::int32_t one, std::int32_t two) {
  Vector<std::int32_t> left{one}, right{two};
  // A parent stands before its children, so the later of the two places is never an ancestor.
  while (left.back() != right.back()) {
    auto& later = left.back() > right.back() ? left : right;
    later.push_back(forest.parent[later.back()]);
  }
  left.insert(left.end(), right.rbegin() + 1, right.rend());
  for (auto& place : left) place = forest.order[place];
  return left;
}

// What a vertex knows of its subtree, or of everything, while messages come in.
//
// For a cell: how many messages rule out that it is free (`low`) and that it is mined (`high`).
// For a number: how many covered neighbours must be mined (`low`) and can be (`high`).
struct Knowledge {
  std::int32_t low = 0;
  std::int32_t high = 0;
  std::int32_t dead = 0;  // messages that nothing satisfies
};

// A pair of truths: the first for "free", the second for "mined".
struct Pair {
  bool free = true;
  bool mined = true;
  bool any() const { return free || mined; }
};

// One sweep over a labelled forest.
class Sweep {
 public:
  Sweep(const Forest& forest, std::span<const std::int32_t> labels)
      : forest_(forest), known_(forest.order.size()), up_(forest.order.size()) {
    label_.reserve(forest.order.size());
    for (const std::int32_t vertex : forest.order) label_.push_back(labels[vertex]);
  }

  // Sends all messages upward; false if some tree has no legal assignment.
  bool upward() {
    for (auto v = std::ptrdiff_t(label_.size()) - 1; v >= 0; --v) {
      up_[v] = message(v, known_[v]);
      const std::int32_t parent = forest_.parent[v];
      if (parent >= 0)
        hear(parent, v, up_[v], 1);
      else if (is_number(v) ? !up_[v].free : !up_[v].any())
        return false;
    }
    return true;
  }

  // After `upward`: sends all messages downward and returns what every place can be.
  Vector<std::uint8_t> downward() {
    Vector<std::uint8_t> possible(label_.size());
    // To a root, the outside is a known free vertex.
    for (std::size_t v = 0; v < label_.size(); ++v) {
      const std::int32_t parent = forest_.parent[v];
      if (parent >= 0) {
        Knowledge rest = known_[parent];
        hear(rest, parent, v, up_[v], -1);
        // A cell hears whether it can be free or mined; a number hears whether its parent can.
        // Between two cells, and between two numbers, only whether the outside is possible.
        Pair down = message(parent, rest);
        if (is_number(parent) && is_number(v)) down = {down.free, false};
        if (!is_number(parent) && !is_number(v)) down = {down.any(), down.any()};
        listen(v, parent, down);
      }
      const Pair all = message(v, known_[v]);
      possible[v] = is_number(v) ? 1 : std::uint8_t((all.free ? 1 : 0) | (all.mined ? 2 : 0));
    }
    return possible;
  }

 private:
  bool is_number(std::ptrdiff_t v) const { return label_[v] >= 0; }

  // For a cell: can it be free, mined? For a number: can it hold with no further mine, with one?
  Pair message(std::ptrdiff_t v, const Knowledge& known) const {
    const std::int32_t label = label_[v];
    if (label == kCovered) return {known.low == 0, known.high == 0};
    if (label == kMine) return {false, known.high == 0};
    if (label == kFree) return {known.low == 0, false};
    if (known.dead > 0) return {false, false};
    // Covered neighbours are independent, so every sum from `low` to `high` is reached.
    return {known.low <= label && label <= known.high,
            known.low <= label - 1 && label - 1 <= known.high};
  }

  void hear(std::ptrdiff_t parent, std::ptrdiff_t child, Pair pair, std::int32_t sign) {
    hear(known_[parent], parent, child, pair, sign);
  }

  // Adds (sign 1) or takes back (sign -1) what `child` says to `parent`.
  void hear(Knowledge& known, std::ptrdiff_t parent, std::ptrdiff_t child, Pair pair,
            std::int32_t sign) const {
    if (is_number(parent)) {
      if (is_number(child)) {
        if (!pair.free) known.dead += sign;
      } else if (!pair.any()) {
        known.dead += sign;
      } else {
        if (!pair.free) known.low += sign;
        if (pair.mined) known.high += sign;
      }
    } else {
      if (!is_number(child)) pair.free = pair.mined = pair.any();
      if (!pair.free) known.low += sign;
      if (!pair.mined) known.high += sign;
    }
  }

  // What the parent says; from then on `known_[v]` is about the whole tree.
  void listen(std::ptrdiff_t v, std::ptrdiff_t parent, Pair pair) {
    hear(known_[v], v, parent, pair, 1);
  }

  const Forest& forest_;
  Vector<std::int32_t> label_;
  Vector<Knowledge> known_;
  Vector<Pair> up_;
};

}  // namespace

Forest Forest::of(const Adjacency& field) {
  const std::int32_t n = field.cells();
  Forest made;
  made.order.reserve(n);
  made.parent.reserve(n);
  Vector<std::int32_t> place(n, -1);
  for (std::int32_t root = 0; root < n; ++root) {
    if (place[root] >= 0) continue;
    place[root] = std::int32_t(made.order.size());
    made.order.push_back(root);
    made.parent.push_back(-1);
    for (std::size_t v = std::size_t(place[root]); v < made.order.size(); ++v) {
      const std::int32_t above = made.parent[v];
      for (const std::int32_t next : field.of(made.order[v])) {
        if (place[next] < 0) {
          place[next] = std::int32_t(made.order.size());
          made.order.push_back(next);
          made.parent.push_back(std::int32_t(v));
        } else if (place[next] != above) {
          made.cycle = cycle_through(made, std::int32_t(v), place[next]);
          return made;
        }
      }
    }
  }
  return made;
}

bool Forest::is_consistent(std::span<const std::int32_t> labels) const {
  return Sweep(*this, labels).upward();
}

Vector<std::uint8_t> Forest::possible(std::span<const std::int32_t> labels) const {
  Sweep sweep(*this, labels);
  Vector<std::uint8_t> made(order.size(), 0);
  if (!sweep.upward()) return made;
  const auto by_place = sweep.downward();
  for (std::size_t v = 0; v < order.size(); ++v) made[order[v]] = by_place[v];
  return made;
}

}  // namespace sapper
