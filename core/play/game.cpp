#include "play/game.hpp"

#include <algorithm>
#include <utility>

namespace sapper {

namespace {

// So many numbers speak before anybody hears them: few enough to stay near each other.
constexpr std::size_t kAtOnce = 32;

// Most cells have eight neighbours, and a loop that knows its length is quicker.
template <class F>
void each_of(std::span<const std::int32_t> cells, F f) {
  if (cells.size() == 8)
    for (std::size_t i = 0; i < 8; ++i) f(cells[i]);
  else
    for (const std::int32_t c : cells) f(c);
}

}  // namespace

Game::Game(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard)
    : field_(field),
      guard_(guard),
      truth_(std::move(mines)),
      status_(truth_.size(), covered),
      labels_(truth_.size(), 0),
      left_(truth_.size()),
      news_(truth_.size()),
      zeros_(truth_.size()),
      queue_(2 * truth_.size()) {
  std::int32_t* const mined = news_.cells.get();  // there are no news yet
  std::size_t found = 0;
  for (std::size_t c = 0; c < truth_.size(); ++c) {
    mined[found] = std::int32_t(c);
    found += truth_[c] != 0;
  }
  for (std::size_t i = 0; i < found; ++i)
    for (const std::int32_t d : field.of(mined[i])) ++labels_[d];
  for (std::uint8_t& cell : truth_) cell = cell != 0 ? flagged : revealed;
  for (std::size_t c = 0; c < left_.size(); ++c) {
    const std::int32_t around = field.offsets[c + 1] - field.offsets[c];
    left_[c] = {{around - labels_[c] + kSilent, labels_[c] + kSilent}};
  }
}

void Game::apply(std::int32_t cell) {
  news_.cells[news_.end] = cell;
  news_.end += status_[cell] == covered;
  status_[cell] = truth_[cell];
  flood();
}

// What numbers say makes all their neighbours known.
void Game::speak(List& numbers) {
  std::uint8_t* const status = status_.data();
  const std::uint8_t* const truth = truth_.data();
  std::int32_t* const news = news_.cells.get();
  for (std::size_t n = std::min(numbers.end, kAtOnce); n > 0; --n) {
    guard_.tick();
    // All that it says before a limit can end it.
    const std::int32_t c = numbers.cells[--numbers.end];
    for (std::int32_t& left : left_[c].of) left |= kSilent;
    std::size_t end = news_.end;
    each_of(field_.of(c), [&](std::int32_t d) {
      news[end] = d;
      end += status[d] == covered;
      status[d] = truth[d];
    });
    news_.end = end;
  }
  tell();
}

// The neighbours hear what is known. A number has something to say from the moment on when no mine,
// or nothing else, is left around it: that is when it is queued, at most once for each.
void Game::tell() {
  Left* const left = left_.data();
  std::int32_t* const queue = queue_.cells.get();
  std::size_t end = queue_.end;
  for (; told_ < news_.end; ++told_) {
    const std::int32_t c = news_.cells[told_];
    const bool mine = truth_[c] == flagged, zero = labels_[c] == 0;
    for (std::int32_t& l : left[c].of) l -= mine ? 0 : kSilent;
    // What a zero says is uncovered by the flood.
    zeros_.cells[zeros_.end] = c;
    zeros_.end += zero & !mine;
    queue[end] = c;
    end += ((left[c].of[0] == 0) | (left[c].of[1] == 0)) & !zero;
    each_of(field_.of(c), [&](std::int32_t d) {
      queue[end] = d;
      end += --left[d].of[mine] == 0;
    });
  }
  queue_.end = end;
}

// The neighbours of zeros. What a limit has left is uncovered when the game goes on.
void Game::flood() {
  tell();
  while (zeros_.end > 0) speak(zeros_);
}

bool Game::settle() {
  flood();
  const std::size_t before = news_.end;
  while (queue_.end > 0) {
    speak(queue_);
    flood();
  }
  return news_.end > before;
}

std::vector<std::int32_t> Game::take_news() {
  flood();
  std::vector<std::int32_t> news(&news_.cells[taken_], &news_.cells[news_.end]);
  taken_ = news_.end;
  return news;
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
