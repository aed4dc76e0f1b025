#include "play/percolation.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sapper {

MineOrder::MineOrder(std::int32_t cells, std::span<const std::int32_t> forbidden,
                     std::uint64_t seed)
    : random_(seed), gone_(std::size_t(cells), 0), left_(cells) {
  for (const std::int32_t c : forbidden) {
    left_ -= gone_[c] == 0;
    gone_[c] = 1;
  }
}

std::int32_t MineOrder::next() {
  if (left_ <= 0) throw std::invalid_argument("so many mines have no room");
  --left_;
  while (true) {
    const auto c = static_cast<std::int32_t>(random_.below(gone_.size()));
    if (gone_[c]) continue;
    gone_[c] = 1;
    return c;
  }
}

namespace {

class Lattice {
 public:
  explicit Lattice(std::int32_t side) : side_(side), sites_(std::size_t(side) * side) {}

  SweepState state;
  bool rows = false, columns = false;  // does a cluster wrap this way?

  void occupy(std::int32_t row, std::int32_t column) {
    const std::int32_t c = row * side_ + column;
    if (sites_[c].parent != kFree) return;
    sites_[c].parent = -1;
    ++state.sites;
    ++state.clusters;
    ++state.squares;
    state.largest = std::max<std::int64_t>(state.largest, 1);
    const std::int32_t end = side_ - 1;
    meet(c, column > 0 ? c - 1 : c + end, -1, 0);
    meet(c, column < end ? c + 1 : c - end, 1, 0);
    meet(c, row > 0 ? c - side_ : c + end * side_, 0, -1);
    meet(c, row < end ? c + side_ : c - end * side_, 0, 1);
  }

 private:
  static constexpr std::int32_t kFree = std::numeric_limits<std::int32_t>::min();
  // A site points to another of its cluster, (x, y) steps away along the cluster. A root has minus
  // the size of its cluster instead.
  struct Site {
    std::int32_t parent = kFree, x = 0, y = 0;
  };

  // Lets a site point to its root. Two walks: to the root, and again with what is known then.
  std::int32_t root(std::int32_t c) {
    std::int32_t top = c, x = 0, y = 0;
    while (sites_[top].parent >= 0) {
      x += sites_[top].x;
      y += sites_[top].y;
      top = sites_[top].parent;
    }
    while (c != top) {
      const Site old = sites_[c];
      sites_[c] = {top, x, y};
      x -= old.x;
      y -= old.y;
      c = old.parent;
    }
    return top;
  }

  // Site d is occupied or free; it lies (x, y) steps from c.
  void meet(std::int32_t c, std::int32_t d, std::int32_t x, std::int32_t y) {
    if (sites_[d].parent == kFree) return;
    std::int32_t a = root(c), b = root(d);
    // From the root of c over c and d to the root of d.
    x += (d == b ? 0 : sites_[d].x) - (c == a ? 0 : sites_[c].x);
    y += (d == b ? 0 : sites_[d].y) - (c == a ? 0 : sites_[c].y);
    if (a == b) {
      rows |= x != 0;
      columns |= y != 0;
      return;
    }
    const std::int64_t m = -std::int64_t(sites_[a].parent), n = -std::int64_t(sites_[b].parent);
    --state.clusters;
    state.squares += 2 * m * n;
    state.largest = std::max(state.largest, m + n);
    if (m > n) {
      std::swap(a, b);
      x = -x;
      y = -y;
    }
    sites_[b].parent = -static_cast<std::int32_t>(m + n);
    sites_[a] = {b, x, y};
  }

  std::int32_t side_;
  std::vector<Site> sites_;
};

}  // namespace

Sweep percolation_sweep(std::int32_t side, std::int32_t square,
                        std::span<const std::int64_t> marks, std::uint64_t seed, Guard& guard) {
  if (square < 1 || side <= square || side > 9741)
    throw std::invalid_argument("the side must be larger than the square and at most 9741");
  const std::int64_t cells = std::int64_t(side) * side;
  if (!std::is_sorted(marks.begin(), marks.end()) ||
      (!marks.empty() && (marks.front() < 0 || marks.back() > cells)))
    throw std::invalid_argument("marks must ascend from 0 to the number of cells");
  const Charge charge(guard, std::uint64_t(cells) * 13);
  Lattice lattice(side);
  MineOrder order(static_cast<std::int32_t>(cells), {}, seed);
  Sweep out;
  auto mark = marks.begin();
  const std::int32_t before = (square - 1) / 2;
  while (true) {
    for (; mark != marks.end() && *mark == lattice.state.mines; ++mark)
      out.at.push_back(lattice.state);
    if ((out.rows >= 0 && out.columns >= 0 && mark == marks.end()) || order.left() == 0) break;
    guard.tick(std::uint32_t(square * square));
    const std::int32_t c = order.next();
    ++lattice.state.mines;
    const std::int32_t top = c / side + side - before, left = c % side + side - before;
    for (std::int32_t i = 0; i < square; ++i)
      for (std::int32_t j = 0; j < square; ++j)
        lattice.occupy((top + i) % side, (left + j) % side);
    const bool first = out.rows < 0 && out.columns < 0;
    if (lattice.rows && out.rows < 0) out.rows = lattice.state.mines;
    if (lattice.columns && out.columns < 0) out.columns = lattice.state.mines;
    if (first && (lattice.rows || lattice.columns)) out.wrapped = lattice.state;
  }
  return out;
}

}  // namespace sapper
