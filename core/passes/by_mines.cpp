#include "passes/by_mines.hpp"

#include <algorithm>
#include <limits>

namespace sapper {

MineRanges::MineRanges(const Diagram& d)
    : low(d.nodes, std::numeric_limits<std::int32_t>::max()), high(d.nodes, -1), begin(d.nodes) {
  for (const auto& level : d.levels) {
    auto widen = [&](std::uint64_t node, std::int32_t least, std::int32_t most) {
      low[node] = std::min(low[node], least);
      high[node] = std::max(high[node], most);
    };
    if (level.is_start()) {
      for (std::uint64_t n = level.first_node; n < level.first_node + level.nodes; ++n) low[n] = high[n] = 0;
    } else if (level.is_join()) {
      const std::uint64_t l0 = d.levels[level.left].first_node, r0 = d.levels[level.right].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        widen(level.first_node + n, low[l0 + l] + low[r0 + r], high[l0 + l] + high[r0 + r]);
      });
    } else {
      const std::int32_t none = 0;
      const bool first = level.left < 0;
      const std::int32_t* least = first ? &none : low.data() + d.levels[level.left].first_node;
      const std::int32_t* most = first ? &none : high.data() + d.levels[level.left].first_node;
      for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
        const std::int32_t mines = level.value_low + v;
        widen(level.first_node + n, least[s] + mines, most[s] + mines);
      });
    }
  }
  for (std::uint64_t n = 0; n < d.nodes; ++n) {
    begin[n] = entries;
    entries += std::uint64_t(high[n] - low[n] + 1);
  }
}

}  // namespace sapper
