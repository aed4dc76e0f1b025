// Many games at once, dug step by step from outside: what a learning player needs.
//
// A board is a row of bytes that the caller keeps: -1 covered, a number, or -2 for a mine that was dug.
// Mines are placed at the first dig, by the start rule; each board has a random stream of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "play/generate.hpp"
#include "play/optimal.hpp"
#include "system/system.hpp"

namespace sapper {

struct Rewards {
  double win = 1, lose = -1, dig = 0, nothing = 0;
};

class Arena {
 public:
  static constexpr std::int8_t kCoveredByte = -1, kMineByte = -2;
  enum Outcome : std::uint8_t { playing = 0, won = 1, lost = 2 };

  // `start` -1: the first dig is an action like any other; else it is made at the beginning, and games
  // that are over with it are not played. `tries`: how many layouts are drawn for one that needs no guess.
  Arena(Adjacency field, std::int32_t boards, std::int32_t mines, StartRule rule, std::int32_t start,
        bool no_guess, std::uint64_t tries, Rewards rewards);

  std::int32_t boards() const { return std::int32_t(games_.size()); }
  std::int32_t cells() const { return field_.cells(); }
  Outcome outcome(std::int32_t board) const { return games_[board].outcome; }
  // One byte a cell; none while there are no mines yet.
  std::span<const std::uint8_t> mines(std::int32_t board) const { return games_[board].mines; }

  void seed(std::int32_t board, std::uint64_t seed) { games_[board].random = Random(seed); }
  // A new game; `row` becomes what is visible.
  void reset(std::int32_t board, std::int8_t* row, Guard& guard);
  // Digs; returns the reward. Nothing happens at uncovered cells and in games that are over.
  double dig(std::int32_t board, std::int32_t cell, std::int8_t* row, Guard& guard);

 private:
  struct Game {
    std::vector<std::uint8_t> mines;
    std::int32_t left = 0;
    Outcome outcome = playing;
    Random random{0};
  };
  void place(Game& game, std::int32_t start, Guard& guard);
  void uncover(Game& game, std::int32_t cell, std::int8_t* row);

  Adjacency field_;
  std::int32_t mines_, start_;
  StartRule rule_;
  bool no_guess_;
  std::uint64_t tries_;
  Rewards rewards_;
  std::vector<Game> games_;
  std::vector<std::int32_t> stack_;
};

}  // namespace sapper
