#include "passes/cheapest.hpp"

#include <algorithm>
#include <span>

#include "passes/incoming.hpp"
#include "passes/under_total.hpp"

namespace sapper {

namespace {

using Number = Costs::Number;

// The cells of each group, cheapest first, and what the first 0, 1, 2, ... of them cost.
struct Ranked {
  Vector<Vector<std::int32_t>> cells;
  Vector<Vector<Number>> prefix;

  void add(std::span<const std::int32_t> group, const Vector<Number>& costs) {
    Vector<std::int32_t> order(group.begin(), group.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return costs[a] < costs[b]; });
    Vector<Number> sums{0};
    for (const std::int32_t v : order) sums.push_back(sums.back() + costs[v]);
    cells.push_back(std::move(order));
    prefix.push_back(std::move(sums));
  }
};

// Follows arcs whose costs add up to the least cost, from the root of a piece down.
class Tracer {
 public:
  Tracer(const Diagram& d, const Ranked& ranked, Vector<std::int32_t>& out)
      : d_(d), in_(d), ranked_(ranked), out_(out) {}

  // `cost(node, mines)` is the least cost to reach a node with so many mines (-1: any number).
  template <class Cost>
  void trace(std::int64_t mines, const MineRanges* ranges, Cost&& cost, Guard& guard) {
    const Costs a{&ranked_.prefix};
    struct Item {
      std::int32_t level;
      std::uint32_t node;
      std::int64_t mines;
    };
    Vector<Item> stack{{std::int32_t(d_.levels.size()) - 1, 0, mines}};
    while (!stack.empty()) {
      guard.tick();
      const Item item = stack.back();
      stack.pop_back();
      const auto& level = d_.levels[item.level];
      const std::uint64_t node = level.first_node + item.node;
      const Number goal = cost(node, item.mines);
      auto follow = [&](Incoming::Arc arc) {
        if (!level.is_join()) {
          const std::int64_t below = item.mines < 0 ? -1 : item.mines - std::int64_t(arc.b);
          if (item.mines >= 0 && (below < 0 || (level.left < 0 && below > 0))) return false;
          const Number own = a.weight(level.group, 0, std::int32_t(arc.b));
          const Number rest =
              level.left < 0 ? 0 : cost(d_.levels[level.left].first_node + arc.a, below);
          if (a.multiply(own, rest) != goal) return false;
          const auto& order = ranked_.cells[level.group];
          out_.insert(out_.end(), order.begin(), order.begin() + arc.b);
          if (level.left >= 0) stack.push_back({level.left, arc.a, below});
          return true;
        }
        const std::uint64_t l = d_.levels[level.left].first_node + arc.a;
        const std::uint64_t r = d_.levels[level.right].first_node + arc.b;
        const std::int64_t from = item.mines < 0 ? -1 : ranges->low[l];
        const std::int64_t to = item.mines < 0 ? -1 : ranges->high[l];
        for (std::int64_t m = from; m <= to; ++m) {
          const std::int64_t other = item.mines < 0 ? -1 : item.mines - m;
          if (item.mines >= 0 && other < 0) break;
          if (a.multiply(cost(l, m), cost(r, other)) != goal) continue;
          stack.push_back({level.right, arc.b, other});
          stack.push_back({level.left, arc.a, m});
          return true;
        }
        return false;
      };
      for (const Incoming::Arc arc : in_.arcs[node])
        if (follow(arc)) break;
    }
  }

 private:
  const Diagram& d_;
  Incoming in_;
  const Ranked& ranked_;
  Vector<std::int32_t>& out_;
};

}  // namespace

std::optional<Vector<std::int32_t>> cheapest(const Compiled& c,
                                                  const Vector<Number>& costs, Guard& guard) {
  if (!c.consistent) return std::nullopt;
  Vector<std::int32_t> out;
  for (std::int32_t v = 0; v < c.variables; ++v)
    if (c.values[v] == 1) out.push_back(v);
  Vector<Ranked> ranked(c.pieces.size() + 1);
  for (std::size_t i = 0; i < c.pieces.size(); ++i)
    for (std::int32_t g = 0; g < c.pieces[i].part.component.groups(); ++g)
      ranked[i].add(c.pieces[i].part.group(g), costs);
  Ranked& free = ranked.back();
  free.add(c.free, costs);

  if (!c.has_total) {
    for (std::size_t i = 0; i < c.pieces.size(); ++i) {
      const Diagram& d = *c.pieces[i].diagram;
      const auto up = upward(d, Costs{&ranked[i].prefix}, guard);
      Tracer(d, ranked[i], out)
          .trace(-1, nullptr, [&](std::uint64_t node, std::int64_t) { return up[node]; }, guard);
    }
    for (const std::int32_t v : c.free)
      if (costs[v] < 0) out.push_back(v);
    return out;
  }
  const UnderTotal<Costs> total(c, [&](std::size_t i) { return Costs{&ranked[i].prefix}; }, guard);
  if (total.whole() >= Costs::kNever) return std::nullopt;
  const Costs& a = total.algebra(c.pieces.size());
  const auto& tree = total.tree();
  auto cheapest_piece = [&](std::size_t i, std::size_t mines) {
    UnderTotal<Costs>::Table space;
    const auto& [ranges, up] = total.table(i, space, guard);
    auto cost = [&](std::uint64_t node, std::int64_t placed) {
      if (placed < ranges.low[node] || placed > ranges.high[node]) return Costs::kNever;
      return up[ranges.begin[node] + std::uint64_t(placed - ranges.low[node])];
    };
    Tracer(*c.pieces[i].diagram, ranked[i], out)
        .trace(total.least(i) + std::int64_t(mines), &ranges, cost, guard);
  };
  // The mines of all pieces, split in two until each piece knows its own.
  std::size_t x = 0;
  while (a.multiply(tree.product()[x], total.free(x)) != total.whole()) ++x;
  struct Item {
    std::size_t node, mines;
  };
  Vector<Item> stack;
  if (!c.pieces.empty()) stack.push_back({0, x});
  while (!stack.empty()) {
    const auto [node, mines] = stack.back();
    stack.pop_back();
    if (tree.is_leaf(node)) {
      cheapest_piece(tree.first(node), mines);
      continue;
    }
    const auto left = tree.of(tree.left(node)), right = tree.of(tree.right(node));
    guard.tick(std::uint32_t(left.size()));
    std::size_t y = mines - std::min(mines, right.size() - 1);
    while (a.multiply(left[y], right[mines - y]) != tree.of(node)[mines]) ++y;
    stack.push_back({tree.right(node), mines - y});
    stack.push_back({tree.left(node), y});
  }
  const auto left = total.left_for_free(x);
  out.insert(out.end(), free.cells[0].begin(), free.cells[0].begin() + left);
  return out;
}

}  // namespace sapper
