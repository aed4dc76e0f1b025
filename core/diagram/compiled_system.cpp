#include "diagram/compiled_system.hpp"

#include "diagram/build_diagram.hpp"
#include "diagram/prepare.hpp"
#include "diagram/small_paths.hpp"

namespace sapper {

std::uint64_t Compiled::nodes() const {
  std::uint64_t n = 0;
  for (const Piece& p : pieces) n += p.diagram ? p.diagram->nodes : 0;
  return n;
}

Compiled compile_system(const System& system, const Options& options, Guard& guard, Cache* cache) {
  const std::uint64_t before = guard.bytes();
  if (cache) guard.take_bytes(cache->trim(Cache::share(guard)));
  Prepared prepared = prepare(system, options, guard, cache);
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
  for (std::size_t i = 0; result.consistent && i < result.pieces.size(); ++i) {
    Piece& piece = result.pieces[i];
    if (piece.diagram) {
      result.consistent = piece.diagram->consistent();
      continue;
    }
    const Component& component = piece.part.component;
    const Text content = cache ? component.content() : Text();
    // An equal component of the same board may have been compiled a moment ago.
    if (cache) piece.diagram = cache->find(content);
    if (!piece.diagram) {
      const Plan& plan = prepared.plans[i];
      piece.diagram = std::make_shared<Diagram>(
          options.path_only ? small_paths.compile(piece.part, plan)
                            : compile(component, plan, guard));
      if (cache) {
        cache->insert(content, piece.diagram);
        cache->trim(Cache::share(guard));
      }
    }
    prepared.plans[i] = Plan{};
    result.consistent = piece.diagram->consistent();
  }
  if (!result.consistent) result.pieces.clear();
  result.bytes = guard.bytes() - before;
  return std::move(result);
}

}  // namespace sapper
