// Plays a board by certainty alone: reveal what is safe, flag what is mined, until nothing follows.
//
// The truth about the mines is used in one way only: as a model. It meets every clue the player
// will ever see, so a covered cell is undecided exactly if some set of flips that contains it turns
// the truth into another model of the visible clues. Such a set is a *witness* for all its cells,
// and it stays one until a newly revealed number contradicts it. So after a move only cells whose
// witness broke are looked at again, and a look costs what its neighbourhood costs.
//
// Witnesses are found, or refuted, by repairing the flipped truth (search/repair.hpp). What is
// learned stays valid for the rest of the game, because clues are only ever added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "play/game.hpp"
#include "search/repair.hpp"
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
  // The numbers that are open, each with the cells around it.
  class Terms {
   public:
    using Number = std::int32_t;
    explicit Terms(const Adjacency& field) : field_(&field), open_(std::size_t(field.cells()), 0) {}
    template <class F>
    void each_sum(std::int32_t cell, F f) const {
      for (const std::int32_t d : field_->of(cell))
        if (open_[d]) f(d, 1);
    }
    template <class F>
    void each_term(std::int32_t number, F f) const {
      for (const std::int32_t d : field_->of(number)) f(d, 1);
    }
    bool is_open(std::int32_t number) const { return open_[number] != 0; }
    void set_open(std::int32_t number, bool open) { open_[number] = open; }

   private:
    const Adjacency* field_;
    std::vector<std::uint8_t> open_;
  };

  void catch_up();
  void learn(std::int32_t cell);
  void activate(std::int32_t cell);
  void gather_forced();
  void need_witness(std::int32_t cell);
  void settle_pending();
  void keep_witness();
  void break_witness(std::int32_t witness);

  const Adjacency& field_;
  Game game_;
  Repair<Terms> search_;  // values at level 0 follow from the visible numbers

  // Witnesses: sets of flips; a cell may stand in several.
  std::vector<std::vector<std::int32_t>> witnesses_;
  std::vector<std::int32_t> spare_witnesses_;
  std::vector<std::vector<std::int32_t>> witnesses_of_;
  std::vector<std::int32_t> pending_;  // cells that may lack a witness
  std::vector<std::uint8_t> is_pending_;
  std::vector<std::int32_t> forced_;   // known to follow, not visible yet
  std::size_t facts_read_ = 0;         // of the search, by `gather_forced`
  std::vector<std::int32_t> sums_, touched_;
  std::uint64_t probes_ = 0;
};

}  // namespace sapper
