// Games by certainty alone in which the cores of the inferences are measured, and games by k-set
// search: what the experiments of Dempsey & Guinn play.
//
// Which inferences are measured is the protocol. All three make every inference there is in the
// end, so they uncover and flag the same cells.
//   sequential  single points first; when stuck, the first inference in order of cells is measured
//               and made, and only that one
//   hybrid      single points first; when stuck, every inference is measured and made
//   batch       every inference of every state is measured, then all are made
#pragma once

#include <cstdint>
#include <vector>

#include "play/game.hpp"

namespace sapper {

enum class Protocol { sequential, hybrid, batch };

// How a minimal core is made: from the clues around the cell, ring by ring (a number that decides it
// alone comes first), or by deletion from all that hang together with it, the last first.
enum class Extraction { rings, deletion };

// The number of clues in a minimal core of an inference and, if wanted, in a smallest one (else 0).
// The assumption that is refuted is not counted. `picks`, if wanted: the least k for which k-set
// search decides the cell from the clues of the core alone (the smallest, if there is one); at
// most `kMostPicks` or one for each clue are tried, and 0 means that none did.
struct CoreSize {
  std::int32_t cell, minimal, smallest, picks;
};
constexpr std::int32_t kMostPicks = 12;

struct MeasuredGame {
  std::vector<std::uint8_t> status;
  std::vector<CoreSize> cores;  // in the order in which they were met
  // The clues of the minimal core of each, then those of the smallest: the cell of the number, the
  // mines it still needs, how many cells around it are covered, and these.
  std::vector<std::int32_t> clues;
  bool single_points = false;  // was any inference made by the single-point rule?
};

struct Measure {
  Protocol protocol = Protocol::sequential;
  Extraction extraction = Extraction::rings;
  bool smallest = false, picks = false, clues = false;  // what is wanted
};

MeasuredGame play_measured(const Adjacency& field, std::vector<std::uint8_t> mines,
                           std::int32_t start, const Measure& measure, Guard& guard);

// A game in turns, as in equations 10 and 11: every inference of a state is made in one turn. When
// there is none, and cells that are no mines are covered still, the game is stuck. A hint then
// uncovers one of them, next to what is open if there is one there, and the game goes on.
struct TurnGame {
  std::vector<std::uint8_t> status;  // when it was first stuck, or at the end
  std::int64_t turns = 0;            // until then
  bool stuck = false;
  std::int64_t all_turns = 0, hints = 0;  // to the end of the game, with hints
};
TurnGame play_turns(const Adjacency& field, std::vector<std::uint8_t> mines, std::int32_t start,
                    std::uint64_t seed, Guard& guard);

// Until k-set search finds nothing more. What is found does not depend on the order in which it is
// looked for, so the result for k is part of the result for k + 1.
std::vector<std::uint8_t> play_by_k_sets(const Adjacency& field, std::vector<std::uint8_t> mines,
                                         std::int32_t start, std::int32_t k, Guard& guard);
// The same in a game that has begun.
void infer_by_k_sets(Game& game, std::int32_t k, Guard& guard);

}  // namespace sapper
