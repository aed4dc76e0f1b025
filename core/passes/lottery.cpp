#include "passes/lottery.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "passes/under_total.hpp"

namespace sapper {

MineLottery::MineLottery(const Compiled& c, Vector<std::int64_t> least,
                         Vector<Vector<BigNat>> ways, bool always_exact, Guard& guard)
    : free_cells_(std::int64_t(c.free.size())),
      left_over_(c.total - c.forced_mines),
      least_(std::move(least)),
      ways_(std::move(ways)),
      tree_(WideFloats{}) {
  const WideFloats a;
  tree_.reserve(ways_.size());
  Vector<Wide> p;
  double length = 1;  // of the product, if no power is left out
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    left_over_ -= least_[i];
    length += double(ways_[i].size() - 1);
    p.clear();
    for (const BigNat& number : ways_[i]) p.push_back(number.wide());
    tree_.add(p);
  }
  tree_.multiply(std::uint64_t(std::max<std::int64_t>(0, left_over_)) + 1, guard);
  const auto product = tree_.product();
  all_ = worth_of_free_cells(a, free_cells_, left_over_, product.size(), guard);
  for (std::size_t x = 0; x < all_.size(); ++x) {
    all_[x] = a.multiply(all_[x], product[x]);
    a.add(whole_, all_[x]);
  }
  possible_ = whole_.mantissa != 0;
  // Roundings, of 2^-53 each at most. A product has the errors of its factors, and at every level
  // of the tree one for the multiplication and one for each addition; a binomial coefficient has
  // three for every step from the first; sums of shares and their quotients come last. Twice
  // that, for numerator and denominator, and once more to be safe.
  const auto levels = double(std::bit_width(ways_.size()));
  const double roundings = 4 * double(ways_.size()) + (levels + 6) * length + 16;
  margin_ = always_exact ? 2.0 : 4 * roundings * 0x1p-53;
}

template <class Share, class Prepare, class Count>
std::size_t MineLottery::choose(std::size_t size, Random& random, Random& tail, Share&& share,
                                Prepare&& prepare, Count&& count, Guard& guard) {
  if (size == 1) return 0;
  const std::uint64_t head = random();
  const double at = double(head) * 0x1p-64;
  double below = 0;
  for (std::size_t i = 0; i < size; ++i) {
    guard.tick();
    const double above = below + share(i);
    if (at < above + margin_) {
      if ((below != 0 && at < below + margin_) || at > above - margin_) break;
      return i;
    }
    below = above;
  }
  // The draw is head * (all ways) + (something below all ways), out of 2^64 * (all ways).
  prepare();
  BigNat sum;
  for (std::size_t i = 0; i < size; ++i) sum += count(i);
  BigNat left = sum;
  left.scale(head);
  left += BigNat::below(sum, tail);
  for (std::size_t i = 0;; ++i) {
    guard.tick(64);
    BigNat ways = count(i);
    ways.scale(std::uint64_t(1) << 32);
    ways.scale(std::uint64_t(1) << 32);
    if (left < ways) return i;
    left -= ways;
  }
}

Vector<BigNat> MineLottery::exact_product(std::size_t first, std::size_t last,
                                               std::size_t powers, Guard& guard) const {
  Vector<BigNat> product{BigNat(1)};
  for (std::size_t i = first; i < last; ++i) {
    const auto& p = ways_[i];
    Vector<BigNat> next(std::min(product.size() + p.size() - 1, powers));
    for (std::size_t x = 0; x < product.size(); ++x)
      for (std::size_t y = 0; y < p.size() && x + y < next.size(); ++y) {
        guard.tick(std::uint32_t(product[x].bits() / 64 + 1));
        next[x + y] += product[x] * p[y];
      }
    product = std::move(next);
  }
  return product;
}

std::size_t MineLottery::draw_all(Random& random, Random& tail, Guard& guard) {
  // Only so many that the free cells can hold the rest.
  const auto first = std::size_t(std::max<std::int64_t>(0, left_over_ - free_cells_));
  Vector<BigNat> counts;
  auto prepare = [&] {
    counts = exact_product(0, ways_.size(), all_.size(), guard);
    auto rest = left_over_ - std::int64_t(first);
    const auto fewer = std::min(rest, free_cells_ - rest);
    BigNat binomial = BigNat::binomial(std::uint32_t(free_cells_), std::uint32_t(fewer));
    for (std::size_t x = first; x < counts.size(); ++x, --rest) {
      guard.tick(1024);
      counts[x] = counts[x] * binomial;
      binomial.scale(std::uint64_t(rest));
      binomial.divide(std::uint64_t(free_cells_ - rest + 1));
    }
  };
  return first + choose(
                     all_.size() - first, random, tail,
                     [&](std::size_t i) { return WideFloats::ratio(all_[first + i], whole_); },
                     prepare, [&](std::size_t i) { return counts[first + i]; }, guard);
}

std::size_t MineLottery::end_of(std::size_t node) const {
  while (!tree_.is_leaf(node)) node = tree_.right(node);
  return tree_.first(node) + 1;
}

std::size_t MineLottery::draw_left(std::size_t node, std::size_t mines, Random& random,
                                   Random& tail, Guard& guard) {
  const WideFloats a;
  const std::size_t l = tree_.left(node), r = tree_.right(node);
  const auto left = tree_.of(l), right = tree_.of(r);
  const Wide whole = tree_.of(node)[mines];
  const std::size_t first = mines - std::min(mines, right.size() - 1);
  const std::size_t last = std::min(mines, left.size() - 1);
  Vector<BigNat> x, y;
  auto prepare = [&] {
    x = exact_product(tree_.first(l), end_of(l), left.size(), guard);
    y = exact_product(tree_.first(r), end_of(r), right.size(), guard);
  };
  auto share = [&](std::size_t i) {
    return WideFloats::ratio(a.multiply(left[first + i], right[mines - first - i]), whole);
  };
  auto count = [&](std::size_t i) { return x[first + i] * y[mines - first - i]; };
  return first + choose(last - first + 1, random, tail, share, prepare, count, guard);
}

std::int64_t MineLottery::draw(Random& random, Random& tail, Vector<std::int64_t>& mines,
                               Guard& guard) {
  const std::size_t all = draw_all(random, tail, guard);
  mines.assign(ways_.size(), 0);
  Vector<std::pair<std::size_t, std::size_t>> stack;
  if (!ways_.empty()) stack.emplace_back(0, all);
  while (!stack.empty()) {
    const auto [node, here] = stack.back();
    stack.pop_back();
    if (tree_.is_leaf(node)) {
      mines[tree_.first(node)] = least_[tree_.first(node)] + std::int64_t(here);
      continue;
    }
    const std::size_t left = draw_left(node, here, random, tail, guard);
    stack.emplace_back(tree_.right(node), here - left);
    stack.emplace_back(tree_.left(node), left);
  }
  return left_over_ - std::int64_t(all);
}

}  // namespace sapper
