// Pieces combined under the mine total.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/by_mines.hpp"
#include "passes/by_regions.hpp"
#include "passes/pieces.hpp"
#include "passes/product_tree.hpp"

namespace sapper {

// result[x]: the worth of the free cells if all pieces together hold x mines; `most` is how many
// mines are left for the free cells if x is 0.
template <Algebra A>
Vector<typename A::T> worth_of_free_cells(const A& a, std::int64_t free, std::int64_t most,
                                               std::size_t size, Guard& guard) {
  using T = typename A::T;
  Vector<T> result(size, a.zero());
  // From C(free, rest) to C(free, rest - 1) it is one step.
  const std::int64_t first = std::max<std::int64_t>(0, most - free);
  const std::int64_t end = std::min<std::int64_t>(std::int64_t(size), most + 1);
  for (std::int64_t x = first; x < end; ++x) {
    const std::int64_t rest = most - x;
    if constexpr (Approximate<A>) {
      if (x > first) {
        result[x] = a.multiply(result[x - 1], a.from(double(rest + 1) / double(free - rest)));
        continue;
      }
    }
    guard.tick(std::uint32_t(std::min(rest, free - rest)) + 1);
    result[x] = a.weight(0, std::int32_t(free), std::int32_t(rest));
  }
  return result;
}

// All pieces and the free cells, by number of mines. A piece's polynomial counts from the fewest
// mines that it can have.
template <Algebra A>
class UnderTotal {
 public:
  using T = typename A::T;

  // What a pass over a piece needs: the values of all its nodes.
  struct Table {
    MineRanges ranges;
    Vector<T> up;

    std::span<const T> polynomial() const {
      return {up.data() + ranges.begin.back(), up.data() + up.size()};
    }
  };

  // Tables are kept while they are small. Wide pieces are passed by regions, and what goes beyond the
  // second bound is made again when it is needed.
  static constexpr std::uint64_t kKept = 1 << 20;
  static constexpr std::uint64_t kKeptRegions = 64 << 20;

  // `algebra(i)` evaluates piece i, and `algebra(number of pieces)` the free cells as group 0. A crew, if there is
  // one, shares the passes.
  template <class Make>
  UnderTotal(const Compiled& c, Make&& algebra, Guard& guard, Crew* crew = nullptr, std::uint64_t keep = kKept,
             std::uint64_t keep_regions = kKeptRegions)
      : c_(c), crew_(crew), tree_(algebra(c.pieces.size()), crew), keep_(keep), keep_regions_(keep_regions) {
    const std::size_t n = c.pieces.size();
    algebras_.reserve(n + 1);
    for (std::size_t i = 0; i <= n; ++i) algebras_.push_back(algebra(i));
    tables_.resize(n);
    least_.resize(n);
    tree_.reserve(n);
    most_ = c.total - c.forced_mines;
    if (crew_)
      raise_together(guard);
    else
      for (std::size_t i = 0; i < n; ++i)
        raise(i, keeps(range(i)), nullptr, guard, [&](std::span<const T> p) { tree_.add(p); });
    for (const std::int32_t least : least_) most_ -= least;
    tree_.multiply(std::uint64_t(std::max<std::int64_t>(0, most_)) + 1, guard);
    const A& a = algebras_.back();
    const auto all = tree_.product();
    free_ = worth_of_free_cells(a, std::int64_t(c.free.size()), most_, all.size(), guard);
    whole_ = a.zero();
    for (std::size_t x = 0; x < all.size(); ++x) a.add(whole_, a.multiply(all[x], free_[x]));
  }

  // Worth of everything.
  const T& whole() const { return whole_; }
  double log2_whole() const { return algebras_.back().log2(whole_); }

  // f(mines in the free cells, worth of the assignments that put so many there).
  template <class F>
  void for_free(F&& f) const {
    const auto all = tree_.product();
    for (std::size_t x = 0; x < all.size(); ++x) {
      const std::int64_t rest = left_for_free(x);
      if (rest >= 0 && rest <= std::int64_t(c_.free.size()))
        f(rest, algebras_.back().multiply(all[x], free_[x]));
    }
  }

  // f(i, pass) for each piece i, in turn or on several threads at once; pass(share) gives the share of each of its
  // arcs.
  template <class F>
  void for_pieces(Guard& guard, F&& f) const {
    const auto visit = [&](std::size_t i, std::span<const T> others, Crew* crew, Guard& own) {
      const Diagram& d = *c_.pieces[i].diagram;
      f(i, [&](auto&& share) {
        const Table& t = tables_[i];
        if (!t.up.empty())
          downward_by_mines(d, t.ranges, algebras_[i], t.up, others, own, share);
        else if (regions_[i])
          regions_[i]->downward(others, own, share);
        else
          ByRegions<A>(d, algebras_[i], true, own, crew).downward(others, own, share);
      });
    };
    if (!crew_) return tree_.for_others(free_, guard, [&](auto i, auto others) { visit(i, others, nullptr, guard); });
    Vector<Vector<T>> others(c_.pieces.size());
    tree_.for_others(free_, guard, [&](auto i, auto worth) { others[i].assign(worth.begin(), worth.end()); });
    share_pieces(c_, crew_, guard, [&](std::size_t i, Crew* crew, Guard& own) { visit(i, others[i], crew, own); });
  }

  // The table of a piece: the one that was kept, or made again in `space`.
  const Table& table(std::size_t i, Table& space, Guard& guard) const {
    if (!tables_[i].up.empty()) return tables_[i];
    make(i, space, guard);
    return space;
  }
  // Only of a piece whose table was kept.
  const Table& table(std::size_t i) const { return tables_[i]; }

  const A& algebra(std::size_t i) const { return algebras_[i]; }
  const ProductTree<A>& tree() const { return tree_; }
  // Worth of the free cells, if the pieces hold x mines more than they must.
  const T& free(std::size_t x) const { return free_[x]; }
  std::int32_t least(std::size_t i) const { return least_[i]; }
  // Mines left for the free cells if the pieces hold x more than they must.
  std::int64_t left_for_free(std::size_t x) const { return most_ - std::int64_t(x); }

 private:
  // Finds the ranges of a piece; returns what its table takes.
  std::uint64_t range(std::size_t i) {
    const Diagram& d = *c_.pieces[i].diagram;
    MineRanges& ranges = tables_[i].ranges;
    ranges = MineRanges(d);
    least_[i] = ranges.low.back();
    return MineRanges::bytes_for(d) + bytes_of_values(algebras_[i], ranges.entries);
  }

  // Is there room for one more table?
  bool keeps(std::uint64_t cost) {
    if (kept_ + cost > keep_) return false;
    kept_ += cost;
    return true;
  }

  // Up through a piece whose ranges are known; take(its polynomial).
  template <class Take>
  void raise(std::size_t i, bool keep, Crew* crew, Guard& guard, Take&& take) {
    const Diagram& d = *c_.pieces[i].diagram;
    Table& t = tables_[i];
    if (keep) {
      t.up = upward_by_mines(d, t.ranges, algebras_[i], guard);
      return take(t.polynomial());
    }
    t = {};
    if (regions_.empty()) regions_.resize(c_.pieces.size());
    const std::uint64_t before = guard.bytes();
    auto wide = std::make_shared<const ByRegions<A>>(d, algebras_[i], true, guard, crew);
    take(wide->polynomial());
    // Whether it is kept or made again makes no difference to what it is.
    const std::uint64_t bytes = guard.bytes() - before;
    if ((kept_regions_ += bytes) <= keep_regions_)
      regions_[i] = std::move(wide);
    else
      kept_regions_ -= bytes;
  }

  // All pieces on several threads. What is kept is the same as on one, for a table and regions round differently.
  void raise_together(Guard& guard) {
    const std::size_t n = c_.pieces.size();
    Vector<std::uint64_t> costs(n);
    crew_->spread(n, guard, [&](std::size_t i, Guard&) { costs[i] = range(i); });
    Vector<std::uint8_t> keep(n);
    for (std::size_t i = 0; i < n; ++i)
      if (!(keep[i] = keeps(costs[i]))) tables_[i] = {};
    regions_.resize(n);
    Vector<Vector<T>> polynomials(n);
    share_pieces(c_, crew_, guard, [&](std::size_t i, Crew* crew, Guard& own) {
      raise(i, keep[i], crew, own, [&](std::span<const T> p) { polynomials[i].assign(p.begin(), p.end()); });
    });
    for (const auto& p : polynomials) tree_.add(p);
  }

  void make(std::size_t i, Table& table, Guard& guard) const {
    const Diagram& d = *c_.pieces[i].diagram;
    table.ranges = MineRanges(d);
    table.up = upward_by_mines(d, table.ranges, algebras_[i], guard);
  }

  const Compiled& c_;
  Crew* crew_;
  Vector<A> algebras_;
  ProductTree<A> tree_;
  std::uint64_t keep_, keep_regions_, kept_ = 0;
  std::atomic<std::uint64_t> kept_regions_ = 0;
  Vector<Table> tables_;
  Vector<std::shared_ptr<const ByRegions<A>>> regions_;  // by piece, if any is wide
  Vector<std::int32_t> least_;
  Vector<T> free_;
  std::int64_t most_ = 0;  // mines left for the free cells if the pieces hold as few as they can
  T whole_{};
};

}  // namespace sapper
