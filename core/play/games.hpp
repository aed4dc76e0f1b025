// Many games from one call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "play/strategy.hpp"
#include "system/system.hpp"

namespace sapper {

struct Match {
  std::int32_t mines = 0;
  std::int32_t start = 0;               // the first dig of every game
  std::vector<std::int32_t> kept_free;  // cells that never have a mine
  Guessing guessing = Guessing::safest;
  double effort = 1;
};

// One entry for each game.
struct Played {
  std::vector<std::uint8_t> won;
  std::vector<std::int32_t> digs, guesses;
  std::vector<double> luck;  // the chance of surviving all guesses that were made
};

// A game for each seed: its mines are those of random_mines with that seed.
Played play_seeds(const Adjacency& field, const Match& match, std::span<const std::uint64_t> seeds,
                  Guard& guard);
// A game for each layout, one byte a cell; seeds decide what is left to chance.
Played play_layouts(const Adjacency& field, const Match& match,
                    std::span<const std::uint8_t> layouts, std::span<const std::uint64_t> seeds,
                    Guard& guard);

}  // namespace sapper
