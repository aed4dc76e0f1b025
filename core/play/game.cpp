#include "play/game.hpp"

#include <algorithm>
#include <utility>

namespace sapper {

Game::Game(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard)
    : field_(field), guard_(guard), mines_(std::move(mines)) {
  const auto n = std::size_t(field.cells());
  status_.assign(n, covered);
  labels_.assign(n, 0);
  for (std::int32_t c = 0; c < field.cells(); ++c)
    for (const std::int32_t d : field.of(c)) labels_[c] += mines_[d];
  need_.assign(n, 0);
  open_.assign(n, 0);
  queued_.assign(n, 0);
}

void Game::enqueue(std::int32_t number) {
  if (queued_[number]) return;
  queued_[number] = 1;
  queue_.push_back(number);
}

void Game::uncover(std::int32_t c) {
  status_[c] = revealed;
  need_[c] = labels_[c];
  open_[c] = 0;
  for (const std::int32_t d : field_.of(c)) {
    if (status_[d] == covered) ++open_[c];
    if (status_[d] == flagged) --need_[c];
    if (status_[d] == revealed) {
      --open_[d];
      enqueue(d);
    }
  }
  enqueue(c);
  news_.push_back(c);
}

void Game::reveal(std::int32_t cell) {
  flood_.push_back(cell);
  flood();
}

// What a limit has left is uncovered when the game goes on.
void Game::flood() {
  while (!flood_.empty()) {
    guard_.tick();
    const std::int32_t c = flood_.back();
    flood_.pop_back();
    if (status_[c] != covered) continue;
    uncover(c);
    if (labels_[c] == 0)
      for (const std::int32_t d : field_.of(c))
        if (status_[d] == covered) flood_.push_back(d);
  }
}

void Game::flag(std::int32_t c) {
  if (status_[c] != covered) return;
  status_[c] = flagged;
  for (const std::int32_t d : field_.of(c))
    if (status_[d] == revealed) {
      --need_[d];
      --open_[d];
      enqueue(d);
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
    queued_[c] = 0;
    if (open_[c] == 0 || (need_[c] != 0 && need_[c] != open_[c])) continue;
    any = true;
    // All that it says before a limit can end it: what is to be uncovered waits.
    const bool mines = need_[c] != 0;
    for (const std::int32_t d : field_.of(c))
      if (status_[d] == covered) mines ? flag(d) : flood_.push_back(d);
    flood();
  }
  return any;
}

bool Game::is_single_point(std::int32_t cell) const {
  for (const std::int32_t d : field_.of(cell))
    if (status_[d] == revealed && (need_[d] == 0 || need_[d] == open_[d])) return true;
  return false;
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
    s.counts.push_back(need_[c]);
    s.place_of.push_back(c);
  }
  return s;
}

}  // namespace sapper
