#include "play/player.hpp"

#include <algorithm>
#include <utility>

namespace sapper {

Player::Player(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard)
    : field_(field),
      game_(field, mines, guard),
      search_(Terms(field), Values(mines.begin(), mines.end()), guard),
      witnesses_of_(mines.size()),
      is_pending_(mines.size(), 0) {
  search_.expect(mines.size());
}

// What happened in the game reaches the search: first all values, then the numbers that are still
// open. Most numbers are closed again by the time we look, and never take part.
void Player::catch_up() {
  const auto news = game_.take_news();
  for (const std::int32_t c : news) learn(c);
  for (const std::int32_t c : news)
    if (game_.is_open(c)) activate(c);
  (void)search_.propagate();
  gather_forced();
}

// A cell became visible.
void Player::learn(std::int32_t c) {
  if (search_.value(c) >= 0) return;
  search_.tell(c, [&](std::int32_t number) {
    if (game_.open(number) > 0) return false;
    search_.terms().set_open(number, false);
    return true;
  });
  while (!witnesses_of_[c].empty()) break_witness(witnesses_of_[c].back());
}

void Player::gather_forced() {
  const auto& facts = search_.facts();
  for (; facts_read_ < facts.size(); ++facts_read_) {
    const std::int32_t c = variable_of(facts[facts_read_]);
    if (game_.status(c) == Game::covered) forced_.push_back(c);
  }
}

std::vector<std::int32_t> Player::inferences() {
  catch_up();
  while (!pending_.empty()) settle_pending();
  std::erase_if(forced_, [&](std::int32_t c) { return game_.status(c) != Game::covered; });
  std::vector<std::int32_t> found = forced_;
  std::sort(found.begin(), found.end());
  return found;
}

void Player::play() {
  game_.settle();
  while (true) {
    catch_up();
    // One cell at a time: what follows from single clues is always cheaper than a search.
    bool moved = false;
    while (!forced_.empty()) {
      const std::int32_t c = forced_.back();
      forced_.pop_back();
      if (game_.status(c) != Game::covered) continue;
      game_.apply(c);
      moved = true;
    }
    if (moved) {
      game_.settle();
      continue;
    }
    if (pending_.empty()) return;
    settle_pending();
  }
}

// --- witnesses ----------------------------------------------------------------------------------

void Player::need_witness(std::int32_t c) {
  if (is_pending_[c] || search_.value(c) >= 0 || !witnesses_of_[c].empty()) return;
  is_pending_[c] = 1;
  pending_.push_back(c);
}

// The last of those that may lack a witness gets one, or is found to follow. It leaves the list when
// that is done, because a limit may end the search.
void Player::settle_pending() {
  const std::int32_t c = pending_.back();
  if (search_.value(c) < 0 && witnesses_of_[c].empty()) {
    ++probes_;
    if (search_.can_differ(c)) keep_witness();
    search_.drop();
    gather_forced();
  }
  pending_.pop_back();
  is_pending_[c] = 0;
}

void Player::keep_witness() {
  std::int32_t id;
  if (spare_witnesses_.empty()) {
    id = static_cast<std::int32_t>(witnesses_.size());
    witnesses_.emplace_back();
  } else {
    id = spare_witnesses_.back();
    spare_witnesses_.pop_back();
  }
  auto& cells = witnesses_[id];
  cells.clear();
  search_.each_change([&](std::int32_t c) {
    cells.push_back(c);
    witnesses_of_[c].push_back(id);
  });
}

void Player::break_witness(std::int32_t id) {
  for (const std::int32_t c : witnesses_[id]) {
    std::erase(witnesses_of_[c], id);
    need_witness(c);
  }
  witnesses_[id].clear();
  spare_witnesses_.push_back(id);
}

// A new number: witnesses that contradict it break, and it joins the search.
void Player::activate(std::int32_t c) {
  touched_.clear();
  for (const std::int32_t d : field_.of(c)) {
    if (search_.value(d) >= 0) continue;
    const std::int32_t change = search_.model(d) ? -1 : 1;
    for (const std::int32_t w : witnesses_of_[d]) {
      if (std::size_t(w) >= sums_.size()) sums_.resize(std::size_t(w) + 64, 0);
      touched_.push_back(w);
      sums_[w] += change;
    }
  }
  for (const std::int32_t w : touched_)
    if (std::exchange(sums_[w], 0) != 0) break_witness(w);
  for (const std::int32_t d : field_.of(c)) need_witness(d);
  search_.terms().set_open(c, true);
  search_.open(c, game_.label(c));
}

}  // namespace sapper
