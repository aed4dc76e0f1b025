#include "diagram/sift.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

namespace sapper {

namespace {

// A reduced ZDD whose order can be changed by swapping neighbouring variables. Nodes stay where they
// are when their variable changes, so that their parents need not be told.
class Swapper {
 public:
  Swapper(const Zdd& zdd, Guard& guard)
      : guard_(&guard),
        // About a node a list.
        bits_(std::clamp(int(std::bit_width(zdd.nodes.size() / (zdd.order.size() + 1))), 1, 8)),
        heads_(zdd.order.size() << bits_, kNil),
        held_(zdd.order.size(), 0),
        variable_at_(zdd.order.size()) {
    nodes_.reserve(zdd.nodes.size() * 2);
    std::iota(variable_at_.begin(), variable_at_.end(), 0);
    for (const Zdd::Node& n : zdd.nodes) {
      nodes_.push_back({n.position, n.low, n.high, kNil, 0});
      refer(n.low);
      refer(n.high);
      link(std::int32_t(nodes_.size()) - 1);
    }
    refer(zdd.root);
    size_ = zdd.nodes.size();
  }

  std::size_t size() const { return size_; }
  std::size_t nodes_of(std::int32_t variable) const { return held_[variable]; }
  // Nodes have smaller numbers than this.
  std::size_t numbers() const { return nodes_.size(); }
  // What follows a node where a variable is 1 or 0, unless others before that one follow it.
  std::int32_t after(std::int32_t node, std::int32_t variable, bool one) const {
    if (!looks_at(node, variable)) return one ? Zdd::kBottom : node;
    return one ? nodes_[node].high : nodes_[node].low;
  }

  // Exchange the variables of a level and the next.
  void swap(std::size_t level) {
    const std::int32_t x = variable_at_[level], y = variable_at_[level + 1];
    std::swap(variable_at_[level], variable_at_[level + 1]);
    // Nodes of x that do not look at y stay as they are; the others become nodes of y.
    moving_.clear();
    for (std::size_t list = std::size_t(x) << bits_; list < std::size_t(x + 1) << bits_; ++list) {
      std::int32_t* at = &heads_[list];
      while (*at != kNil) {
        const Node& n = nodes_[*at];
        if (looks_at(n.low, y) || looks_at(n.high, y)) {
          moving_.push_back(*at);
          *at = n.next;
        } else {
          at = &nodes_[*at].next;
        }
      }
    }
    held_[x] -= moving_.size();
    guard_->tick(std::uint32_t(moving_.size()) + 1);
    for (const std::int32_t i : moving_) {
      const std::int32_t low = nodes_[i].low, high = nodes_[i].high;
      const bool low_y = looks_at(low, y), high_y = looks_at(high, y);
      const std::int32_t low_low = low_y ? nodes_[low].low : low;
      const std::int32_t low_high = low_y ? nodes_[low].high : Zdd::kBottom;
      const std::int32_t high_low = high_y ? nodes_[high].low : high;
      const std::int32_t high_high = high_y ? nodes_[high].high : Zdd::kBottom;
      const std::int32_t new_low = make(x, low_low, high_low);
      refer(new_low);
      const std::int32_t new_high = make(x, low_high, high_high);
      refer(new_high);
      nodes_[i].variable = y;
      nodes_[i].low = new_low;
      nodes_[i].high = new_high;
      link(i);
      drop(low);
      drop(high);
    }
  }

 private:
  static constexpr std::int32_t kNil = -1;
  struct Node {
    std::int32_t variable, low, high, next, uses;
  };

  bool looks_at(std::int32_t node, std::int32_t variable) const {
    return node >= 0 && nodes_[node].variable == variable;
  }
  void refer(std::int32_t node) {
    if (node >= 0) ++nodes_[node].uses;
  }
  std::int32_t& bucket(std::int32_t variable, std::int32_t low, std::int32_t high) {
    const std::uint32_t h = std::uint32_t(low) * 0x9E3779B1u ^ std::uint32_t(high) * 0x85EBCA77u;
    return heads_[(std::size_t(variable) << bits_) + (h >> (32 - bits_))];
  }
  void link(std::int32_t i) {
    Node& n = nodes_[i];
    std::int32_t& head = bucket(n.variable, n.low, n.high);
    n.next = head;
    head = i;
    ++held_[n.variable];
  }

  std::int32_t make(std::int32_t variable, std::int32_t low, std::int32_t high) {
    if (high == Zdd::kBottom) return low;
    for (std::int32_t i = bucket(variable, low, high); i != kNil; i = nodes_[i].next)
      if (nodes_[i].low == low && nodes_[i].high == high) return i;
    std::int32_t fresh = std::int32_t(nodes_.size());
    if (spare_.empty()) {
      nodes_.emplace_back();
    } else {
      fresh = spare_.back();
      spare_.pop_back();
    }
    nodes_[fresh] = {variable, low, high, kNil, 0};
    refer(low);
    refer(high);
    link(fresh);
    ++size_;
    return fresh;
  }

  // One parent less; a node without any goes.
  void drop(std::int32_t node) {
    if (node < 0 || --nodes_[node].uses > 0) return;
    const Node n = nodes_[node];
    std::int32_t* at = &bucket(n.variable, n.low, n.high);
    while (*at != node) at = &nodes_[*at].next;
    *at = n.next;
    --held_[n.variable];
    --size_;
    spare_.push_back(node);
    drop(n.low);
    drop(n.high);
  }

  Guard* guard_;
  Vector<Node> nodes_;
  int bits_;
  Vector<std::int32_t> heads_;  // of the lists of equal hash, for each variable
  Vector<std::size_t> held_;    // nodes of each variable
  Vector<std::int32_t> variable_at_;
  Vector<std::int32_t> spare_, moving_;
  std::size_t size_ = 0;
};

// Groups as blocks of neighbouring levels.
class Sifter {
 public:
  Sifter(const Diagram& diagram, const Zdd& zdd, std::size_t patience, Guard& guard)
      : before_(diagram), sizes_(diagram.sizes), root_(zdd.root), patience_(patience), guard_(guard),
        now_{Swapper(zdd, guard), {}, {}} {
    std::size_t level = 0;
    for (const auto& l : diagram.levels) {
      now_.order.push_back(l.group);
      now_.firsts.push_back(level);
      variables_.resize(std::max(variables_.size(), std::size_t(l.group) + 1));
      for (std::int32_t i = 0; i < sizes_[l.group]; ++i)
        variables_[l.group].push_back(std::int32_t(level++));
    }
  }

  // Every group once, those with most nodes first, to its best place.
  std::optional<Diagram> run() {
    Vector<std::int32_t> groups = now_.order;
    Vector<std::size_t> held(sizes_.size(), 0);
    for (const std::int32_t g : groups)
      for (const std::int32_t v : variables_[g]) held[g] += now_.zdd.nodes_of(v);
    std::ranges::stable_sort(groups, std::greater<>{}, [&](std::int32_t g) { return held[g]; });
    const std::size_t before = now_.zdd.size();
    for (const std::int32_t g : groups) place(g);
    if (now_.zdd.size() == before) return {};
    return diagram();
  }

 private:
  static constexpr std::size_t kSoonCopied = 500;

  void place(std::int32_t group) {
    std::size_t at = std::size_t(std::ranges::find(now_.order, group) - now_.order.begin());
    std::size_t best_at = at, best = now_.zdd.size();
    auto worth_going = [&] { return now_.zdd.size() <= best + patience_; };
    auto look = [&] {
      if (now_.zdd.size() < best) {
        best = now_.zdd.size();
        best_at = at;
      }
    };
    auto down = [&] {
      while (at + 1 < now_.order.size() && worth_going()) {
        exchange(at++);
        look();
      }
    };
    auto up = [&] {
      while (at > 0 && worth_going()) {
        exchange(--at);
        look();
      }
    };
    const std::size_t start = at;
    const bool copied = now_.zdd.numbers() <= kSoonCopied;
    if (copied) start_ = now_;
    // The shorter way first; back at the start the other way begins.
    const bool down_first = now_.order.size() - 1 - at < at;
    down_first ? down() : up();
    if (copied && at != start) {
      now_ = *start_;
      at = start;
    }
    while (at < start) exchange(at++);
    while (at > start) exchange(--at);
    down_first ? up() : down();
    const bool on_the_way = at > start ? best_at > start : best_at < start;
    if (copied && at != start && !on_the_way) {
      std::swap(now_, *start_);
      at = start;
    }
    while (at < best_at) exchange(at++);
    while (at > best_at) exchange(--at);
  }

  // Its nodes are those of the ZDD where groups begin, and what others pass by on the way.
  Diagram diagram() {
    Diagram result;
    result.sizes = sizes_;
    result.levels.resize(now_.order.size());
    for (const auto& level : before_.levels)
      result.levels[std::size_t(std::ranges::find(now_.order, level.group) - now_.order.begin())] = level;
    Vector<std::int32_t> here = {root_}, next;
    Vector<std::uint32_t> names(now_.zdd.numbers() + 2, Diagram::kNone);  // of the next level, the ends included
    for (std::size_t i = 0; i < result.levels.size(); ++i) {
      Diagram::Level& level = result.levels[i];
      level.left = std::int32_t(i) - 1;
      level.first_node = result.nodes;
      level.arc_begin = result.arcs.size();
      for (const std::int32_t node : here)
        for (std::int32_t value = level.value_low; value < level.value_low + level.values; ++value) {
          const std::int32_t to = after(node, level.group, value);
          std::uint32_t& name = names[std::size_t(to + 2)];
          if (to != Zdd::kBottom && name == Diagram::kNone) {
            name = std::uint32_t(next.size());
            next.push_back(to);
          }
          result.arcs.push_back(name);
        }
      level.arc_end = result.arcs.size();
      level.nodes = std::uint32_t(next.size());
      result.nodes += next.size();
      guard_.tick(std::uint32_t(level.arc_end - level.arc_begin) + 1);
      for (const std::int32_t node : next) names[std::size_t(node + 2)] = Diagram::kNone;
      here.swap(next);
      next.clear();
    }
    result.visited = result.nodes;
    return result;
  }

  // What follows a node with so many mines in a group; which of its cells they are does not matter.
  std::int32_t after(std::int32_t node, std::int32_t group, std::int32_t mines) const {
    for (const std::int32_t v : variables_[group]) node = now_.zdd.after(node, v, mines-- > 0);
    return node;
  }

  // Exchange the groups at a place and the next.
  void exchange(std::size_t at) {
    const std::size_t first = now_.firsts[at];
    const auto above = std::size_t(sizes_[now_.order[at]]), below = std::size_t(sizes_[now_.order[at + 1]]);
    for (std::size_t i = above; i-- > 0;)
      for (std::size_t j = 0; j < below; ++j) now_.zdd.swap(first + i + j);
    std::swap(now_.order[at], now_.order[at + 1]);
    now_.firsts[at + 1] = first + below;
  }

  const Diagram& before_;
  const Vector<std::int32_t>& sizes_;
  std::int32_t root_;
  std::size_t patience_;
  Guard& guard_;
  struct State {
    Swapper zdd;
    Vector<std::int32_t> order;  // groups from the root down
    Vector<std::size_t> firsts;  // level of the first cell of each
  };
  State now_;
  // Before a group was moved: while there are few nodes, sooner copied than made again by swaps.
  std::optional<State> start_;
  Vector<Vector<std::int32_t>> variables_;  // of each group
};

}  // namespace

std::optional<Diagram> sifted(const Diagram& diagram, const Zdd& zdd, std::size_t patience, Guard& guard) {
  return Sifter(diagram, zdd, patience, guard).run();
}

}  // namespace sapper
