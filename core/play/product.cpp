#include "play/product.hpp"

#include <bit>

#include "base/random.hpp"

namespace sapper {

std::size_t Product::find_pieces(const Worlds& worlds, std::span<const std::uint32_t> mines, std::size_t all) {
  const std::size_t cells = worlds.cells.size();
  piece_of_.assign(cells, -1);
  const auto open = [&](std::size_t c) { return mines[c] != 0 && mines[c] != all; };
  std::size_t pieces = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    if (!open(c) || piece_of_[c] >= 0) continue;
    // What is more than fits is one piece: that splits less, and nothing wrongly.
    const std::size_t piece = pieces < kMostPieces ? pieces++ : kMostPieces - 1;
    stack_.assign(1, std::int32_t(c));
    piece_of_[c] = std::int32_t(piece);
    while (!stack_.empty()) {
      const std::int32_t at = stack_.back();
      stack_.pop_back();
      for (const std::int32_t d : worlds.around(at))
        if (open(std::size_t(d)) && piece_of_[d] < 0) {
          piece_of_[d] = std::int32_t(piece);
          stack_.push_back(d);
        }
    }
  }
  return pieces;
}

std::size_t Product::find(const Worlds& worlds, std::span<const std::uint32_t> ids,
                          std::span<const std::uint32_t> mines) {
  const std::size_t n = ids.size();
  pieces_ = find_pieces(worlds, mines, n);
  if (pieces_ < 2) return 1;
  Random random(marks_.size() + 1);
  while (marks_.size() < worlds.cells.size()) marks_.push_back(random());
  ways_.assign(n * pieces_, 0);
  sums_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t* shows = worlds.of(ids[i]);
    for (std::size_t c = 0; c < worlds.cells.size(); ++c)
      if (piece_of_[c] >= 0 && shows[c] == Worlds::kMine) {
        ways_[i * pieces_ + std::size_t(piece_of_[c])] += marks_[c];
        sums_[i] += marks_[c];
      }
  }
  alone_.clear();
  names_.clear();
  std::size_t left = n;  // ways of what is not split off
  for (std::size_t p = 0; p < pieces_; ++p) {
    std::uint64_t name, ignored;
    const std::size_t ways = distinct(p, false, name);
    if (n % ways != 0 || distinct(p, true, ignored) != n / ways) continue;
    left /= ways;
    alone_.push_back(p);
    names_.push_back(name);
  }
  has_rest_ = left > 1;
  if (alone_.empty()) return 1;
  if (has_rest_) {
    std::uint64_t sum = 0;
    for (const std::size_t p : alone_)
      for (std::size_t i = 0; i < n; ++i) sums_[i] -= ways_[i * pieces_ + p];
    count_ = alone_.size() + 1;
    // The rest is named by what its mines are where the pieces are as in the first world.
    for (std::size_t i = 0; i < n; ++i) {
      bool same = true;
      for (const std::size_t p : alone_) same = same && ways_[i * pieces_ + p] == ways_[p];
      if (same) sum += mixed(sums_[i] + 1) | 1;
    }
    names_.push_back(sum);
  } else {
    count_ = alone_.size();
  }
  return count_;
}

std::size_t Product::distinct(std::size_t piece, bool without, std::uint64_t& sum) {
  const std::size_t n = sums_.size(), bits = std::bit_width(n) + 1, mask = (std::size_t(1) << bits) - 1;
  slots_.assign(mask + 1, 0);
  std::size_t count = 0;
  sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t way = ways_[i * pieces_ + piece];
    const std::uint64_t key = mixed((without ? sums_[i] - way : way) + 1) | 1;
    std::size_t at = key >> (64 - bits);
    while (slots_[at] != 0 && slots_[at] != key) at = (at + 1) & mask;
    if (slots_[at] == key) continue;
    slots_[at] = key;
    sum += key;
    ++count;
  }
  return count;
}

void Product::append(std::span<const std::uint32_t> ids, std::size_t block, std::vector<std::uint32_t>& to) const {
  const bool rest = block >= alone_.size();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    bool same = true;
    if (!rest && has_rest_) same = sums_[i] == sums_[0];
    for (std::size_t k = 0; k < alone_.size() && same; ++k)
      if (k != block) same = ways_[i * pieces_ + alone_[k]] == ways_[alone_[k]];
    if (same) to.push_back(ids[i]);
  }
}

}  // namespace sapper
