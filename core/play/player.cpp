#include "play/player.hpp"

#include <algorithm>
#include <utility>

namespace sapper {

Player::Player(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard)
    : field_(field),
      game_(field, std::move(mines), guard),
      search_(Terms(field), Values(), guard),
      variable_of_cell_(std::size_t(field.cells()), -1) {
  search_.allow(variable_of_cell_.size(), variable_of_cell_.size());
}

// What happened in the game reaches the search: first all values, then the numbers that are still
// open. Most numbers are closed again by the time we look, and never take part; they are sifted out
// without a branch.
void Player::catch_up() {
  const auto news = game_.take_news();
  for (const std::int32_t c : news)
    if (variable_of_cell_[c] >= 0) learn(variable_of_cell_[c]);
  open_.resize(news.size() + 1);
  std::size_t open = 0;
  for (const std::int32_t c : news) {
    open_[open] = c;
    open += game_.is_open(c);
  }
  for (std::size_t i = 0; i < open; ++i) activate(open_[i]);
  (void)search_.propagate();
  gather_forced();
}

// The cell of a variable became visible.
void Player::learn(std::int32_t v) {
  if (search_.value(v) >= 0) return;
  search_.tell(v, [&](std::int32_t sum) {
    if (game_.open(search_.terms().number(sum)) > 0) return false;
    search_.terms().close(sum);
    return true;
  });
  while (!witnesses_of_[v].empty()) break_witness(witnesses_of_[v].back());
}

void Player::gather_forced() {
  const auto& facts = search_.facts();
  for (; facts_read_ < facts.size(); ++facts_read_) {
    const std::int32_t c = search_.terms().cells[variable_of(facts[facts_read_])];
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

void Player::need_witness(std::int32_t v) {
  if (is_pending_[v] || search_.value(v) >= 0 || !witnesses_of_[v].empty()) return;
  is_pending_[v] = 1;
  pending_.push_back(v);
}

// The last of those that may lack a witness gets one, or is found to follow. It leaves the list when
// that is done, because a limit may end the search.
void Player::settle_pending() {
  const std::int32_t v = pending_.back();
  if (search_.value(v) < 0 && witnesses_of_[v].empty()) {
    if (search_.can_differ(v)) keep_witness();
    search_.drop();
    gather_forced();
  }
  pending_.pop_back();
  is_pending_[v] = 0;
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
  auto& flips = witnesses_[id];
  flips.clear();
  search_.each_change([&](std::int32_t v) {
    flips.push_back(v);
    witnesses_of_[v].push_back(id);
  });
}

void Player::break_witness(std::int32_t id) {
  for (const std::int32_t v : witnesses_[id]) {
    std::erase(witnesses_of_[v], id);
    need_witness(v);
  }
  witnesses_[id].clear();
  spare_witnesses_.push_back(id);
}

// The variable of a covered cell; a cell that had none joins the search.
std::int32_t Player::variable_at(std::int32_t c) {
  std::int32_t& v = variable_of_cell_[c];
  if (v < 0) {
    const std::int32_t added = search_.add_variable(game_.is_mine(c));
    search_.terms().add_variable(c);
    witnesses_of_.emplace_back();
    is_pending_.push_back(0);
    v = added;
  }
  return v;
}

// A new number: witnesses that contradict it break, and it joins the search.
void Player::activate(std::int32_t c) {
  const std::int32_t sum = search_.add_sum();
  touched_.clear();
  for (const std::int32_t d : field_.of(c)) {
    if (game_.status(d) != Game::covered) continue;
    const std::int32_t v = variable_at(d);
    search_.terms().put(v);
    if (search_.value(v) >= 0) continue;
    const std::int32_t change = search_.model(v) ? -1 : 1;
    for (const std::int32_t w : witnesses_of_[v]) {
      if (std::size_t(w) >= sums_.size()) sums_.resize(std::size_t(w) + 64, 0);
      touched_.push_back(w);
      sums_[w] += change;
    }
  }
  for (const std::int32_t w : touched_)
    if (std::exchange(sums_[w], 0) != 0) break_witness(w);
  search_.terms().open(sum, c);
  search_.open(sum, game_.need(c));
  search_.terms().each_term(sum, [&](std::int32_t v, std::int32_t) { need_witness(v); });
}

}  // namespace sapper
