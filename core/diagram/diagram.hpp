// The compiled diagram of one component: all its solutions, shared.
//
// One level per step of the plan. The nodes of a level are its reachable states that can still be
// completed, numbered from 0. A choice level has one arc per node of its child and value of its
// group; a join level lists triples (left node, right node, node). The root level has one node
// (or none, if the component has no solution). Every arc that is there lies on some solution, so
// verdicts can be read off without any arithmetic.
#pragma once

#include <cstdint>
#include <memory>

#include "base/limits.hpp"
#include "diagram/plan.hpp"
#include "system/component.hpp"

namespace sapper {

struct Diagram {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  struct Level {
    std::int32_t left, right, group;
    std::int32_t value_low, values;  // values value_low .. value_low + values - 1
    std::uint32_t nodes;
    std::uint64_t first_node;  // nodes are numbered through all levels
    std::uint64_t arc_begin, arc_end;
    static constexpr std::int32_t kJoin = -1, kStart = -2;  // instead of a group
    bool is_join() const { return group == kJoin; }
    // Nodes that no arc leads to, each worth one (passes/regions.hpp).
    bool is_start() const { return group == kStart; }
  };

  Vector<Level> levels;
  Vector<std::uint32_t> arcs;
  Vector<std::int32_t> sizes;  // of the groups
  std::uint64_t nodes = 0;
  std::uint64_t visited = 0;  // states made before sweeping
  bool has_joins = false;

  bool consistent() const { return !levels.empty() && levels.back().nodes > 0; }
  std::uint32_t nodes_of(std::int32_t level) const {
    return level < 0 ? 1 : levels[level].nodes;
  }
  std::uint64_t bytes() const {
    return sizeof(Diagram) + 4 * kBlock + levels.capacity() * sizeof(Level) +
           (arcs.capacity() + sizes.capacity()) * sizeof(std::uint32_t);
  }
};

}  // namespace sapper
