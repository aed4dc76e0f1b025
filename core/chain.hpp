// Pieces combined under the mine total.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "compiled.hpp"
#include "evaluate.hpp"

namespace sapper {

// All pieces and the free cells in a row, by number of mines. `before[i]` is the polynomial of the
// pieces before i; `after[i]`, indexed by the mines of those pieces, the worth of piece i and all
// that follows when everything must add up to the total.
template <class A>
class Chain {
 public:
  using T = typename A::T;

  // `algebra(i)` evaluates piece i, and `algebra(number of pieces)` the free cells as group 0.
  template <class Algebra>
  Chain(const Compiled& c, Algebra&& algebra, Guard& guard) : c_(c), guard_(guard) {
    const std::size_t n = c.pieces.size();
    for (std::size_t i = 0; i <= n; ++i) algebras_.push_back(algebra(i));
    const A& a = algebras_.back();
    for (std::size_t i = 0; i < n; ++i) {
      const Diagram& d = *c.pieces[i].diagram;
      guard.take_bytes(MineRanges::bytes_for(d));
      ranges_.emplace_back(d);
      up_.push_back(upward_by_mines(d, ranges_.back(), algebras_[i], guard));
    }
    before_.resize(n + 1);
    before_[0] = {a.one()};
    low_.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto p = polynomial(i);
      low_[i + 1] = low_[i] + least(i);
      guard.take_bytes(2 * bytes_of_values(a, before_[i].size() + p.size() - 1));
      before_[i + 1].assign(before_[i].size() + p.size() - 1, a.zero());
      for (std::size_t x = 0; x < before_[i].size(); ++x) {
        guard.tick(std::uint32_t(p.size()));
        for (std::size_t y = 0; y < p.size(); ++y)
          a.add(before_[i + 1][x + y], a.multiply(before_[i][x], p[y]));
      }
    }
    // Mines left over for the free cells, as a function of the mines in all pieces.
    const auto free = std::int64_t(c.free.size());
    after_.resize(n + 1);
    auto& last = after_[n];
    last.assign(before_[n].size(), a.zero());
    for (std::size_t x = 0; x < last.size(); ++x) {
      const std::int64_t rest = left_for_free(x);
      if (rest < 0 || rest > free) continue;
      const std::int64_t known_rest = x > 0 ? left_for_free(x - 1) : -1;
      // C(free, rest) from C(free, rest + 1) when that is there: one step instead of many.
      if constexpr (!A::kExact) {
        if (x > 0 && known_rest <= free && known_rest > 0) {
          last[x] = a.multiply(last[x - 1], a.from(double(known_rest)));
          last[x] = a.multiply(last[x], a.from(1.0 / double(free - rest)));
          continue;
        }
      }
      if constexpr (requires(T t) { a.rescaled(t, 1, 1); }) {
        if (x > 0 && known_rest <= free && known_rest > 0) {
          guard.tick(1024);
          last[x] = a.rescaled(last[x - 1], std::uint64_t(known_rest), std::uint64_t(free - rest));
          continue;
        }
      }
      guard.tick(std::uint32_t(std::min(rest, free - rest)) + 1);
      last[x] = a.weight(0, std::int32_t(free), std::int32_t(rest));
    }
    for (std::size_t i = n; i-- > 0;) {
      const auto p = polynomial(i);
      after_[i].assign(before_[i].size(), a.zero());
      for (std::size_t x = 0; x < before_[i].size(); ++x) {
        guard.tick(std::uint32_t(p.size()));
        for (std::size_t y = 0; y < p.size(); ++y)
          a.add(after_[i][x], a.multiply(p[y], after_[i + 1][x + y]));
      }
    }
  }

  T whole() const { return after_[0][0]; }

  // Worth of all that lies outside piece i, by the mines of piece i.
  std::vector<T> outside(std::size_t i) const {
    const A& a = algebras_.back();
    std::vector<T> result(polynomial(i).size(), a.zero());
    for (std::size_t x = 0; x < before_[i].size(); ++x) {
      guard_.tick(std::uint32_t(result.size()));
      for (std::size_t y = 0; y < result.size(); ++y)
        a.add(result[y], a.multiply(before_[i][x], after_[i + 1][x + y]));
    }
    return result;
  }

  // f(mines in the free cells, worth of the assignments that put so many there).
  template <class F>
  void for_free(F&& f) const {
    const auto& all = before_.back();
    const auto& last = after_.back();
    for (std::size_t x = 0; x < all.size(); ++x) {
      const std::int64_t rest = left_for_free(x);
      if (rest >= 0 && rest <= std::int64_t(c_.free.size())) f(rest, algebras_.back().multiply(all[x], last[x]));
    }
  }

  template <class Share>
  void share(std::size_t i, Share&& f) const {
    const auto root = outside(i);
    downward_by_mines(*c_.pieces[i].diagram, ranges_[i], algebras_[i], up_[i], std::span<const T>(root),
                      guard_, f);
  }

  const A& algebra(std::size_t i) const { return algebras_[i]; }
  const MineRanges& ranges(std::size_t i) const { return ranges_[i]; }
  const std::vector<T>& up(std::size_t i) const { return up_[i]; }
  // Worth of pieces i, i + 1, ... and the free cells, if the pieces before i hold x mines more than
  // they must.
  const std::vector<T>& after(std::size_t i) const { return after_[i]; }
  std::int32_t least(std::size_t i) const { return ranges_[i].low.back(); }
  std::span<const T> polynomial(std::size_t i) const {
    return {up_[i].data() + ranges_[i].begin.back(), up_[i].data() + up_[i].size()};
  }
  // Mines left for the free cells if the pieces hold x more than they must.
  std::int64_t left_for_free(std::size_t x) const {
    return c_.total - c_.forced_mines - low_.back() - std::int64_t(x);
  }

 private:

  const Compiled& c_;
  std::vector<A> algebras_;
  Guard& guard_;
  std::vector<MineRanges> ranges_;
  std::vector<std::vector<T>> up_, before_, after_;
  std::vector<std::int64_t> low_;
};

}  // namespace sapper
