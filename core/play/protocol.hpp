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

// The number of clues in a minimal core of an inference and, if wanted, in a smallest one (else 0).
// The assumption that is refuted is not counted.
struct CoreSize {
  std::int32_t cell, minimal, smallest;
};

struct MeasuredGame {
  std::vector<std::uint8_t> status;
  std::vector<CoreSize> cores;  // in the order in which they were met
  bool single_points = false;   // was any inference made by the single-point rule?
};

MeasuredGame play_measured(const Adjacency& field, std::vector<std::uint8_t> mines,
                           std::int32_t start, Protocol protocol, bool smallest, Guard& guard);

// Until k-set search finds nothing more. What is found does not depend on the order in which it is
// looked for, so the result for k is part of the result for k + 1.
std::vector<std::uint8_t> play_by_k_sets(const Adjacency& field, std::vector<std::uint8_t> mines,
                                         std::int32_t start, std::int32_t k, Guard& guard);
// The same in a game that has begun.
void infer_by_k_sets(Game& game, std::int32_t k, Guard& guard);

}  // namespace sapper
