// What the experiments draw at random. Everything follows from a 64-bit seed, on every machine.
#pragma once

#include <cstdint>
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

// A random hypergraph with planted labels: `counts[i]` hyperedges of `sizes[i]` vertices each, and
// each vertex mined with a probability. With `strict`, hyperedges whose label alone decides their
// vertices (0, or all of them) are drawn again, with other vertices.
struct Planted {
  System system;
  std::vector<std::uint8_t> mines;
};
Planted planted_hypergraph(std::int32_t vertices, std::span<const std::int32_t> sizes,
                           std::span<const std::int32_t> counts, double density, bool strict,
                           std::uint64_t seed, Guard& guard);

// For each variable whether every assignment that meets the clues gives it the planted value.
std::vector<std::uint8_t> forced_in(const Planted& planted, Guard& guard);

}  // namespace sapper
