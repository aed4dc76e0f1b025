#include "passes/enumerate.hpp"

#include <algorithm>

namespace sapper {

Enumerator::Enumerator(std::shared_ptr<const Compiled> compiled, Guard& guard)
    : compiled_(std::move(compiled)) {
  if (!compiled_->consistent) {
    finished_ = true;
    return;
  }
  for (const Piece& piece : compiled_->pieces) incoming_.emplace_back(*piece.diagram);
  if (compiled_->has_total) {
    // Walks go back and forth between pieces, so all tables stay.
    constexpr auto all = std::numeric_limits<std::uint64_t>::max();
    total_.emplace(*compiled_, [](std::size_t) { return Booleans{}; }, guard, nullptr, all);
    if (!total_->whole()) finished_ = true;
  }
  mines_.reserve(compiled_->variables);
  for (std::int32_t v = 0; v < compiled_->variables; ++v)
    if (compiled_->values[v] == 1) mines_.push_back(v);
}

// Room for one more frame. A frame leaves at most two items on the list, so both grow together.
void Enumerator::make_room() {
  const std::size_t size = std::max<std::size_t>(64, 2 * frames_.capacity());
  arena_.reserve(2 * size + 1);
  frames_.reserve(size);
}

std::int32_t Enumerator::push(const Item& item, std::int32_t rest) {
  arena_.push_back({item, rest});
  return static_cast<std::int32_t>(arena_.size()) - 1;
}

std::span<const std::int32_t> Enumerator::cells_of(const Item& item) const {
  if (item.piece < 0) return compiled_->free;
  return compiled_->pieces[item.piece].part.group(item.level);
}

// Can a node be reached with exactly so many mines below it?
bool Enumerator::reachable(std::int32_t piece, std::uint64_t node, std::int64_t mines) const {
  if (!total_) return true;
  const auto& [r, up] = total_->table(std::size_t(piece));
  if (mines < r.low[node] || mines > r.high[node]) return false;
  return up[r.begin[node] + std::uint64_t(mines - r.low[node])] != 0;
}

// Under a total: how many mines all pieces hold together, more than they must.
bool Enumerator::advance_all(Frame& f) {
  const auto product = total_->tree().product();
  for (; f.cursor < product.size(); ++f.cursor) {
    const std::uint64_t x = f.cursor;
    if (!product[x] || !total_->free(x)) continue;
    pending_ = push({Item::cells, -1, 0, 0, total_->left_for_free(x)}, f.rest);
    if (!compiled_->pieces.empty()) pending_ = push({Item::tree, 0, 0, 0, std::int64_t(x)}, pending_);
    ++f.cursor;
    return true;
  }
  return false;
}

// Under a total: how the mines of some pieces are split among their two halves.
bool Enumerator::advance_tree(Frame& f) {
  const auto& tree = total_->tree();
  const auto id = std::size_t(f.item.piece);
  if (tree.is_leaf(id)) {
    if (f.cursor++ > 0) return false;
    const std::size_t i = tree.first(id);
    const auto root = std::int32_t(compiled_->pieces[i].diagram->levels.size()) - 1;
    const std::int64_t mines = total_->least(i) + f.item.mines;
    pending_ = push({Item::node, std::int32_t(i), root, 0, mines}, f.rest);
    return true;
  }
  const auto left = tree.of(tree.left(id)), right = tree.of(tree.right(id));
  const auto mines = std::uint64_t(f.item.mines);
  for (; f.cursor < left.size() && f.cursor <= mines; ++f.cursor) {
    const std::uint64_t y = f.cursor;
    if (mines - y >= right.size() || !left[y] || !right[mines - y]) continue;
    pending_ = push({Item::tree, std::int32_t(tree.right(id)), 0, 0, std::int64_t(mines - y)}, f.rest);
    pending_ = push({Item::tree, std::int32_t(tree.left(id)), 0, 0, std::int64_t(y)}, pending_);
    ++f.cursor;
    return true;
  }
  return false;
}

// Without a total: one piece after the other.
bool Enumerator::advance_pieces(Frame& f) {
  if (f.cursor++ > 0) return false;
  const auto i = std::size_t(f.item.piece);
  pending_ = f.rest;
  if (i == compiled_->pieces.size()) {
    pending_ = push({Item::cells, -1, 0, 0, -1}, pending_);
  } else {
    pending_ = push({Item::pieces, f.item.piece + 1, 0, 0, -1}, pending_);
    const auto root = std::int32_t(compiled_->pieces[i].diagram->levels.size()) - 1;
    pending_ = push({Item::node, f.item.piece, root, 0, -1}, pending_);
  }
  return true;
}

bool Enumerator::advance_node(Frame& f) {
  const Diagram& d = *compiled_->pieces[f.item.piece].diagram;
  const auto& level = d.levels[f.item.level];
  const auto arcs = incoming_[f.item.piece].arcs[level.first_node + f.item.node_or_cell];
  if (!level.is_join()) {
    for (; f.cursor < arcs.size(); ++f.cursor) {
      const auto [source, value] = arcs[f.cursor];
      const std::int64_t left = f.item.mines < 0 ? -1 : f.item.mines - std::int64_t(value);
      if (f.item.mines >= 0) {
        if (level.left < 0 ? left != 0
                           : !reachable(f.item.piece, d.levels[level.left].first_node + source, left))
          continue;
      }
      pending_ = f.rest;
      if (level.left >= 0)
        pending_ = push({Item::node, f.item.piece, level.left, source, left}, pending_);
      pending_ = push({Item::cells, f.item.piece, level.group, 0, std::int64_t(value)}, pending_);
      ++f.cursor;
      return true;
    }
    return false;
  }
  // A join: the arc and, under a total, how its mines are split.
  const std::uint64_t ways = f.item.mines < 0 ? 1 : std::uint64_t(f.item.mines) + 1;
  for (; f.cursor < arcs.size() * ways; ++f.cursor) {
    const auto [left, right] = arcs[f.cursor / ways];
    std::int64_t left_mines = -1, right_mines = -1;
    if (f.item.mines >= 0) {
      left_mines = std::int64_t(f.cursor % ways);
      right_mines = f.item.mines - left_mines;
      if (!reachable(f.item.piece, d.levels[level.left].first_node + left, left_mines) ||
          !reachable(f.item.piece, d.levels[level.right].first_node + right, right_mines))
        continue;
    }
    pending_ = push({Item::node, f.item.piece, level.right, right, right_mines}, f.rest);
    pending_ = push({Item::node, f.item.piece, level.left, left, left_mines}, pending_);
    ++f.cursor;
    return true;
  }
  return false;
}

// Decide one cell of a group (or of the free cells): first without a mine, then with one.
bool Enumerator::advance_cells(Frame& f) {
  const auto cells = cells_of(f.item);
  const std::uint32_t i = f.item.node_or_cell;
  const auto left = std::int64_t(cells.size()) - std::int64_t(i);
  for (; f.cursor < 2; ++f.cursor) {
    const auto mine = std::int64_t(f.cursor);
    if (left == 0) {
      if (mine == 1) return false;
      pending_ = f.rest;
      ++f.cursor;
      return true;
    }
    std::int64_t mines = f.item.mines;
    if (mines >= 0) {
      mines -= mine;
      if (mines < 0 || mines > left - 1) continue;
    }
    if (mine) mines_.push_back(cells[i]);
    pending_ = left == 1 ? f.rest : push({Item::cells, f.item.piece, f.item.level, i + 1, mines}, f.rest);
    ++f.cursor;
    return true;
  }
  return false;
}

bool Enumerator::advance(Frame& f) {
  arena_.resize(f.arena);
  mines_.resize(f.placed);
  switch (f.item.kind) {
    case Item::all: return advance_all(f);
    case Item::pieces: return advance_pieces(f);
    case Item::tree: return advance_tree(f);
    case Item::node: return advance_node(f);
    default: return advance_cells(f);
  }
}

const Vector<std::int32_t>* Enumerator::next(Guard& guard) {
  if (finished_) return nullptr;
  if (!started_) {
    pending_ = push({total_ ? Item::all : Item::pieces, 0, 0, 0, -1}, -1);
    started_ = true;
  } else if (pending_ < 0) {
    while (!frames_.empty() && !advance(frames_.back())) {
      guard.tick();
      frames_.pop_back();
    }
    if (frames_.empty()) {
      finished_ = true;
      return nullptr;
    }
  }
  while (pending_ >= 0) {
    guard.tick();
    if (frames_.size() == frames_.capacity()) make_room();
    const Pending taken = arena_[pending_];
    frames_.push_back({taken.item, taken.next, std::int32_t(arena_.size()),
                       std::int32_t(mines_.size()), 0});
    // Every item on the list has a completion, so an alternative exists.
    if (!advance(frames_.back())) {
      finished_ = true;
      return nullptr;
    }
  }
  return &mines_;
}

}  // namespace sapper
