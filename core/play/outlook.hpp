// The chance to win a position, by a formula.
//
// Two tables of weights, one for positions with a cell that is known to be safe and tells something, one for those
// without, over what is cheap to see: how safe the safest cells are, how much is covered, how many
// mines and worlds are left, how uncertain the edge is: a logistic function of that, times the chance to
// survive the pairs of cells that end as a coin toss. The weights are fitted to played games (benchmarks/outlook/,
// docs/play/champion.md); all quantities are free of the board's size or grow with its logarithm.
//
// A *pair* are two neighbours; its *tellers* are the cells beside one of them only. If all tellers are
// mines and one of the two is, nothing that can be dug tells which.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "play/frontier.hpp"
#include "play/sight.hpp"

namespace sapper {

class Outlook {
 public:
  static constexpr std::size_t kTerms = 21;
  using Terms = std::array<double, kTerms>;

  // Finds the pairs of a field that have few tellers. Once; `of` and `watch` need it.
  void prepare(const Adjacency& field, Guard& guard);
  std::uint64_t bytes() const;
  // Picks the pairs that may become coin tosses from here. `chances` of a mine for covered cells.
  void watch(const Sight& sight, const std::vector<double>& chances);
  // How many deaths by coin tosses a dig prevents, in the position that was watched: for a cell of a pair,
  // or a teller.
  double relief(std::int32_t cell) const { return relief_[cell]; }
  // The chance of a mine at the next dig: zero if nothing is unsure or a safe cell tells something; else the least of
  // the others, for who digs a safe cell whose number is known beforehand has to guess all the same.
  double least_risk(const Sight& sight, const Frontier& frontier);
  // An estimate for a position a few digs after the one that was watched.
  double of(const Sight& sight, const Frontier& frontier);
  // What the weights are multiplied with; the second is above zero if a safe cell tells something, or nothing is
  // unsure. Not if the game is won.
  Terms terms(const Sight& sight, const Frontier& frontier);

 private:
  struct Pair {
    std::int32_t a, b;
    std::uint32_t first, last;  // its tellers
  };
  double tosses(const Sight& sight, const Frontier& frontier);
  // The chance of a mine at a cell, once those of the regions are noted.
  double chance(const Sight& sight, const Frontier& frontier, std::int32_t cell) const;
  void note(const Frontier& frontier);
  // Whether a safe cell of the regions tells something, or there is nothing to tell.
  bool goes_on(const Sight& sight, const Frontier& frontier);
  bool tells(const Sight& sight, const Frontier& frontier, std::int32_t cell);

  const Adjacency* field_ = nullptr;
  std::vector<Pair> pairs_, watched_;
  std::vector<std::int32_t> tellers_;
  std::vector<double> relief_;
  std::vector<double> chances_;  // of the cells in regions
  std::vector<std::int32_t> unsure_;
};

}  // namespace sapper
