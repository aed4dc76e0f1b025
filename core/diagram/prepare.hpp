// Before anything is compiled: certainty, splitting, and a plan for each independent piece.
#pragma once

#include <cstdint>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "diagram/plan.hpp"

namespace sapper {

// What a piece would cost.
struct PieceEstimate {
  std::int32_t variables, groups, clues, width;
  double nodes;
  bool joins;

  static PieceEstimate of(const Part& part, const Plan& plan) {
    return {std::int32_t(part.variables.size()), part.component.groups(), part.component.clues(),
            plan.width, plan.expected_nodes, plan.has_joins};
  }
};

struct Prepared {
  Compiled result;          // pieces without diagrams, unless the cache has them
  Vector<Plan> plans;  // of the pieces; those that do not fit into a state have no words
};

Prepared prepare(const System& system, const Options& options, Crew& crew, Guard& guard, Cache* cache);

// Everything that is forced, by search alone, however wide the system is (the total is ignored).
// Returns false if the clues contradict each other.
bool certain_values(const System& system, Vector<std::int8_t>& values, Guard& guard);

}  // namespace sapper
