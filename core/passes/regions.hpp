// A diagram cut into regions at its narrow levels, for passes by number of mines.
//
// High up in a diagram polynomials are long, and where two tables meet they are multiplied for each
// of many pairs of nodes. But a board is narrow in places: between levels of a few nodes lies a
// region, and what leads from one node below it to one above it is a short polynomial of its own.
// These are found region by region, from each node below; long polynomials then meet only where
// regions do.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"
#include "passes/by_mines.hpp"

namespace sapper {

struct Regions {
  // A node at the top of a region, if it began with one node of each level below.
  struct Transfer {
    std::uint32_t source;  // left * (nodes of the right one) + right
    std::uint32_t node;    // of the level at the top
  };
  struct Region {
    std::int32_t top;                       // its level in `unrolled`
    std::int32_t left = -1, right = -1;     // the regions below it, if any
    std::uint32_t nodes = 0;                // of the level at its top
    Vector<Transfer> transfers;             // by node of the unrolled level
  };

  // The regions one after the other; a node is there once for each source. Empty if the whole diagram
  // is one region.
  Diagram unrolled;
  Vector<Region> list;  // those below before those above

  std::uint32_t sources(const Region& region) const {
    return (region.left < 0 ? 1 : list[std::size_t(region.left)].nodes) *
           (region.right < 0 ? 1 : list[std::size_t(region.right)].nodes);
  }
};

// What passes take in some algebra, in nanoseconds, about; measured on grids of 60 x 60 to 100 x 100
// cells.
struct CuttingCosts {
  double product = 1.5;         // of two numbers
  double meeting = 2;           // for each number where regions meet,
  double product_there = 1.5;   // for each product of two,
  double each = 200;            // and for each product of polynomials
  double longest = 1e9;         // polynomials in a region: what is longer takes ten times as much
};

// Cuts where that saves most.
Regions cut(const Diagram& d, const MineRanges& m, const CuttingCosts& costs, Guard& guard);

// What a pass takes if it is cut there.
double work_in_regions(const Diagram& d, const CuttingCosts& costs, Guard& guard);

// Cuts at given levels, the last one among them, such that no region has more than two below it.
Regions cut_at(const Diagram& d, const Vector<std::uint8_t>& cuts, Guard& guard);

}  // namespace sapper
