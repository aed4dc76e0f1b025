// Perfect play on a whole board: how many of its layouts can be won.
//
// Endgame does the work, from the set of all layouts that the start rule allows. Symmetries of the field
// that keep this set as it is map sets of worlds to sets of the same value, so a set and its images are
// solved once; first digs that are images of each other are tried once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

enum class StartRule : std::uint8_t { any, safe, zero };

struct Optimal {
  std::uint64_t wins = 0;
  std::int32_t start = -1;    // a best first dig; -1: there is no cell to dig
  std::uint64_t layouts = 0;  // that the rule allows for this start
  std::uint64_t sets = 0;     // sets of worlds that were looked at, over all starts tried
};

// `start` -1: the best first dig. Throws LimitHit if there are more layouts than anyone waits for.
Optimal optimal_wins(const Adjacency& field, std::int32_t mines, StartRule rule, std::int32_t start,
                     Guard& guard);

// Permutations of the cells that keep all neighbourhoods; the first is the identity. All of them, or
// `most` if there are more.
std::vector<std::vector<std::int32_t>> symmetries(const Adjacency& field, std::size_t most,
                                                  Guard& guard);

}  // namespace sapper
