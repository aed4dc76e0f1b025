// Checks of single passes: what is walked, drawn, cheapest, and the ZDD.
#pragma once

#include "checks.hpp"

namespace sapper::tests {

// Each component compiled by several orders, with and without look-ahead: same counts by mines.
void check_orders(const System& system, Random& random, Guard& guard);

// Whatever is listed, drawn or cheapest meets the clues; probabilities and ZDD fit the count.
void check_draws(const System& system, const Compiled& c, Random& random, Guard& guard);

}  // namespace sapper::tests
