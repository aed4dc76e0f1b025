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
#include <stdexcept>
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

 private:
  // The open numbers that joined the search, each with the cells around it that were covered then.
  // Only such cells are variables: most of a board is seen before anything has to be searched.
  class Terms {
   public:
    using Number = std::int32_t;
    explicit Terms(const Adjacency& field) : field_(&field) {}
    template <class F>
    void each_sum(std::int32_t variable, F f) const {
      const std::int32_t* const sums = sums_.data() + begins_[variable];
      for (std::int32_t i = 0; i < counts_[variable]; ++i) f(sums[i], 1);
    }
    template <class F>
    void each_term(std::int32_t sum, F f) const {
      for (std::int32_t i = offsets_[sum]; i < offsets_[sum + 1]; ++i) f(entries_[i], 1);
    }
    bool is_open(std::int32_t sum) const { return is_open_[sum]; }
    std::int32_t number(std::int32_t sum) const { return numbers_[sum]; }
    void add_variable(std::int32_t cell) {
      cells.push_back(cell);
      begins_.push_back(sums_.size());
      counts_.push_back(0);
      sums_.resize(sums_.size() + field_->of(cell).size());
    }
    // A new sum, of the variables that were put since the last one.
    void put(std::int32_t variable) { entries_.push_back(variable); }
    void open(std::int32_t sum, std::int32_t number) {
      numbers_.push_back(number);
      is_open_.push_back(1);
      offsets_.push_back(static_cast<std::int32_t>(entries_.size()));
      each_term(sum, [&](std::int32_t v, std::int32_t) {
        if (std::size_t(counts_[v]) == field_->of(cells[v]).size())
          throw std::invalid_argument("a cell has neighbours of which it is none");
        sums_[begins_[v] + std::size_t(counts_[v]++)] = sum;
      });
    }
    // The game shows all its cells: they have their values before the next question, and then it
    // does no harm in their lists.
    void close(std::int32_t sum) { is_open_[sum] = 0; }

    std::vector<std::int32_t> cells;  // of the variables

   private:
    const Adjacency* field_;
    // The sums of each variable, with room for one at every neighbour of its cell.
    std::vector<std::size_t> begins_;
    std::vector<std::int32_t> counts_, sums_;
    std::vector<std::int32_t> numbers_, offsets_{0}, entries_;
    std::vector<std::uint8_t> is_open_;
  };

  void catch_up();
  void learn(std::int32_t variable);
  void activate(std::int32_t number);
  std::int32_t variable_at(std::int32_t cell);
  void gather_forced();
  void need_witness(std::int32_t variable);
  void settle_pending();
  void keep_witness();
  void break_witness(std::int32_t witness);

  const Adjacency& field_;
  Game game_;
  Repair<Terms> search_;  // values at level 0 follow from the visible numbers

  std::vector<std::int32_t> variable_of_cell_;  // or -1

  // Witnesses: sets of variables that flip; a variable may stand in several.
  std::vector<std::vector<std::int32_t>> witnesses_;
  std::vector<std::int32_t> spare_witnesses_;
  std::vector<std::vector<std::int32_t>> witnesses_of_;
  std::vector<std::int32_t> pending_;  // variables that may lack a witness
  std::vector<std::uint8_t> is_pending_;
  std::vector<std::int32_t> forced_;   // cells known to follow, not visible yet
  std::size_t facts_read_ = 0;         // of the search, by `gather_forced`
  std::vector<std::int32_t> sums_, touched_, open_;
};

}  // namespace sapper
