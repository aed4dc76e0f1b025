#include "diagram/compiled_system.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>

#include "diagram/build_diagram.hpp"
#include "diagram/prepare.hpp"
#include "diagram/small_paths.hpp"

namespace sapper {

std::uint64_t Compiled::nodes() const {
  std::uint64_t n = 0;
  for (const Piece& p : pieces) n += p.diagram ? p.diagram->nodes : 0;
  return n;
}

namespace {

Compiled compiled(const System& system, const Options& options, unsigned threads, Guard& guard, Cache* cache) {
  const std::uint64_t before = guard.bytes();
  if (cache) guard.take_bytes(cache->trim(Cache::share(guard)));
  Crew crew(threads);
  Prepared prepared = prepare(system, options, crew, guard, cache);
  Compiled& result = prepared.result;
  double expected = 0;
  for (const Plan& plan : prepared.plans) {
    expected += plan.expected_nodes;
    if (plan.words == 0)
      throw LimitHit(LimitKind::estimate, options.most_expected, plan.expected_nodes);
  }
  if (expected > options.most_expected)
    throw LimitHit(LimitKind::estimate, options.most_expected, expected);
  SmallPaths small_paths(system, options, guard);
  std::atomic<bool> consistent = result.consistent;
  const auto build = [&](std::size_t i, Guard& own) {
    Piece& piece = result.pieces[i];
    if (!consistent) return;
    if (!piece.diagram) {
      const Component& component = piece.part.component;
      const Text content = cache ? component.content() : Text();
      // An equal component of the same board may have been compiled a moment ago.
      if (cache) piece.diagram = cache->find(content);
      if (!piece.diagram) {
        const Plan& plan = prepared.plans[i];
        piece.diagram = std::make_shared<Diagram>(
            options.path_only ? small_paths.compile(piece.part, plan)
                              : compile(component, plan, own));
        if (cache) {
          cache->insert(content, piece.diagram);
          cache->trim(Cache::share(guard));
        }
      }
      prepared.plans[i] = Plan{};
    }
    if (!piece.diagram->consistent()) consistent = false;
  };
  if (threads == 1 || options.path_only) {
    for (std::size_t i = 0; i < result.pieces.size(); ++i) build(i, guard);
  } else {
    // What takes longest comes first.
    Vector<std::size_t> order(result.pieces.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::sort(order, std::greater(), [&](std::size_t i) { return prepared.plans[i].expected_work; });
    crew.spread(order.size(), guard, [&](std::size_t i, Guard& own) { build(order[i], own); });
  }
  result.consistent = consistent;
  if (!result.consistent) result.pieces.clear();
  if (options.path_only && result.has_total && !result.pieces.empty()) result.other_order = small_paths.edge_order(result);
  result.bytes = guard.bytes() - before;
  return std::move(result);
}

}  // namespace

Compiled compile_system(const System& system, const Options& options, Guard& guard, Cache* cache) {
  if (options.threads < 2 || system.clues() < options.few_clues)
    return compiled(system, options, 1, guard, cache);
  const std::uint64_t nodes = guard.nodes();
  try {
    Lease lease(guard);
    Compiled result = compiled(system, options, options.threads, guard, cache);
    lease.keep();
    return result;
  } catch (const LimitHit& hit) {
    // What several threads need more than one is no reason to give up.
    if (hit.kind != LimitKind::nodes && hit.kind != LimitKind::bytes) throw;
  }
  guard.forget_nodes(guard.nodes() - nodes);
  return compiled(system, options, 1, guard, cache);
}

}  // namespace sapper
