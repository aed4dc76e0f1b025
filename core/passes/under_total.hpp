// Pieces combined under the mine total.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/by_mines.hpp"
#include "passes/by_regions.hpp"
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

  // `algebra(i)` evaluates piece i, and `algebra(number of pieces)` the free cells as group 0.
  template <class Make>
  UnderTotal(const Compiled& c, Make&& algebra, Guard& guard, std::uint64_t keep = kKept,
             std::uint64_t keep_regions = kKeptRegions)
      : c_(c), tree_(algebra(c.pieces.size())) {
    const std::size_t n = c.pieces.size();
    algebras_.reserve(n + 1);
    tables_.resize(n);
    least_.reserve(n);
    tree_.reserve(n);
    most_ = c.total - c.forced_mines;
    std::uint64_t kept = 0, kept_regions = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Diagram& d = *c.pieces[i].diagram;
      algebras_.push_back(algebra(i));
      const std::uint64_t before = guard.bytes();
      Table& t = tables_[i];
      t.ranges = MineRanges(d);
      least_.push_back(t.ranges.low.back());
      most_ -= least_.back();
      const std::uint64_t cost = MineRanges::bytes_for(d) + bytes_of_values(algebras_[i], t.ranges.entries);
      if (kept + cost <= keep) {
        kept += cost;
        t.up = upward_by_mines(d, t.ranges, algebras_[i], guard);
        tree_.add(t.polynomial());
        continue;
      }
      if (regions_.empty()) regions_.resize(n);
      t = {};
      auto wide = std::make_shared<const ByRegions<A>>(d, algebras_[i], true, guard);
      tree_.add(wide->polynomial());
      const std::uint64_t bytes = guard.bytes() - before;
      if (kept_regions + bytes > keep_regions) continue;
      kept_regions += bytes;
      regions_[i] = std::move(wide);
    }
    algebras_.push_back(algebra(n));
    tree_.multiply(std::uint64_t(std::max<std::int64_t>(0, most_)) + 1, guard);
    const A& a = algebras_.back();
    const auto all = tree_.product();
    free_ = worth_of_free_cells(a, std::int64_t(c.free.size()), most_, all.size(), guard);
    whole_ = a.zero();
    for (std::size_t x = 0; x < all.size(); ++x) a.add(whole_, a.multiply(all[x], free_[x]));
  }

  // Worth of everything.
  const T& whole() const { return whole_; }

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

  // f(i, pass) for each piece i in turn; pass(share) gives the share of each of its arcs. It is false if that needs
  // more than scaled doubles, never without them.
  template <class F>
  void for_pieces(Guard& guard, F&& f) const {
    tree_.for_others(free_, guard, [&](std::size_t i, std::span<const T> others) {
      const Diagram& d = *c_.pieces[i].diagram;
      f(i, [&](auto&& share) {
        const Table& t = tables_[i];
        if (!t.up.empty()) {
          downward_by_mines(d, t.ranges, algebras_[i], t.up, others, guard, share);
          return true;
        }
        if (regions_[i]) return regions_[i]->downward(others, guard, share);
        return ByRegions<A>(d, algebras_[i], true, guard).downward(others, guard, share);
      });
    });
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
  void make(std::size_t i, Table& table, Guard& guard) const {
    const Diagram& d = *c_.pieces[i].diagram;
    table.ranges = MineRanges(d);
    table.up = upward_by_mines(d, table.ranges, algebras_[i], guard);
  }

  const Compiled& c_;
  Vector<A> algebras_;
  ProductTree<A> tree_;
  Vector<Table> tables_;
  Vector<std::shared_ptr<const ByRegions<A>>> regions_;  // by piece, if any is wide
  Vector<std::int32_t> least_;
  Vector<T> free_;
  std::int64_t most_ = 0;  // mines left for the free cells if the pieces hold as few as they can
  T whole_{};
};

}  // namespace sapper
