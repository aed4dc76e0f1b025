// What players measure boards by.
//
// An *opening* is a connected set of zeros with the numbers around it: one click uncovers it. A number in no
// opening takes a click of its own. Openings and such numbers together are the 3BV, the fewest
// clicks without flags. *Islands* are connected sets of numbers in no opening.
//
// ZiNi (E. Zimmermann & C. Nikolaus) bounds the fewest clicks with flags: always flag and chord where
// that saves most, counting what a chord would uncover, less the flags it takes, less the chord and
// the click that uncovers its number. Of equals the first in a given order is taken, and where
// nothing is saved the first thing that needs a click is clicked. The human ZiNi clicks all
// openings first and chords at uncovered numbers only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

struct Metrics {
  std::int32_t three_bv = 0, openings = 0, islands = 0, zini = 0, human_zini = 0;
  // For each cell what click it is part of: an opening (0 and up), itself (-1), or none (-2: it is a
  // mine, or a number beside an opening).
  std::vector<std::int32_t> click_of;
};

// `order`: all cells, in the order in which ties are broken; or none, and ZiNi is left out.
Metrics metrics_of(const Adjacency& field, std::span<const std::uint8_t> mines,
                   std::span<const std::int32_t> order, Guard& guard);

}  // namespace sapper
