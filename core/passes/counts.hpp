// Exact numbers of solutions by number of mines, in one pass up.
//
// A number is a row of limbs of 56 bits in words of 64: up to 255 numbers are added without a
// carry, which a compiler turns into vector instructions. Each level has as many limbs as its
// largest number needs, and only the levels that are still needed are kept. A large diagram is seen
// from its middle (`center.hpp`), and where long polynomials meet they are at points
// (`top_at_points.hpp`).
#pragma once

#include <cstdint>
#include <span>

#include "base/bignat.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/top_at_points.hpp"

namespace sapper {

struct Counts {
  static constexpr int kBits = kLimbBits;

  std::int64_t least = 0;            // mines
  std::size_t limbs = 1;             // of each number
  Vector<std::uint64_t> words;  // with `least` mines, one more, ...; lowest limb first

  std::size_t size() const { return words.size() / limbs; }
  BigNat operator[](std::size_t i) const;
};

// Ways to count, for tests that try them all.
struct CountingWays {
  std::int32_t center = -1;  // the level from which the diagram is seen; -1: whichever is quickest
  double limbs = 1;          // by how much more passes in limbs seem to take
  unsigned threads = 1;      // the numbers are the same
  double few_products = 2e4;  // of limbs: done before a helper has come
};

// The numbers that are returned stay charged to the guard.
Counts count_by_mines(const Piece& piece, Guard& guard, const CountingWays& ways = {});

// Of all pieces. All threads share a large one; of small ones each takes the next.
Vector<Counts> counts_by_mines(const Compiled& compiled, Guard& guard, unsigned threads = 1);

}  // namespace sapper
