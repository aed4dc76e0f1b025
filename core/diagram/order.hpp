// Orders in which clues are completed, and the choice between them.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/plan.hpp"

namespace sapper {

enum class OrderKind : std::uint8_t {
  automatic,  // the cheapest by estimate
  path,       // grow one frontier, no joins
  tree,       // eliminate the cheapest clue anywhere, with joins
  given,      // clues in the order they come: a baseline and a check
};

// Clues in the order in which they are completed, and the sum of the estimated tables.
struct PathOrder {
  Vector<std::int32_t> clues;
  double states = 0;
};

// A greedy frontier: always complete the clue that leaves the smallest estimated table. `start`
// is the first clue, -1 lets the heuristic choose; `noise` > 0 shakes ties with the given seed.
// Gives up, with no clues, as soon as more than `most` states are expected (an infinite `most` never
// gives up). The estimate knows ranges of sums only, not how few assignments there may be at all.
PathOrder path_order(const Shape& shape, std::int32_t start, double noise, std::uint64_t seed,
                     double most, Guard& guard);

// Greedy elimination: always complete the clue whose merged table is smallest, anywhere. `noise` as above,
// in bits of that size.
Vector<std::int32_t> tree_order(const Shape& shape, double noise, std::uint64_t seed,
                                Guard& guard);

// Tries orders, more of them the more there is to gain, and returns the cheapest plan (not laid
// out yet). With `path_only` plans with joins are left aside.
Plan best_plan(const Shape& shape, OrderKind kind, bool path_only, Guard& guard);

}  // namespace sapper
