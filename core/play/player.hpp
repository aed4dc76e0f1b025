// Plays a board by certainty alone: reveal what is safe, flag what is mined, until nothing follows.
//
// The truth about the mines is used in one way only: as a model. It meets every clue the player
// will ever see, so a covered cell is undecided exactly if some set of flips that contains it turns
// the truth into another model of the visible clues. Such a set is a *witness* for all its cells,
// and it stays one until a newly revealed number contradicts it. So after a move only cells whose
// witness broke are looked at again, and a look costs what its neighbourhood costs.
//
// Witnesses are found, or refuted, by a conflict-driven search on the clues themselves, as in
// prober.hpp: decisions are made only in clues that the flipped truth violates. Learned clauses
// stay valid for the rest of the game, because clues are only ever added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "play/game.hpp"
#include "search/clauses.hpp"
#include "search/conflict.hpp"
#include "system/system.hpp"

namespace sapper {

class Player {
 public:
  Player(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard);

  Game& game() { return game_; }

  // Everything that follows from what is visible and is not visible itself, ascending.
  std::vector<std::int32_t> inferences();
  // Make every inference there is, and those that follow from what it uncovers, to the end.
  void play();

  std::uint64_t probes() const { return probes_; }

 private:
  // Why a cell has its value in the search: -1 a decision or known, >= 0 the clue of that cell,
  // <= -2 learned clause -2 - index.
  static constexpr std::int32_t kNoReason = -1;

  std::int32_t level() const { return static_cast<std::int32_t>(limits_.size()); }

  void catch_up();
  void learn(std::int32_t cell);
  void activate(std::int32_t cell);
  void need_witness(std::int32_t cell);
  void keep_witness();
  void break_witness(std::int32_t witness);

  void assign(Literal l, std::int32_t reason);
  void unassign_to(std::int32_t level);
  void set_violated(std::int32_t clue);
  bool propagate();
  bool propagate_clue(std::int32_t clue);
  void explain(std::int32_t clue, bool trues, std::int32_t before, std::vector<Literal>& out) const;
  bool reason_of(std::int32_t cell, std::vector<Literal>& out) const;
  bool decide();
  int mends(std::int32_t cell) const;
  bool find_flip(std::int32_t cell);  // true: trail_ holds a witness
  void forget_clauses();

  const Adjacency& field_;
  Guard& guard_;
  std::vector<std::uint8_t> mines_;
  Game game_;

  // The search. Values at level 0 follow from the visible clues.
  Values value_;
  std::vector<std::int32_t> level_, position_, reason_;
  std::vector<Literal> trail_;
  std::vector<std::int32_t> limits_;
  std::size_t head_ = 0;
  std::vector<std::int32_t> trues_, unassigned_, excess_, violated_at_;  // by clue (its cell)
  std::vector<std::uint8_t> active_;
  std::vector<std::int32_t> violated_, wake_;
  Clauses clauses_;
  ConflictAnalysis analysis_;
  std::int32_t conflicts_ = 0;
  std::vector<Literal> conflict_;

  // Witnesses: sets of flips; a cell may stand in several.
  std::vector<std::vector<std::int32_t>> witnesses_;
  std::vector<std::int32_t> spare_witnesses_;
  std::vector<std::vector<std::int32_t>> witnesses_of_;
  std::vector<std::int32_t> pending_;  // cells that may lack a witness
  std::vector<std::uint8_t> is_pending_;
  std::vector<std::int32_t> forced_;   // known to follow, not visible yet
  std::vector<std::int32_t> sums_, touched_;
  std::uint64_t probes_ = 0;
};

}  // namespace sapper
