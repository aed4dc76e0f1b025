// A board in play: what the player sees, and what single numbers say.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

class Game {
 public:
  enum Status : std::uint8_t { covered = 0, revealed = 1, flagged = 2 };

  Game(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard);

  // Uncover a cell that is no mine; zeros uncover their neighbours.
  void reveal(std::int32_t cell);
  // Mark a mine.
  void flag(std::int32_t cell) {
    if (status_[cell] == covered) mark(cell);
  }
  // Reveal or flag a cell according to the truth: what an inference about it says.
  void apply(std::int32_t cell) { mines_[cell] ? flag(cell) : reveal(cell); }
  // Single-clue inferences to a fixpoint. True if there was any.
  bool settle();

  const Adjacency& field() const { return field_; }
  bool is_mine(std::int32_t cell) const { return mines_[cell] != 0; }
  std::int32_t label(std::int32_t cell) const { return labels_[cell]; }
  Status status(std::int32_t cell) const { return static_cast<Status>(status_[cell]); }
  const std::vector<std::uint8_t>& statuses() const { return status_; }
  bool is_open(std::int32_t cell) const { return status_[cell] == revealed && counts_[cell].open > 0; }
  // Of a revealed cell: the mines around it that are not flagged, and its covered neighbours.
  std::int32_t need(std::int32_t cell) const { return counts_[cell].need; }
  std::int32_t open(std::int32_t cell) const { return counts_[cell].open; }

  // Cells revealed or flagged since the last call, in that order.
  std::vector<std::int32_t> take_news();

  // The clues of some open numbers (all, if none are named) on the covered cells around them.
  System visible() const;
  System visible(const std::vector<std::int32_t>& numbers) const;

 private:
  // Kept for every cell, so that no change has to ask which of its neighbours show a number: those
  // that do not have a need that no rule ever meets.
  struct Counts {
    std::int32_t need, open;
    bool speaks() const { return open > 0 && (need == 0 || need == open); }
  };
  static constexpr std::int32_t kUnseen = 1 << 30;

  // Of a covered cell.
  void uncover(std::int32_t cell);
  void mark(std::int32_t cell);
  void flood();

  const Adjacency& field_;
  Guard& guard_;
  std::vector<std::uint8_t> mines_, status_;
  std::vector<std::int32_t> labels_;
  std::vector<Counts> counts_;
  std::vector<std::int32_t> queue_, news_, flood_;
};

}  // namespace sapper
