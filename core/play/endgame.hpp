// Perfect play once the worlds can be listed.
//
// What a player knows is a set of worlds: those that show what was seen. Digs that are safe in all of
// them come first and cost nothing, so the set alone is the state of the game. Its value is the number
// of its worlds that the best player wins: for a set with a safe dig that tells something, the sum
// of the values of the parts; otherwise the best sum over all digs, each part being the worlds that
// survive the dig and show one number. Values are remembered by set. A dig can't win more worlds
// than survive it, nor a part more than it has; what can't beat the best dig so far is cut. A set
// that is a product (product.hpp) is won as often as the product of its blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "play/product.hpp"
#include "play/worlds.hpp"

namespace sapper {

// What a player may spend on perfect play at a guess: it is tried from so many worlds on, and given up
// after so much work. A small board has fewer guesses, and more for each.
struct EndgameBudget {
  double worlds;
  std::uint64_t work;
  static EndgameBudget on(std::int32_t cells, double effort);
};

class Endgame {
 public:
  static constexpr std::size_t kMostSymmetries = 64;
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t(0);
  struct Result {
    std::int32_t cell = -1;  // the best dig; -1: it would take more than the work allowed
    std::uint32_t wins = 0;  // of all worlds
  };
  // No cell of the position may be certain. A unit of work is sixteen cells of a world looked at.
  Result solve(const Worlds& worlds, std::uint64_t work, Guard& guard);

  // For whole boards: first the worlds and their symmetries, each given by the images of all worlds;
  // then any number of first digs. What is learned is kept between them. `apart`: whether products are looked
  // for, which worlds that were drawn hardly ever are.
  void begin(const Worlds& worlds, const std::vector<std::vector<std::uint32_t>>& images,
             Guard& guard, std::uint64_t work = kNoLimit, bool apart = true);
  // Whether the work allowed was not enough: what `wins_from` told means nothing then.
  bool stopped() const { return stopped_; }
  // The worlds won after this first dig, if they are at least so many; else less than that. The cell
  // is an index of Worlds::cells.
  std::uint32_t wins_from(std::size_t cell, std::uint32_t least);
  // Gives back the memory that was charged.
  void end() { memory_.reset(); }
  // Sets met since the beginning.
  std::size_t sets() const { return entries_; }

 private:
  struct Stats {
    std::vector<std::uint32_t> mines;
    std::vector<std::uint8_t> low, high;
  };
  struct Memo {
    std::uint64_t key = 0;
    std::uint32_t value = 0;
    std::uint32_t round = 0;  // twice the number of the solve, plus one if the value is exact
  };
  using Set = std::pair<std::size_t, std::size_t>;  // a range of ids_

  struct Dig {
    std::uint32_t most, cell;
  };

  // The value of a set if it is at least `least`; else something below that, but not below the value.
  std::uint32_t value(Set set, std::uint32_t least, std::size_t depth, std::int32_t* best_cell);
  // The same of a set that is remembered by this key.
  std::uint32_t value_of(std::uint64_t key, Set set, std::uint32_t least, std::size_t depth,
                         std::int32_t* best_cell);
  // The same of a set that is a product of so many blocks.
  std::uint32_t blocks(Set set, std::size_t count, std::uint32_t least, std::size_t depth,
                       std::int32_t* best_cell);
  std::uint32_t guess(Set set, std::uint32_t least, std::size_t depth, std::int32_t* best_cell);
  std::uint32_t dig(Set set, std::size_t cell, std::uint32_t survive, std::uint32_t least,
                    std::size_t depth, bool glance);
  // A bound on the value that takes one look.
  std::uint32_t at_most(Set set, std::size_t depth);
  std::uint32_t of_two(std::uint32_t a, std::uint32_t b) const;
  void start(const Worlds& worlds, std::uint64_t work, Guard& guard);
  void look(Set set, Stats& stats);
  void charge(Set set);
  void make_room(std::size_t depth);
  std::uint64_t key_of(Set set) const;
  Memo* find(std::uint64_t key);
  void remember(std::uint64_t key, std::uint32_t value, bool exact);
  void grow();

  const Worlds* worlds_ = nullptr;
  Guard* guard_ = nullptr;
  std::optional<Charge> memory_;  // of the memo
  std::uint64_t done_ = 0, most_ = 0;
  bool stopped_ = false, apart_ = true;
  std::vector<std::uint32_t> ids_, scratch_;
  std::vector<std::uint64_t> marks_;  // a random number for each world,
  std::vector<std::uint64_t> image_marks_;  // and for each symmetry those of the images
  std::vector<std::uint8_t> mine_counts_;
  std::vector<Stats> stats_;
  std::vector<std::vector<Dig>> order_;
  Product product_;
  std::vector<Memo> memo_;
  std::size_t entries_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace sapper
