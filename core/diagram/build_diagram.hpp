// From a plan to a diagram.
//
// Tables are made step by step, from the empty state to the root. Some of their states can never be
// completed; a path that is wide enough is therefore made from both ends, always where the table is
// smaller, until the two meet: each end has few dead states close to where it began. What lies on
// no way from end to end is swept out afterwards.
#pragma once

#include "diagram/diagram.hpp"
#include "diagram/plan.hpp"

namespace sapper {

// Compiles a laid-out plan. Throws LimitHit.
Diagram compile(const Component& component, const Plan& plan, Guard& guard);

}  // namespace sapper
