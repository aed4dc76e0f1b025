// Diagrams that are to become ZDDs, in orders that keep those small.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "base/memory.hpp"
#include "diagram/build_diagram.hpp"
#include "diagram/compiled_system.hpp"
#include "diagram/edge_order.hpp"
#include "diagram/fewest_nodes.hpp"
#include "diagram/mines_above.hpp"
#include "diagram/one_path.hpp"
#include "diagram/sift.hpp"
#include "diagram/state_layout.hpp"
#include "diagram/zdd.hpp"

namespace sapper {

// Estimates rank orders by the work, not by what is left after reduction. So small diagrams are sifted
// into a better order, and with those that are large for their system a second order competes, that of a
// search over edges. Where clues are few, little is forced and the order is all there is: then both is done for most.
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
    if_it_fits([&] { improve(part, shape, plan, best); });
    return best;
  }

  // Under a total pieces may be better off between each other, as that search has them: its order of all variables.
  // Nothing where it would take too long to find. Where the total is next to the least or most that the clues allow,
  // little is left of the diagrams, and orders that were good for them say little.
  Vector<std::int32_t> edge_order(const Compiled& compiled) {
    Vector<std::int32_t> order;
    if_it_fits([&] {
      const bool competes =
          is_found_quickly() || double(compiled.nodes()) > least_nodes() || mines_to_spare(compiled) <= kFewMines;
      if (improve_ && competes && find_edge_order()) order = met_;
    });
    return order;
  }

 private:
  static constexpr std::uint64_t kRoomy = std::uint64_t(1) << 30;  // bytes
  static constexpr std::int32_t kMostClues = 4000;  // that an order is found for before others are compiled
  static constexpr std::int32_t kTries = 32;      // as many as the methods make that search so
  // Nodes that are worth another order: where it is found quickly, and elsewhere so many for each clue, for it takes
  // the longer to find the more there are, but no more than this.
  static constexpr double kLeastNodes = 12, kNodesByClue = 2.5, kManyNodes = 700;
  static constexpr std::int32_t kSmallSystem = 80;  // clues or variables at most
  static constexpr std::int64_t kFewMines = 1;  // between the total and the least or most that can be
  // Another order is left when it takes so many times the states of the first one, the more the fewer clues there are:
  // of 920 that had the smaller ZDD, grids from 25 x 25 on took up to 2.1 times as many, of 20 x 20 3.0, graphs with 84
  // clues 4.0, boxes with 10 to 22 up to 9. No estimate tells that: one of these was expected to take 86 times as many.
  static constexpr double kMoreStates = 2.2, kMostStates = 10, kStatesByClue = 400;
  // That any order may take; the latter where it is found quickly.
  static constexpr double kFewStates = 4e3, kSomeStates = 1e4;
  static constexpr double kMoreNodes = 1.5;      // with so many times its nodes hardly any has a smaller ZDD
  // Where so many times the nodes are expected, a few solutions mostly tell that it has the larger ZDD.
  static constexpr double kMoreExpected = 1.4, kEffort = 2, kMostEffort = 16;
  static constexpr std::uint64_t kFewNodes = 2'000;
  // Nodes that sifting may add on its way to fewer; more where nothing else is tried.
  static constexpr std::size_t kPatience = 3, kPatienceAlone = 12;
  static constexpr std::size_t kFewerInZdd = 4;  // times, hardly ever, than in the diagram

  // There are diagrams already; that no better one fits is no reason to give up.
  template <class F>
  void if_it_fits(F&& f) {
    const std::uint64_t nodes = guard_.nodes();
    try {
      f();
    } catch (const LimitHit& hit) {
      if (hit.kind != LimitKind::nodes && hit.kind != LimitKind::bytes) throw;
    }
    guard_.forget_nodes(guard_.nodes() - nodes);
  }

  bool is_found_quickly() const {
    return few_clues_ || std::min(system_.clues(), system_.variables) <= kSmallSystem;
  }
  // Small diagrams of large systems are sifted more quickly than that order is found.
  double least_nodes() const {
    return is_found_quickly() ? kLeastNodes : std::min(kManyNodes, kNodesByClue * system_.clues());
  }

  std::int64_t mines_to_spare(const Compiled& compiled) {
    MineSpan mines{compiled.forced_mines, compiled.forced_mines + std::int64_t(compiled.free.size())};
    for (const Piece& piece : compiled.pieces) {
      const MineSpan own = mines_above(*piece.diagram, guard_).back();
      mines = {mines.least + own.least, mines.most + own.most};
    }
    const std::int64_t spare = std::min(compiled.total - mines.least, mines.most - compiled.total);
    return spare < 0 ? std::numeric_limits<std::int64_t>::max() : spare;  // without a solution no order matters
  }

  void improve(const Part& part, const Shape& shape, const Plan& plan, Diagram& best) {
    has_split_groups_ = false;
    std::optional<Zdd> zdd;
    const bool quick = is_found_quickly();
    const bool competes = double(best.nodes) > least_nodes();
    if (competes) {
      const double more = std::clamp(kStatesByClue / system_.clues(), kMoreStates, kMostStates);
      const double states = std::max(quick ? kSomeStates : kFewStates, more * double(best.visited));
      auto other = competitor(part, shape, plan, best, states, zdd);
      if (other && (quick || double(other->nodes) < kMoreNodes * double(best.nodes))) {
        if (!zdd) zdd = build_zdd(best, guard_);
        Zdd other_zdd = build_zdd(*other, guard_);
        if (other_zdd.nodes.size() < zdd->nodes.size()) {
          best = std::move(*other);
          zdd = std::move(other_zdd);
        }
      }
    }
    const bool enough = competes && (quick || double(best.nodes) > kManyNodes);
    const std::size_t most = (few_clues_ ? 200'000 : enough ? 5'000 : 100'000) * (has_split_groups_ ? 10 : 1);
    const auto order = std::size_t(std::reduce(best.sizes.begin(), best.sizes.end()));
    if (best.nodes * order > kFewerInZdd * most) return;
    if (!zdd) zdd = build_zdd(best, guard_);
    if (zdd->nodes.size() * zdd->order.size() > most) return;
    if (auto better = sifted(best, *zdd, competes ? kPatience : kPatienceAlone, guard_)) best = std::move(*better);
  }

  // The diagram in the order of a search over edges, unless it takes more states or is known to have the larger ZDD.
  std::optional<Diagram> competitor(const Part& part, const Shape& shape, const Plan& plan, const Diagram& best,
                                    double states, std::optional<Zdd>& zdd) {
    const Vector<std::int32_t> groups = groups_along_edges(part);
    if (groups.empty()) return {};
    Plan other = build_group_plan(shape, groups, guard_);
    const double more = other.expected_nodes / plan.expected_nodes;
    if (more > kMoreExpected) {
      // Large ones are not built for that: they are not sifted either.
      if (best.nodes <= kFewNodes) zdd = build_zdd(best, guard_);
      const std::uint64_t nodes = zdd ? zdd->nodes.size() : most_nodes(best, guard_);
      const double effort = std::min(kMostEffort, kEffort * more);
      if (surely_has_nodes(nodes, part.component, best, groups, effort, guard_)) return {};
    }
    return compile_within(shape, std::move(other), std::uint64_t(states), guard_);
  }

  // The groups of a part in the order in which a search over edges would meet them on the whole
  // system: forced cells lead it to orders that are missed without them. Nothing for weighted
  // clues, and for boards so large that it would take longer than compiling.
  Vector<std::int32_t> groups_along_edges(const Part& part) {
    if (!find_edge_order()) return {};
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

  bool find_edge_order() {
    if (!system_.weights.empty() || system_.clues() > kMostClues) return false;
    if (!ranks_.empty()) return true;
    met_ = frontier_order(system_.variables, system_.offsets, system_.cells, system_.counts, kTries, guard_);
    ranks_.assign(system_.variables, 0);
    for (std::size_t i = 0; i < met_.size(); ++i) ranks_[met_[i]] = std::int32_t(i);
    return true;
  }

  const System& system_;
  bool improve_, few_clues_;
  // Does that search, which knows no groups, put others between cells of one? Then its diagram can be a
  // little smaller than ours in the same order, and sifting has to make up for it.
  bool has_split_groups_ = false;
  Guard& guard_;
  Vector<std::int32_t> met_, ranks_;  // the variables in the order of that search, and their places in it
};

}  // namespace sapper
