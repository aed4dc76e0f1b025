// What a player sees of a board, and what single numbers say.
//
// A sight never knows the mines. Whoever does tells it what was dug (`show`); it keeps, for each
// number, how many mines and covered cells are left around it, marks the mines that a single number
// proves, and lists the cells that one proves safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "system/system.hpp"

namespace sapper {

class Sight {
 public:
  enum State : std::uint8_t { covered = 0, shown = 1, mine = 2 };

  Sight(const Adjacency& field, std::int32_t mines);

  // All covered again.
  void clear();
  // A cell was dug and is no mine.
  void show(std::int32_t cell, std::int32_t number);
  // A covered cell is a mine in every world.
  void mark(std::int32_t cell);
  // The next cell that a single number proves safe and that is still covered, or -1.
  std::int32_t next_safe();

  const Adjacency& field() const { return *field_; }
  std::int32_t cells() const { return std::int32_t(state_.size()); }
  State state(std::int32_t cell) const { return State(state_[cell]); }
  bool is_covered(std::int32_t cell) const { return state_[cell] == covered; }
  std::int32_t mines() const { return mines_; }
  // Of a shown cell: its number; the mines and the covered cells around it, known mines left out.
  std::int32_t number(std::int32_t cell) const { return number_[cell]; }
  std::int32_t need(std::int32_t cell) const { return need_[cell]; }
  std::int32_t open(std::int32_t cell) const { return open_[cell]; }
  // Covered cells that are not known to be mines, and the mines among them.
  std::int32_t unknown() const { return unknown_; }
  std::int32_t mines_left() const { return mines_left_; }
  bool is_won() const { return unknown_ == mines_left_; }
  // Some number can't be met: only if something was shown that is not so.
  bool is_broken() const { return broken_; }
  // Numbers with covered cells around them are among these; in order, so that nothing depends on what was dug first.
  std::span<const std::int32_t> numbers() const { return numbers_; }
  // Drop the numbers that have nothing to say any more.
  void tidy();

 private:
  void look(std::int32_t number);
  void mark_all();

  const Adjacency* field_;
  std::int32_t mines_, unknown_ = 0, mines_left_ = 0;
  bool broken_ = false;
  std::vector<std::uint8_t> state_;
  std::vector<std::int32_t> number_, need_, open_, safe_, mines_found_, numbers_;
};

}  // namespace sapper
