#include "play/player.hpp"

#include <algorithm>

namespace sapper {

Player::Player(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard)
    : field_(field),
      guard_(guard),
      mines_(std::move(mines)),
      game_(field, mines_, guard),
      clauses_(field.cells()),
      analysis_(field.cells()) {
  const auto n = std::size_t(field.cells());
  value_.assign(n, -1);
  level_.assign(n, -1);
  position_.assign(n, -1);
  reason_.assign(n, kNoReason);
  trues_.assign(n, 0);
  unassigned_.assign(n, 0);
  excess_.assign(n, 0);
  violated_at_.assign(n, -1);
  active_.assign(n, 0);
  witnesses_of_.resize(n);
  is_pending_.assign(n, 0);
}

// What happened in the game reaches the search: first all values, then the clues that are still
// open. Most numbers are closed again by the time we look, and never take part.
void Player::catch_up() {
  const auto news = game_.take_news();
  for (const std::int32_t c : news) learn(c);
  for (const std::int32_t c : news)
    if (game_.is_open(c)) activate(c);
}

// A cell became visible: its value stands at level 0, off the trail unless a clause watches it.
void Player::learn(std::int32_t c) {
  if (value_[c] >= 0) return;
  const bool mine = mines_[c] != 0;
  value_[c] = mine ? 1 : 0;
  level_[c] = 0;
  reason_[c] = kNoReason;
  while (!witnesses_of_[c].empty()) break_witness(witnesses_of_[c].back());
  for (const std::int32_t d : field_.of(c)) {
    if (!active_[d]) continue;
    --unassigned_[d];
    trues_[d] += mine;
    if (game_.open(d) == 0)
      active_[d] = 0;
    else
      wake_.push_back(d);
  }
  const Literal l = literal(c, mine);
  if (clauses_.is_watched(l ^ 1)) trail_.push_back(l);
}

std::vector<std::int32_t> Player::inferences() {
  catch_up();
  // Level 0 first: it may decide pending cells without a search.
  (void)propagate();
  while (!pending_.empty()) {
    const std::int32_t c = pending_.back();
    pending_.pop_back();
    is_pending_[c] = 0;
    if (value_[c] >= 0 || !witnesses_of_[c].empty()) continue;
    if (find_flip(c))
      keep_witness();
    else
      (void)propagate();
  }
  std::vector<std::int32_t> found;
  std::erase_if(forced_, [&](std::int32_t c) { return game_.status(c) != Game::covered; });
  found = forced_;
  std::sort(found.begin(), found.end());
  return found;
}

void Player::play() {
  game_.settle();
  while (true) {
    catch_up();
    (void)propagate();
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
    const std::int32_t c = pending_.back();
    pending_.pop_back();
    is_pending_[c] = 0;
    if (value_[c] >= 0 || !witnesses_of_[c].empty()) continue;
    if (find_flip(c)) keep_witness();
  }
}

// --- witnesses ----------------------------------------------------------------------------------

void Player::need_witness(std::int32_t c) {
  if (is_pending_[c] || value_[c] >= 0 || !witnesses_of_[c].empty()) return;
  is_pending_[c] = 1;
  pending_.push_back(c);
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
  for (std::size_t i = std::size_t(limits_[0]); i < trail_.size(); ++i) {
    const std::int32_t c = variable_of(trail_[i]);
    if (value_[c] == std::int8_t(mines_[c])) continue;
    cells.push_back(c);
    witnesses_of_[c].push_back(id);
  }
  unassign_to(0);
}

void Player::break_witness(std::int32_t id) {
  for (const std::int32_t c : witnesses_[id]) {
    std::erase(witnesses_of_[c], id);
    need_witness(c);
  }
  witnesses_[id].clear();
  spare_witnesses_.push_back(id);
}

// A new number: witnesses that contradict it break, and its clue joins the search.
void Player::activate(std::int32_t c) {
  active_[c] = 1;
  trues_[c] = unassigned_[c] = 0;
  touched_.clear();
  for (const std::int32_t d : field_.of(c)) {
    if (value_[d] == 1) ++trues_[c];
    if (value_[d] >= 0) continue;
    ++unassigned_[c];
    const std::int32_t change = mines_[d] ? -1 : 1;
    for (const std::int32_t w : witnesses_of_[d]) {
      if (std::size_t(w) >= sums_.size()) sums_.resize(std::size_t(w) + 64, 0);
      touched_.push_back(w);
      sums_[w] += change;
    }
  }
  // Copy: breaking a witness asks for new ones, which does not touch this list, but stays clear.
  const std::vector<std::int32_t> met = touched_;
  for (const std::int32_t w : met) {
    if (sums_[w] != 0) {
      sums_[w] = 0;
      break_witness(w);
    }
  }
  for (const std::int32_t d : field_.of(c))
    if (value_[d] < 0) need_witness(d);
  wake_.push_back(c);
}

}  // namespace sapper
