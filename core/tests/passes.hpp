// Checks of single passes: what is walked, drawn, cheapest, and the ZDD.
#pragma once

#include "base/memory.hpp"
#include "checks.hpp"
#include "diagram/zdd.hpp"

namespace sapper::tests {

// What the host does while it is polled leaves the floating-point flags as they were.
void check_guard();

// The caller of several threads looks up to the end; what it throws goes first, and limits are its own.
void check_crew();

// Of `CountingWays::few_products`: every part is worth a thread.
constexpr double kSpreadAll = 1e-9;

// Counts of several limbs by number of mines are the same at points, in limbs and from any level.
void check_long_counts();

// Each component compiled by several orders, with and without look-ahead: same counts by mines.
void check_orders(const System& system, Random& random, Guard& guard);

// By number of mines: with all values kept, with some and with none, and in limbs.
void check_by_mines(const Compiled& c, Random& random, Guard& guard);

// Sums and unions of spans against those of sets.
void check_spans(Random& random);

// Under its total, if it has one: with all values kept, with some and with none, on circles, and verdicts by spans.
void check_under_total(const Compiled& c, Guard& guard);
// On circles alone; false if they say themselves that they will not do.
bool check_circles(const Compiled& c, Guard& guard);
// On circles with many points, most of which are worth nothing.
void check_large_circles();

// Whatever is listed, drawn or cheapest meets the clues; probabilities and ZDD fit the count.
void check_draws(const System& system, const Compiled& c, Random& random, Guard& guard);

// How many sets a ZDD holds, modulo 2^64; also checks that it is ordered and reduced.
std::uint64_t zdd_count(const Zdd& zdd, std::int32_t variables);

// Is this set of mines one of them?
bool in_zdd(const Zdd& zdd, const Vector<std::uint8_t>& mines);

}  // namespace sapper::tests
