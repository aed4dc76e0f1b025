#include "diagram/fewest_nodes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"

namespace sapper {

namespace {

// Random solutions are read off the diagram, and the nodes that each meets in the other order are counted once. A node
// there is a cell and what the clues have collected before it, where that cell can be a mine: two that differ in this
// are followed by different solutions, so that they are two nodes in the reduced ZDD as well.
class Counter {
 public:
  Counter(std::uint64_t nodes, const Component& component, const Diagram& diagram,
          const Vector<std::int32_t>& groups, double effort, Guard& guard)
      : nodes_(nodes), effort_(effort), diagram_(diagram), groups_(groups), guard_(guard) {
    // What the clues have collected is hashed as a sum of random words; those that are complete add the same to all.
    // What falls together by chance is one node less than there are: the bound still holds.
    adds_.assign(component.sizes.size(), 0);
    for (std::int32_t c = 0; c < component.clues(); ++c) {
      const std::uint64_t word = random_.word();
      for (const Component::Entry& entry : component.clue(c)) adds_[entry.group] += word * std::uint64_t(entry.weight);
    }
    for (const std::int32_t g : groups) {
      firsts_.push_back(cells_);
      cells_ += std::uint64_t(diagram.sizes[g]);
    }
    values_.assign(component.sizes.size(), 0);
    count_ways();
    for (std::uint32_t n = 0; n < diagram.levels[0].nodes; ++n) all_ += ways_[n];
    seen_.assign(std::bit_ceil(nodes + nodes / 2 + 2), 0);
    shift_ = 64 - std::countr_zero(seen_.size());
  }

  bool run() {
    const std::uint64_t most = kFirstWalks + std::uint64_t(effort_ * double(nodes_)) / cells_;
    std::uint64_t walks = 0, before = 0;
    for (std::uint64_t next = kFirstWalks; walks < most; next = std::min(2 * next, most)) {
      for (; walks < next; ++walks) {
        walk();
        if (meet()) return true;
      }
      // Twice the walks find at most so many times the nodes as they did the last time.
      const double growth = before == 0 ? 2 : double(found_) / double(before);
      const double doublings = std::log2(double(most) / double(walks));
      if (double(found_) * std::pow(growth, doublings) < double(nodes_)) return false;
      before = found_;
    }
    return false;
  }

 private:
  static constexpr std::uint64_t kFirstWalks = 8;  // before the first look at how it goes
  static constexpr std::size_t kLevels = 16;       // that one random number is enough for

  // Ways from each node to the end.
  void count_ways() {
    const auto& levels = diagram_.levels;
    ways_.assign(diagram_.nodes, 0);
    ways_.back() = 1;
    for (std::size_t i = levels.size(); --i > 0;) {
      const std::uint32_t* arc = diagram_.arcs.data() + levels[i].arc_begin;
      const double* const next = ways_.data() + levels[i].first_node;
      double* const here = ways_.data() + levels[i - 1].first_node;
      for (std::uint32_t n = 0; n < levels[i - 1].nodes; ++n)
        for (std::int32_t v = 0; v < levels[i].values; ++v, ++arc)
          if (*arc != Diagram::kNone) here[n] += next[*arc];
      guard_.tick(levels[i - 1].nodes);
    }
  }

  // A random way through the diagram, all alike: what is typical has most nodes. It need not be exact.
  void walk() {
    std::uint32_t node = 0;
    double at = 0;
    const double* ways = nullptr;
    for (std::size_t i = 0; i < diagram_.levels.size(); ++i) {
      const Diagram::Level& level = diagram_.levels[i];
      const std::uint64_t first = level.arc_begin + std::uint64_t(node) * std::uint64_t(level.values);
      const std::uint32_t* const arcs = diagram_.arcs.data() + first;
      if (i % kLevels == 0) at = random_() * (i == 0 ? all_ : ways[node]);
      ways = ways_.data() + level.first_node;
      std::int32_t chosen = -1;
      for (std::int32_t v = 0; v < level.values; ++v) {
        if (arcs[v] == Diagram::kNone) continue;
        chosen = v;
        if (at < ways[arcs[v]]) break;
        at -= ways[arcs[v]];
      }
      node = arcs[chosen];
      values_[level.group] = level.value_low + chosen;
    }
    guard_.tick(std::uint32_t(diagram_.levels.size()));
  }

  // Counts the nodes of that solution in the other order; true: there are enough.
  bool meet() {
    std::uint64_t state = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const std::int32_t g = groups_[i], value = values_[g], size = diagram_.sizes[g];
      if (value == 0) continue;
      if (size == 1) {
        count(state, firsts_[i]);
        state += adds_[g];
        continue;
      }
      // Its mines may be any of its cells: at each there may have been more or fewer before it.
      for (std::int32_t cell = 0; cell < size && found_ < nodes_; guard_.tick(std::uint32_t(value)), ++cell)
        for (std::int32_t mines = std::max(0, value - (size - cell)); mines <= std::min(cell, value - 1); ++mines)
          count(state + std::uint64_t(mines) * adds_[g], firsts_[i] + std::uint64_t(cell));
      state += std::uint64_t(value) * adds_[g];
    }
    guard_.tick(std::uint32_t(cells_));
    return found_ == nodes_;
  }

  void count(std::uint64_t state, std::uint64_t cell) {
    if (found_ == nodes_) return;  // the table has room for no more
    const std::uint64_t mix = (state ^ (cell + 1) * Jitter::kStep) * 0xD6E8FEB86659FD93ull;
    const auto name = std::uint32_t(mix) | 1;
    std::size_t at = mix >> shift_;
    while (seen_[at] != 0 && seen_[at] != name) at = (at + 1) & (seen_.size() - 1);
    found_ += seen_[at] == 0;
    seen_[at] = name;
  }

  std::uint64_t nodes_;
  double effort_;
  const Diagram& diagram_;
  const Vector<std::int32_t>& groups_;
  Guard& guard_;
  Jitter random_{0};
  Vector<std::uint64_t> adds_;    // of each group, for a mine in it
  Vector<std::uint64_t> firsts_;  // cells before each group in the order
  std::uint64_t cells_ = 0;
  Vector<double> ways_;          // from each node to the end,
  double all_ = 0;               // and from the root
  Vector<std::int32_t> values_;  // of the groups in the solution at hand
  Vector<std::uint32_t> seen_;   // nodes, open addressing; 0: none
  int shift_ = 0;
  std::uint64_t found_ = 0;
};

}  // namespace

bool surely_has_nodes(std::uint64_t nodes, const Component& component, const Diagram& diagram,
                      const Vector<std::int32_t>& groups, double effort, Guard& guard) {
  return Counter(nodes, component, diagram, groups, effort, guard).run();
}

std::uint64_t most_nodes(const Diagram& diagram, Guard& guard) {
  std::uint64_t nodes = 0;
  for (const Diagram::Level& level : diagram.levels) {
    const std::int32_t size = diagram.sizes[level.group], values = level.values;
    const std::uint32_t* const end = diagram.arcs.data() + level.arc_end;
    for (const std::uint32_t* arcs = diagram.arcs.data() + level.arc_begin; arcs != end; arcs += values) {
      const auto leads = [&](std::int32_t mines) {
        const std::int32_t v = mines - level.value_low;
        return v >= 0 && v < values && arcs[v] != Diagram::kNone;
      };
      if (size == 1) {
        nodes += leads(1);
        continue;
      }
      // At each cell of the group, by the mines before it: can it be one, with any number of those after it?
      for (std::int32_t cell = 0; cell < size; guard.tick(std::uint32_t(cell)), ++cell)
        for (std::int32_t mines = 0, all = 1; mines <= cell; ++mines) {
          all = std::max(all, mines + 1);
          while (all <= size && !leads(all)) ++all;
          nodes += all <= mines + size - cell;
        }
    }
    guard.tick(std::uint32_t(level.arc_end - level.arc_begin) + 1);
  }
  return nodes;
}

}  // namespace sapper
