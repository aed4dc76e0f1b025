// Plans with fewer joins: a table is led through another's steps where that is cheaper.
//
// Two tables that both know much about the same clues (hubs of graphs) are joined state by state:
// as many pairs as the product of their sizes, though far fewer states come out. But the steps that
// made the one table can be taken from the states of the other just as well. That costs the states
// that come out, once a step, and pays where one side is large and the other has few steps.
#pragma once

#include "diagram/plan.hpp"

namespace sapper {

// The plan, or a cheaper one that decides the same groups: each join of more than `few` pairs is kept
// or replaced, as the estimates of `build_plan` say.
Plan with_fewer_joins(const Shape& shape, Plan plan, Guard& guard, double few = 1024);

}  // namespace sapper
