// Degree-constrained subgraphs, enumerated by frontier-based search.
//
// The model of Suzuki, Hao and Minato, section 4: a bipartite graph of covered vertices and hint
// vertices, an edge wherever a hint counts a cell. A subgraph is legal if every covered vertex
// keeps none or all of its edges (1) and every hint vertex keeps exactly its number (2).
//
// The search decides one edge after the other. What it must remember (the *mate*) is, for every
// hint vertex that has decided and undecided edges, how many it keeps so far, and for every such
// covered vertex, whether it keeps its edges. Equal memories are merged. Nothing else is done: no
// forced cells, no groups, no look-ahead beyond the degrees themselves, so that the diagram and the
// time say something about the model and the order of its edges.
#pragma once

#include <cstdint>

#include "base/limits.hpp"

namespace sapper {

struct EdgeProblem {
  std::int32_t cells = 0, hints = 0;
  Vector<std::int32_t> cell, hint;  // of each edge, in the order of the search
  Vector<std::int64_t> targets;     // degree of each hint vertex in the subgraph
};

// A reduced ZDD over the edges. A child is a node, -1 for the empty family or -2 for the family of
// the empty set; nodes of later edges come first, the root last.
struct EdgeDiagram {
  Vector<std::int32_t> variable, low, high;
  std::int32_t root = -1;
  std::uint64_t visited = 0;    // states met before reduction
  std::uint64_t widest = 0;     // most states of one level
  std::int32_t frontier = 0;    // most vertices remembered at once
  Vector<std::uint64_t> states;  // per edge
};

// Throws LimitHit, or std::length_error if the frontier does not fit into the widest state.
EdgeDiagram frontier_search(const EdgeProblem& problem, Guard& guard);

}  // namespace sapper
