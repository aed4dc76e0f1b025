// All solutions, one after the other, in a fixed order, without a list of them.
//
// A depth-first walk from the root of every piece. What is still to be expanded is a linked list
// (a join leaves two nodes), what was decided is a stack of frames; the next solution undoes frames
// until one has another alternative. Under a mine total every item carries its share of the mines,
// and alternatives without a completion are never entered, so no step is in vain.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/incoming.hpp"
#include "passes/under_total.hpp"

namespace sapper {

class Enumerator {
 public:
  Enumerator(std::shared_ptr<const Compiled> compiled, Guard& guard);

  // The mined variables of the next solution, or null at the end. After a limit it goes on where
  // it was.
  const Vector<std::int32_t>* next(Guard& guard);

  // What the walk has taken since it began: a guard that did not see it is to be told.
  std::uint64_t stack_bytes() const {
    return frames_.capacity() * (sizeof(Frame) + 2 * sizeof(Pending));
  }

 private:
  struct Item {
    enum Kind : std::uint8_t { all, pieces, tree, node, cells } kind;
    // pieces: the first one left; tree: its node; cells: -1 for the free cells
    std::int32_t piece;
    std::int32_t level;  // node: its level; cells: the group
    std::uint32_t node_or_cell;
    std::int64_t mines;  // still to be placed; -1: any number
  };
  struct Pending {
    Item item;
    std::int32_t next;
  };
  struct Frame {
    Item item;
    std::int32_t rest;       // what follows the item
    std::int32_t arena;      // sizes to go back to
    std::int32_t placed;
    std::uint64_t cursor;    // next alternative
  };

  void make_room();
  std::int32_t push(const Item& item, std::int32_t rest);
  bool advance(Frame& frame);  // take the next alternative, false: none
  bool advance_all(Frame& frame);
  bool advance_pieces(Frame& frame);
  bool advance_tree(Frame& frame);
  bool advance_node(Frame& frame);
  bool advance_cells(Frame& frame);
  std::span<const std::int32_t> cells_of(const Item& item) const;
  bool reachable(std::int32_t piece, std::uint64_t node, std::int64_t mines) const;

  std::shared_ptr<const Compiled> compiled_;
  Vector<Incoming> incoming_;
  std::optional<UnderTotal<Booleans>> total_;
  Vector<Pending> arena_;
  Vector<Frame> frames_;
  Vector<std::int32_t> mines_;
  std::int32_t pending_ = -1;  // what is still to be expanded: the head of the list
  bool started_ = false, finished_ = false;
};

}  // namespace sapper
