#include "diagram/one_path.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "diagram/build_diagram.hpp"
#include "diagram/state_layout.hpp"

namespace sapper {

namespace {

// Groups are single cells, in their order.
Part one_part(const Compiled& compiled, const Vector<std::int32_t>& order, Guard& guard) {
  Vector<std::int32_t> place(std::size_t(compiled.variables), -1);
  for (const Piece& piece : compiled.pieces)
    for (const std::int32_t v : piece.part.variables) place[v] = 0;
  Part result;
  for (const std::int32_t v : order) {
    if (place[v] < 0) continue;
    place[v] = std::int32_t(result.variables.size());
    result.variables.push_back(v);
    result.variable_offsets.push_back(std::int32_t(result.variables.size()));
  }
  Component& component = result.component;
  component.sizes.assign(result.variables.size(), 1);
  Vector<std::int32_t> places;
  for (const Piece& piece : compiled.pieces) {
    const Component& part = piece.part.component;
    for (std::int32_t c = 0; c < part.clues(); ++c) {
      places.clear();
      for (const Component::Entry& entry : part.clue(c))
        for (const std::int32_t v : piece.part.group(entry.group)) places.push_back(place[v]);
      std::ranges::sort(places);
      for (const std::int32_t p : places) component.entries.push_back({p, 1});
      component.clue_offsets.push_back(std::int32_t(component.entries.size()));
      component.counts.push_back(part.counts[c]);
      result.clue_ids.push_back(piece.part.clue_ids[c]);
      guard.tick(std::uint32_t(places.size()) + 1);
    }
  }
  return result;
}

}  // namespace

std::optional<Diagram> compile_within(const Shape& shape, Plan plan, std::uint64_t states, Guard& guard) {
  if (!lay_out(shape, plan, false, guard)) return {};
  Limits limits{.seconds = guard.limits().seconds, .nodes = guard.limits().nodes - guard.nodes()};
  limits.nodes = std::min(limits.nodes, states);
  Guard own(limits, [&](std::uint64_t) { guard.look(); }, guard.start());
  try {
    return compile(shape.component(), plan, own);
  } catch (const LimitHit& hit) {
    if (hit.kind != LimitKind::nodes) throw;
    return {};
  }
}

std::optional<Compiled> one_path(const Compiled& compiled, const Vector<std::int32_t>& order, std::uint64_t states,
                                 Guard& guard) {
  Piece piece;
  piece.part = one_part(compiled, order, guard);
  const Shape shape(piece.part.component);
  Vector<std::int32_t> groups(piece.part.variables.size());
  std::iota(groups.begin(), groups.end(), 0);
  auto diagram = compile_within(shape, build_group_plan(shape, groups, guard), states, guard);
  if (!diagram) return {};
  piece.diagram = std::make_shared<Diagram>(std::move(*diagram));
  Compiled result;
  result.variables = compiled.variables;
  result.has_total = compiled.has_total;
  result.total = compiled.total;
  result.values = compiled.values;
  result.free = compiled.free;
  result.forced_mines = compiled.forced_mines;
  result.pieces.push_back(std::move(piece));
  return result;
}

}  // namespace sapper
