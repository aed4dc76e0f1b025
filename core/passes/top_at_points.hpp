// Exact counts by number of mines: the top of a diagram at points.
//
// Where long polynomials meet in many pairs, products in limbs take long. There the polynomials are
// transformed once, modulo as many primes as the counts need, and all that is above them is plain sums
// of products at points. Only what is asked for comes back, into limbs by the Chinese remainder theorem.
#pragma once

#include <cstdint>
#include <span>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "base/rows.hpp"
#include "passes/by_mines.hpp"
#include "passes/incoming.hpp"
#include "passes/transform.hpp"

namespace sapper {

inline constexpr int kLimbBits = 56;  // of exact counts, in words of 64

// By level: is it quicker at points? All levels above it are too, up to the next one of `targets`, whose
// values come back into limbs. They are given in the order of the levels, and the last one is the root.
// `bits` bounds the values of each level, `limbs` is by how much more a pass in limbs seems to take.
Vector<std::uint8_t> levels_at_points(const Diagram& d, const MineRanges& m, const Vector<double>& bits,
                                      std::span<const std::int32_t> targets, double limbs, Guard& guard);

class TopAtPoints {
 public:
  using Word = std::uint64_t;

  using Targets = std::span<const std::int32_t>;

  // Of the target at `target`.
  TopAtPoints(const Diagram& d, const MineRanges& m, const Vector<std::uint8_t>& at_points, Targets targets,
              Targets::iterator target, Guard& guard);

  // The values of the target, which are below 2^bits. `below` are those of levels that are not at points,
  // or targets, and `limbs` how many each of a level has. `few_products` of limbs are not worth a thread.
  Space<Word> run(const Vector<Space<Word>>& below, const Vector<std::size_t>& limbs, double bits, Crew& crew,
                   double few_products, Guard& guard) const;

 private:
  // A node is a sum of products of a node of one level and a node of the other, or a number of mines.
  struct Level {
    std::int32_t index;
    Rows<ArcInto> arcs;
  };

  const Diagram& d_;
  const MineRanges& m_;
  std::int32_t target_;
  Vector<Level> levels_;  // at points, those below before those above
};

}  // namespace sapper
