// Diagrams that are to become ZDDs, in orders that keep those small.
#pragma once

#include <algorithm>
#include <optional>

#include "base/memory.hpp"
#include "diagram/build_diagram.hpp"
#include "diagram/compiled_system.hpp"
#include "diagram/edge_order.hpp"
#include "diagram/sift.hpp"
#include "diagram/state_layout.hpp"
#include "diagram/zdd.hpp"

namespace sapper {

// Estimates rank orders by the work, not by what is left after reduction. So a second order
// competes, that of a search over edges, and small diagrams are sifted into a better one. Where clues
// are few, little is forced and the order is all there is: larger ones are sifted too.
class SmallPaths {
 public:
  SmallPaths(const System& system, const Options& options, Guard& guard)
      : system_(system),
        improve_(options.order == OrderKind::automatic),
        few_clues_(system.clues() * 3 <= system.variables),
        guard_(guard) {}

  Diagram compile(const Part& part, const Plan& plan) {
    const Shape shape(part.component);
    Diagram best = sapper::compile(shape.component(), plan, guard_);
    // What a failed attempt gives back is not always what the next step can use: where memory is
    // scarce, only small diagrams are made twice.
    const bool has_room = guard_.most_bytes() >= kRoomy || best.nodes <= (few_clues_ ? 50'000 : 1'000);
    if (!improve_ || !best.consistent() || !has_room) return best;
    const std::uint64_t nodes = guard_.nodes();
    try {
      improve(part, shape, plan.expected_work, best);
    } catch (const LimitHit& hit) {
      // There is a diagram; that no better one fits is no reason to give up.
      if (hit.kind != LimitKind::nodes && hit.kind != LimitKind::bytes) throw;
    }
    guard_.forget_nodes(guard_.nodes() - nodes);
    return best;
  }

 private:
  static constexpr std::uint64_t kRoomy = std::uint64_t(1) << 30;  // bytes
  static constexpr std::int32_t kTries = 32;      // as many as the methods make that search so
  static constexpr std::size_t kLeastNodes = 16;  // that are worth another order
  static constexpr double kMostWork = 2e6;        // that it may cost, or some times the first one

  void improve(const Part& part, const Shape& shape, double work, Diagram& best) {
    Zdd zdd = build_zdd(best, guard_);
    has_split_groups_ = false;
    const double most_work = std::max(kMostWork, 8 * work);
    if (zdd.nodes.size() > kLeastNodes)
      if (auto other = along(shape, groups_along_edges(part), most_work)) {
        Zdd other_zdd = build_zdd(*other, guard_);
        if (other_zdd.nodes.size() < zdd.nodes.size()) {
          best = std::move(*other);
          zdd = std::move(other_zdd);
        }
      }
    const std::size_t most = (few_clues_ ? 200'000 : 5'000) * (has_split_groups_ ? 10 : 1);
    if (zdd.nodes.size() * zdd.order.size() > most) return;
    if (auto sifted = along(shape, sifted_groups(best, zdd, guard_), kMostWork))
      best = std::move(*sifted);
  }

  std::optional<Diagram> along(const Shape& shape, const Vector<std::int32_t>& groups,
                               double most_work) {
    if (groups.empty()) return {};
    Plan plan = build_group_plan(shape, groups, guard_);
    if (plan.expected_work > most_work || !lay_out(shape, plan, false, guard_)) return {};
    return sapper::compile(shape.component(), plan, guard_);
  }

  // The groups of a part in the order in which a search over edges would meet them on the whole
  // system: forced cells lead it to orders that are missed without them. Nothing for weighted
  // clues, and for boards so large that it would take longer than compiling.
  Vector<std::int32_t> groups_along_edges(const Part& part) {
    if (!system_.weights.empty() || system_.clues() > 4000) return {};
    if (ranks_.empty()) rank_variables();
    Vector<std::int32_t> first(part.component.groups()), order(first.size());
    for (std::int32_t g = 0; g < part.component.groups(); ++g) {
      order[g] = g;
      first[g] = ranks_[part.group(g).front()];
      std::int32_t last = first[g];
      for (const std::int32_t v : part.group(g)) {
        first[g] = std::min(first[g], ranks_[v]);
        last = std::max(last, ranks_[v]);
      }
      has_split_groups_ = has_split_groups_ || last - first[g] >= part.component.sizes[g];
    }
    std::ranges::sort(order, {}, [&](std::int32_t g) { return first[g]; });
    return order;
  }

  void rank_variables() {
    const auto met =
        frontier_order(system_.variables, system_.offsets, system_.cells, system_.counts,
                       kTries, guard_);
    ranks_.assign(system_.variables, 0);
    for (std::size_t i = 0; i < met.size(); ++i) ranks_[met[i]] = std::int32_t(i);
  }

  const System& system_;
  bool improve_, few_clues_;
  // Does that search, which knows no groups, put others between cells of one? Then its diagram can be a
  // little smaller than ours in the same order, and sifting has to make up for it.
  bool has_split_groups_ = false;
  Guard& guard_;
  Vector<std::int32_t> ranks_;  // of the variables, in the order of that search
};

}  // namespace sapper
