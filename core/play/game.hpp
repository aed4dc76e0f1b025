// A board in play: what the player sees, and what single numbers say.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

class Game {
 public:
  enum Status : std::uint8_t { covered = 0, revealed = 1, flagged = 2 };

  Game(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard);

  // Uncover a cell that is no mine; zeros uncover their neighbours.
  void reveal(std::int32_t cell) { apply(cell); }
  // Reveal or flag a cell according to the truth: what an inference about it says.
  void apply(std::int32_t cell);
  // Single-clue inferences to a fixpoint. True if there was any.
  bool settle();

  const Adjacency& field() const { return field_; }
  bool is_mine(std::int32_t cell) const { return truth_[cell] == flagged; }
  std::int32_t label(std::int32_t cell) const { return labels_[cell]; }
  Status status(std::int32_t cell) const { return static_cast<Status>(status_[cell]); }
  const std::vector<std::uint8_t>& statuses() const { return status_; }
  bool is_open(std::int32_t cell) const { return (status_[cell] == revealed) & (open(cell) > 0); }
  // Of a revealed cell: the mines around it that are not flagged, and its covered neighbours.
  std::int32_t need(std::int32_t cell) const { return left_[cell].of[1] & ~kSilent; }
  std::int32_t open(std::int32_t cell) const { return need(cell) + (left_[cell].of[0] & ~kSilent); }

  // Cells revealed or flagged since the last call, in that order.
  std::vector<std::int32_t> take_news();

  // The clues of some open numbers (all, if none are named) on the covered cells around them.
  System visible() const;
  System visible(const std::vector<std::int32_t>& numbers) const;

 private:
  // A cell that may belong on a list is written there, and then it counts or does not: which cells
  // are covered a processor cannot foretell, and a wrong guess costs more than all that is done for a
  // neighbour. There is room for all that can come, and one more.
  struct List {
    explicit List(std::size_t most) : cells(std::make_unique_for_overwrite<std::int32_t[]>(most + 1)) {}
    std::unique_ptr<std::int32_t[]> cells;
    std::size_t end = 0;
  };
  // How many free cells and how many mines are covered around a cell. Kept for every cell, with
  // kSilent on top where no number is seen, or where it has spoken.
  struct Left {
    std::int32_t of[2];
  };
  static constexpr std::int32_t kSilent = 1 << 30;

  void speak(List& numbers);  // the last of them
  void tell();
  void flood();

  const Adjacency& field_;
  Guard& guard_;
  std::vector<std::uint8_t> truth_, status_;  // what a cell will be in the end, and what it is
  std::vector<std::int32_t> labels_;
  std::vector<Left> left_;
  List news_;                         // all that is known, in the order in which it was found
  std::size_t told_ = 0, taken_ = 0;  // the first so many of them, by `tell` and `take_news`
  List zeros_, queue_;                // numbers that have something to say
};

}  // namespace sapper
