// The numbers of mines that can lie above the nodes of a diagram.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"

namespace sapper {

// At least so many mines and at most so many, not each number between; none where the least is more.
struct MineSpan {
  std::int64_t least = 0, most = -1;
  bool is_empty() const { return least > most; }
  std::size_t size() const { return is_empty() ? 0 : std::size_t(most - least) + 1; }
  void add(MineSpan other) {
    if (other.is_empty()) return;
    *this = is_empty() ? other : MineSpan{std::min(least, other.least), std::max(most, other.most)};
  }
  MineSpan operator+(std::int64_t mines) const { return {least + mines, most + mines}; }
  MineSpan operator&(MineSpan other) const { return {std::max(least, other.least), std::min(most, other.most)}; }
};

// By the number of the node: the least and the most mines from the root to it. Of the last one: of all solutions. Needs a
// diagram without joins.
Vector<MineSpan> mines_above(const Diagram& diagram, Guard& guard);

}  // namespace sapper
