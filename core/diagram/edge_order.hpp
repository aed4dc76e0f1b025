// Orders for a frontier-based search over edges (methods/subgraph.hpp), good for small ZDDs too.
#pragma once

#include <cstdint>

#include "base/limits.hpp"

namespace sapper {

// An order of the cells that keeps few hints half decided: hints are completed one after the
// other, always the one that leaves the smallest estimated number of states, from `tries` starts,
// and the cheapest order wins. The clues are given in compressed rows. Cells in no clue are left
// out.
Vector<std::int32_t> frontier_order(std::int32_t cells,
                                         const Vector<std::int32_t>& offsets,
                                         const Vector<std::int32_t>& members,
                                         const Vector<std::int64_t>& targets,
                                         std::int32_t tries, Guard& guard);

}  // namespace sapper
