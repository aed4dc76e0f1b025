// Forests: what is certain on a field without cycles, in linear time (Golan, Theorem 2.1).
//
// A vertex is reached from its parent by one edge, so all it has to tell the parent is a pair of
// truths. A cell says whether its subtree can be right with the cell free, and with it mined. A
// number says whether its subtree can be right with the parent free, and with it mined. The same
// pairs sent downward, each parent leaving out the child it speaks to, tell what the rest of the
// tree allows: every verdict comes from one sweep up and one sweep down.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "system/system.hpp"

namespace sapper {

// The vertices of a forest in breadth-first order, each tree after the other. The children of a
// vertex stand next to each other, and behind it.
struct Forest {
  Vector<std::int32_t> order;   // place -> vertex
  Vector<std::int32_t> parent;  // place -> place of the parent, -1 for a root
  Vector<std::int32_t> cycle;   // vertices of one cycle; empty if there is none

  // Roots are the first vertices of their trees. Stops at the first cycle it closes, and then
  // `order` and `parent` are of no use.
  static Forest of(const Adjacency& field);

  // Is there a legal assignment? One label code per vertex.
  bool is_consistent(std::span<const std::int32_t> labels) const;

  // For every vertex what it can be in a legal assignment: 1 free, 2 mined, 3 either; 0 if there
  // is no legal assignment (and then for all vertices).
  Vector<std::uint8_t> possible(std::span<const std::int32_t> labels) const;
};

}  // namespace sapper
