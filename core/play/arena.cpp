#include "play/arena.hpp"

#include <algorithm>
#include <stdexcept>

#include "play/random_boards.hpp"

namespace sapper {

namespace {

constexpr int kMostBeginnings = 10'000;

}  // namespace

Arena::Arena(Adjacency field, std::int32_t boards, std::int32_t mines, StartRule rule, std::int32_t start,
             bool no_guess, std::uint64_t tries, Rewards rewards)
    : field_(std::move(field)),
      mines_(mines),
      start_(start),
      rule_(rule),
      no_guess_(no_guess),
      tries_(tries),
      rewards_(rewards),
      games_(std::size_t(boards)) {
  if (mines >= field_.cells()) throw std::invalid_argument("there is nothing to dig but mines");
  for (std::int32_t c = 0; c < field_.cells(); ++c)
    if (field_.of(c).size() > 127) throw std::invalid_argument("a cell has more than 127 neighbours");
}

void Arena::reset(std::int32_t board, std::int8_t* row, Guard& guard) {
  Game& game = games_[board];
  for (int i = 0; i < kMostBeginnings; ++i) {
    std::fill(row, row + field_.cells(), kCoveredByte);
    game.mines.clear();
    game.left = field_.cells() - mines_;
    game.outcome = playing;
    if (start_ < 0) return;
    dig(board, start_, row, guard);
    if (game.outcome == playing) return;
  }
  throw std::runtime_error("games are over with the first dig");
}

void Arena::place(Game& game, std::int32_t start, Guard& guard) {
  Wish wish;
  wish.mines = mines_;
  wish.start = start;
  if (rule_ != StartRule::any) wish.kept_free.push_back(start);
  if (rule_ == StartRule::zero)
    wish.kept_free.insert(wish.kept_free.end(), field_.of(start).begin(), field_.of(start).end());
  const std::uint64_t seed = game.random();
  if (!no_guess_) {
    game.mines = random_mines(field_.cells(), mines_, wish.kept_free, seed);
    return;
  }
  game.mines = draw(field_, wish, seed, 0, tries_, guard).mines;
  if (game.mines.empty()) throw std::runtime_error("no layout without a guess was found");
}

double Arena::dig(std::int32_t board, std::int32_t cell, std::int8_t* row, Guard& guard) {
  Game& game = games_[board];
  if (game.outcome != playing || row[cell] != kCoveredByte) return rewards_.nothing;
  if (game.mines.empty()) place(game, cell, guard);
  if (game.mines[cell]) {
    row[cell] = kMineByte;
    game.outcome = lost;
    return rewards_.lose;
  }
  uncover(game, cell, row);
  if (game.left > 0) return rewards_.dig;
  game.outcome = won;
  return rewards_.win;
}

void Arena::uncover(Game& game, std::int32_t cell, std::int8_t* row) {
  stack_.assign(1, cell);
  while (!stack_.empty()) {
    const std::int32_t at = stack_.back();
    stack_.pop_back();
    if (row[at] != kCoveredByte) continue;
    std::int32_t number = 0;
    for (const std::int32_t d : field_.of(at)) number += game.mines[d];
    row[at] = std::int8_t(number);
    --game.left;
    if (number == 0)
      for (const std::int32_t d : field_.of(at))
        if (row[d] == kCoveredByte) stack_.push_back(d);
  }
}

}  // namespace sapper
