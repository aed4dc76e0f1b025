#include "play/sight.hpp"

#include <algorithm>

namespace sapper {

Sight::Sight(const Adjacency& field, std::int32_t mines)
    : field_(&field),
      mines_(mines),
      state_(std::size_t(field.cells())),
      number_(state_.size()),
      need_(state_.size()),
      open_(state_.size()) {
  clear();
}

void Sight::clear() {
  std::fill(state_.begin(), state_.end(), std::uint8_t(covered));
  unknown_ = cells();
  mines_left_ = mines_;
  safe_.clear();
  numbers_.clear();
  broken_ = false;
}

void Sight::show(std::int32_t cell, std::int32_t number) {
  state_[cell] = shown;
  number_[cell] = number;
  --unknown_;
  std::int32_t need = number, open = 0;
  for (const std::int32_t d : field_->of(cell)) {
    if (state_[d] == shown) {
      --open_[d];
      look(d);
    }
    open += state_[d] == covered;
    need -= state_[d] == mine;
  }
  need_[cell] = need;
  open_[cell] = open;
  if (open > 0) numbers_.insert(std::lower_bound(numbers_.begin(), numbers_.end(), cell), cell);
  look(cell);
  mark_all();
}

void Sight::look(std::int32_t number) {
  const std::int32_t open = open_[number], need = need_[number];
  if (need < 0 || need > open) broken_ = true;
  if (open == 0 || (need != 0 && need != open)) return;
  auto& found = need == 0 ? safe_ : mines_found_;
  for (const std::int32_t d : field_->of(number))
    if (state_[d] == covered) found.push_back(d);
}

void Sight::mark(std::int32_t cell) {
  mines_found_.push_back(cell);
  mark_all();
}

void Sight::mark_all() {
  while (!mines_found_.empty()) {
    const std::int32_t cell = mines_found_.back();
    mines_found_.pop_back();
    if (state_[cell] != covered) continue;
    state_[cell] = mine;
    --unknown_;
    --mines_left_;
    for (const std::int32_t d : field_->of(cell))
      if (state_[d] == shown) {
        --need_[d];
        --open_[d];
        look(d);
      }
  }
}

std::int32_t Sight::next_safe() {
  while (!safe_.empty()) {
    const std::int32_t cell = safe_.back();
    safe_.pop_back();
    if (state_[cell] == covered) return cell;
  }
  return -1;
}

void Sight::tidy() {
  std::erase_if(numbers_, [&](std::int32_t c) { return open_[c] == 0; });
}

}  // namespace sapper
