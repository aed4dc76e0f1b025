// Exact numbers of solutions by number of mines, in one pass up.
//
// A number is a row of limbs of 56 bits in words of 64: up to 255 numbers are added without a
// carry, which a compiler turns into vector instructions. Each level has as many limbs as its
// largest number needs, and only the levels that are still needed are kept.
#pragma once

#include <cstdint>
#include <span>

#include "base/bignat.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"

namespace sapper {

struct Counts {
  static constexpr int kBits = 56;

  std::int64_t least = 0;            // mines
  std::size_t limbs = 1;             // of each number
  Vector<std::uint64_t> words;  // with `least` mines, one more, ...; lowest limb first

  std::size_t size() const { return words.size() / limbs; }
  BigNat operator[](std::size_t i) const;
};

// The numbers that are returned stay charged to the guard.
Counts count_by_mines(const Piece& piece, Guard& guard);

// The same region by region: what leads through each from one node below it to one above it. Short
// polynomials are multiplied here; whoever has a library for long ones puts them together.
struct RegionCounts {
  struct Transfer {
    std::uint32_t source, node;  // as in `Regions`
    std::int32_t least, length;  // mines, and how many numbers there are from there on
  };
  struct Region {
    std::int32_t left, right;
    std::uint32_t nodes;
    Vector<Transfer> transfers;
    Counts counts;  // of one transfer after the other
  };
  Vector<Region> list;
};
// Empty where residues at points (`at_points.hpp`) are quicker: where wide tables meet.
RegionCounts count_by_regions(const Piece& piece, Guard& guard);

}  // namespace sapper
