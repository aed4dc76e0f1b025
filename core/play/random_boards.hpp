// What the experiments draw at random. Everything follows from a 64-bit seed, on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

// One byte per cell: `mines` cells drawn uniformly from those that are not forbidden. Meant for
// boards where few cells are.
std::vector<std::uint8_t> random_mines(std::int32_t cells, std::int32_t mines,
                                       std::span<const std::int32_t> forbidden,
                                       std::uint64_t seed);

// The full board as labels: how many neighbours of each free cell are mined, and -2 for a mine.
std::vector<std::int32_t> full_board(const Adjacency& field,
                                     std::span<const std::uint8_t> mines);

// Clusters of a square lattice on a torus; sites touch along edges, not at corners.
struct Clusters {
  std::int64_t sites = 0, clusters = 0, largest = 0;
  double squares = 0;  // sum of the squares of the sizes: exact up to sides of 9741
};
Clusters clusters_of(std::int32_t side, const std::vector<std::uint8_t>& occupied);

// Each site is occupied with probability p, independently.
std::vector<std::uint8_t> independent_sites(std::int32_t side, double p, std::uint64_t seed);
// Sites with a mine or a number above zero, on a board with so many mines.
std::vector<std::uint8_t> mined_or_numbered(std::int32_t side, std::int32_t mines,
                                            std::uint64_t seed);

// How the hyperedges of a random hypergraph are drawn, and how they get their labels.
struct HypergraphRule {
  bool strict = false;    // no label decides its hyperedge alone: neither 0 nor all of its vertices
  bool free = false;      // labels are drawn uniformly, whatever the vertices; they may contradict
  bool distinct = false;  // no two hyperedges have the same vertices
};

// A random hypergraph: `counts[i]` hyperedges of `sizes[i]` vertices each, drawn uniformly, and each
// vertex mined with a probability. Planted labels count the mines of a hyperedge; with `strict`,
// hyperedges whose label would be 0 or all are drawn again, with other vertices.
struct Planted {
  System system;
  std::vector<std::uint8_t> mines;
};
Planted planted_hypergraph(std::int32_t vertices, std::span<const std::int32_t> sizes,
                           std::span<const std::int32_t> counts, double density,
                           const HypergraphRule& rule, std::uint64_t seed, Guard& guard);

// For each variable whether all assignments that meet the clues agree on it; nothing if none does.
// The search begins at the planted assignment.
std::optional<std::vector<std::uint8_t>> forced_in(const Planted& planted, Guard& guard);

}  // namespace sapper
