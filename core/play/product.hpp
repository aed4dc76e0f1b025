// Sets of worlds that are products: parts of the board that know nothing of each other.
//
// Two blocks of cells are independent in a set if every way to lay the mines of one goes with every
// way of the other, and no cell of one is beside a cell of the other. Then each is a game of its own:
// both must be won, and neither tells about the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "play/worlds.hpp"

namespace sapper {

class Product {
 public:
  // Looks for independent blocks of a set; tells how many there are. `mines` of the set, for each
  // cell. One: it is no product. No cell may be safe and tell something.
  std::size_t find(const Worlds& worlds, std::span<const std::uint32_t> ids,
                   std::span<const std::uint32_t> mines);
  // Appends the worlds that are as the first one outside of a block: its game alone.
  void append(std::span<const std::uint32_t> ids, std::size_t block, std::vector<std::uint32_t>& to) const;
  // The same for the same ways to lay the mines of a block, whatever is around it.
  std::uint64_t name(std::size_t block) const { return names_[block]; }

 private:
  std::size_t find_pieces(const Worlds& worlds, std::span<const std::uint32_t> mines, std::size_t all);
  // How many different names `ways_` has, by piece or by what is left without it; adds them up.
  std::size_t distinct(std::size_t piece, bool without, std::uint64_t& sum);

  static constexpr std::size_t kMostPieces = 12;
  std::vector<std::uint64_t> marks_;      // a random number for every cell
  std::vector<std::int32_t> piece_of_, stack_;
  std::vector<std::uint64_t> ways_;       // for each world and piece, a name of its mines there
  std::vector<std::uint64_t> sums_;       // for each world, of all pieces
  std::vector<std::uint64_t> names_, slots_;
  std::vector<std::size_t> alone_;        // the piece of each block; the last block is all the rest
  std::size_t pieces_ = 0, count_ = 0;
  bool has_rest_ = false;
};

}  // namespace sapper
