// Who chooses the next dig, from what is visible.
//
// All but `random` dig what is certainly safe first. They differ in how they guess:
//   random     any covered cell, certain or not
//   certain    any cell that is not certain, each as likely
//   safest     a cell with the least chance of a mine, the first of them
//   ties       the same; among equals the one with the fewest covered neighbours
//   lookahead  where the next step, after this dig and its number, is safest (look_ahead.hpp)
//   champion   where the estimated chance to win is best after this dig, or the next (outlook.hpp);
//              perfect play once few worlds are left (endgame.hpp)
//   optimal    perfect play all through; small boards only
// Every choice follows from what was shown and the seed alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "play/endgame.hpp"
#include "play/frontier.hpp"
#include "play/look_ahead.hpp"
#include "play/samples.hpp"
#include "play/sight.hpp"
#include "play/worlds.hpp"

namespace sapper {

enum class Guessing : std::uint8_t { random, certain, safest, ties, lookahead, champion, optimal };
std::optional<Guessing> guessing_named(std::string_view name);

struct Choice {
  std::span<const std::int32_t> cells;
  bool is_guess = false;
  double risk = 0;  // the chance of a mine, for a guess
};

class Strategist {
 public:
  // `effort` scales what look-ahead and perfect play may cost.
  Strategist(const Adjacency& field, std::int32_t mines, Guessing guessing, double effort, Guard& guard);

  // A new game, all covered.
  void begin(std::uint64_t seed);
  void show(std::int32_t cell, std::int32_t number) { sight_.show(cell, number); }
  void mark(std::int32_t cell) { sight_.mark(cell); }
  bool is_won() const { return sight_.is_won(); }
  // What to dig next, at least one cell. Not if the game is won. Throws invalid_argument if no world
  // fits what was shown.
  Choice choose();

 private:
  bool find_certain();
  bool find_certain_by_engine();
  Choice guess();
  std::int32_t perfect_guess();
  Choice at(std::int32_t cell, double risk);

  const Adjacency* field_;
  Guessing guessing_;
  double effort_;
  Guard* guard_;
  Charge memory_;  // of regions, and of what is looked at ahead
  Sight sight_;
  Frontier frontier_;
  LookAhead look_ahead_;
  Worlds worlds_;
  Endgame endgame_;
  Samples samples_;
  Random random_;
  bool fits_ = true;  // the frontier is known by regions, not only by the engine's chances
  std::vector<std::int32_t> cells_;
  std::vector<double> chances_;
};

}  // namespace sapper
