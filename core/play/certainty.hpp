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
  // Where play ended.
  const Sight& sight() const { return sight_; }

 private:
  bool has_twins(std::span<const std::uint8_t> mines, std::int32_t start);
  bool go_on();
  void dig(std::int32_t cell);
  void dig_singles();
  bool dig_pairs();
  bool dig_regions();
  bool dig_by_total();
  bool dig_by_engine();

  const Adjacency* field_;
  bool use_total_;
  Guard* guard_;
  Sight sight_;
  Frontier frontier_;
  std::vector<std::uint64_t> marks_, free_around_;
  std::vector<std::int32_t> numbers_, found_;
  std::vector<std::uint32_t> met_;
  std::uint32_t round_ = 0;
  bool fits_ = true, weighed_ = false;  // the regions, and their chances under the total
};

}  // namespace sapper
