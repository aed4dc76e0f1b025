#include "play/game.hpp"

#include <algorithm>
#include <utility>

namespace sapper {

Game::Game(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard)
    : field_(field),
      guard_(guard),
      mines_(std::move(mines)),
      status_(mines_.size(), covered),
      labels_(mines_.size(), 0),
      counts_(mines_.size()) {
  for (std::int32_t c = 0; c < field.cells(); ++c)
    if (mines_[c])
      for (const std::int32_t d : field.of(c)) ++labels_[d];
  for (std::int32_t c = 0; c < field.cells(); ++c)
    counts_[c] = {labels_[c] + kUnseen, std::int32_t(field.of(c).size())};
}

// A number has something to say from the moment on when its need falls to nothing or its covered
// neighbours become as few as its need: that is when it is queued, and only then.

void Game::uncover(std::int32_t c) {
  status_[c] = revealed;
  Counts* const counts = counts_.data();
  counts[c].need -= kUnseen;
  // What a zero says is uncovered by the flood.
  if (labels_[c] == 0)
    flood_.push_back(c);
  else if (counts[c].speaks())
    queue_.push_back(c);
  for (const std::int32_t d : field_.of(c)) {
    Counts& n = counts[d];
    if (--n.open == n.need && n.need != 0) queue_.push_back(d);
  }
  news_.push_back(c);
}

void Game::reveal(std::int32_t cell) {
  if (status_[cell] == covered) uncover(cell);
  flood();
}

// The neighbours of zeros. What a limit has left is uncovered when the game goes on.
void Game::flood() {
  while (!flood_.empty()) {
    guard_.tick();
    const std::int32_t c = flood_.back();
    flood_.pop_back();
    for (const std::int32_t d : field_.of(c))
      if (status_[d] == covered) uncover(d);
  }
}

void Game::mark(std::int32_t c) {
  status_[c] = flagged;
  Counts* const counts = counts_.data();
  for (const std::int32_t d : field_.of(c)) {
    Counts& n = counts[d];
    --n.open;
    if (--n.need == 0 && n.open != 0) queue_.push_back(d);
  }
  news_.push_back(c);
}

bool Game::settle() {
  bool any = false;
  flood();
  while (!queue_.empty()) {
    guard_.tick();
    const std::int32_t c = queue_.back();
    queue_.pop_back();
    if (!counts_[c].speaks()) continue;
    any = true;
    // All that it says before a limit can end it.
    const bool mines = counts_[c].need != 0;
    for (const std::int32_t d : field_.of(c))
      if (status_[d] == covered) mines ? mark(d) : uncover(d);
    flood();
  }
  return any;
}

std::vector<std::int32_t> Game::take_news() {
  flood();
  return std::exchange(news_, {});
}

System Game::visible() const {
  std::vector<std::int32_t> numbers;
  for (std::int32_t c = 0; c < field_.cells(); ++c)
    if (is_open(c)) numbers.push_back(c);
  return visible(numbers);
}

System Game::visible(const std::vector<std::int32_t>& numbers) const {
  System s;
  Vector<std::int32_t>& touched = s.cell_of;
  for (const std::int32_t c : numbers)
    for (const std::int32_t d : field_.of(c))
      if (status_[d] == covered) touched.push_back(d);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  s.variables = static_cast<std::int32_t>(s.cell_of.size());
  for (const std::int32_t c : numbers) {
    for (const std::int32_t d : field_.of(c))
      if (status_[d] == covered) {
        const auto at = std::lower_bound(s.cell_of.begin(), s.cell_of.end(), d);
        s.cells.push_back(static_cast<std::int32_t>(at - s.cell_of.begin()));
      }
    s.offsets.push_back(static_cast<std::int32_t>(s.cells.size()));
    s.counts.push_back(need(c));
    s.place_of.push_back(c);
  }
  return s;
}

}  // namespace sapper
