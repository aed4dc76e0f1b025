// Whether certainty alone finishes a board, found as early as possible.
//
// Single numbers are asked first, then pairs of them, then whole regions, and the total last: what an
// earlier step finds is never looked for by a later one. What is found does not depend on that
// order, because knowledge only grows; the cost does.
//
// Many boards need no play to be refused. Let two cells, a mine and a free one, have the same free
// neighbours besides each other. To swap them changes no number anywhere, so neither can be told
// from the other before one of them is dug.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "play/frontier.hpp"
#include "play/sight.hpp"

namespace sapper {

class Certainty {
 public:
  // `use_total`: the player knows how many mines there are.
  Certainty(const Adjacency& field, std::int32_t mines, bool use_total, Guard& guard);

  // Digs at the start and then all that is certain. True if nothing stays covered but mines.
  // `mines`: one byte a cell.
  bool finishes(std::span<const std::uint8_t> mines, std::int32_t start);
  // The same without a look for cells that can be swapped: to the very end, for the sake of what can
  // be seen then.
  bool play(std::span<const std::uint8_t> mines, std::int32_t start);

  // The same step by step. False: the start is a mine.
  bool begin(std::span<const std::uint8_t> mines, std::int32_t start);
  // All that single numbers say.
  void settle();
  // What pairs of numbers say, all of it or only the first. False: nothing.
  bool use_pairs(bool all);
  // Cells that are certain, by whole regions and, if those say nothing, by the total. None: only a
  // guess is left. Single numbers must have nothing to say.
  std::span<const std::int32_t> find();
  bool by_total() const { return by_total_; }
  // The regions and groups that they came from; none if the engine was asked.
  std::span<const std::pair<std::int32_t, std::int32_t>> groups() const { return groups_; }
  // Dig a cell or mark it, according to the truth.
  void apply(std::int32_t cell);
  // The free cell with the least chance of a mine, the first of equals. After `find`.
  std::int32_t safest();

  const Sight& sight() const { return sight_; }
  const Frontier& frontier() const { return frontier_; }
  bool is_mine(std::int32_t cell) const { return mines_[cell] != 0; }
  // What is visible, as a position has it.
  std::vector<std::int32_t> labels() const;

 private:
  bool has_twins(std::span<const std::uint8_t> mines, std::int32_t start);
  void find_by_regions();
  void find_by_total();
  void find_by_engine();

  const Adjacency* field_;
  bool use_total_;
  Guard* guard_;
  Sight sight_;
  Frontier frontier_;
  std::span<const std::uint8_t> mines_;
  std::vector<std::uint64_t> marks_, free_around_;
  std::vector<std::int32_t> numbers_, found_, queue_;
  std::vector<std::pair<std::int32_t, std::int32_t>> groups_;
  std::vector<std::uint32_t> met_;
  std::uint32_t round_ = 0;
  bool fits_ = true, weighed_ = false;  // the regions, and their chances under the total
  bool by_total_ = false;
};

}  // namespace sapper
