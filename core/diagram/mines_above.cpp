#include "diagram/mines_above.hpp"

namespace sapper {

Vector<MineSpan> mines_above(const Diagram& diagram, Guard& guard) {
  Vector<MineSpan> above(diagram.nodes);
  const MineSpan root{0, 0};
  for (const Diagram::Level& level : diagram.levels) {
    const MineSpan* const from = level.left < 0 ? &root : above.data() + diagram.levels[level.left].first_node;
    MineSpan* const to = above.data() + level.first_node;
    const std::uint32_t* arc = diagram.arcs.data() + level.arc_begin;
    const std::uint32_t sources = diagram.nodes_of(level.left);
    for (std::uint32_t s = 0; s < sources; ++s)
      for (std::int32_t v = 0; v < level.values; ++v, ++arc)
        if (*arc != Diagram::kNone) to[*arc].add(from[s] + (level.value_low + v));
    guard.tick(std::uint32_t(level.arc_end - level.arc_begin) + 1);
  }
  return above;
}

}  // namespace sapper
