// Passes over a diagram by number of mines.
//
// They carry, instead of one value, a value for every number of mines placed so far (a polynomial
// in x). The downward pass starts from an arbitrary vector at the root: entry m is the worth of
// everything outside the component if the component has m mines. That is how a mine total reaches
// into a component at the price of one pass.
//
// `upward_by_mines` keeps the values of all nodes. A wide component has too many of them, so
// `Checkpoints` keeps those of some levels only and makes the others again, a stretch at a time,
// when the pass down comes by: with n levels, about 2 / sqrt(n) of the memory for one more pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "passes/evaluate.hpp"
#include "passes/products.hpp"

namespace sapper {

// Least and most mines by which each node can be reached; node values of polynomials are stored
// one after the other, `begin[node]` is the entry for `low[node]` mines.
struct MineRanges {
  Vector<std::int32_t> low, high;
  Vector<std::uint64_t> begin;
  std::uint64_t entries = 0;

  MineRanges() = default;
  explicit MineRanges(const Diagram& d);

  std::int32_t length(std::uint64_t node) const { return high[node] - low[node] + 1; }
  std::uint64_t entries_of(const Diagram::Level& level) const {
    const std::uint64_t end = level.first_node + level.nodes;
    return (end < begin.size() ? begin[end] : entries) - begin[level.first_node];
  }

  static std::uint64_t bytes_for(const Diagram& d) { return d.nodes * 16; }
};

// y[i] += z[i] * w; returns the sum of x[i] * z[i] * w.
template <Algebra A, class T>
T add_seen(const A& a, T* __restrict y, const T* __restrict x, const T* __restrict z, const T& w,
           std::int32_t n) {
  T sum = a.zero();
  std::int32_t i = 0;
  if constexpr (std::is_same_v<A, Floats>) {
    // Four sums side by side, so that no addition waits for the one before.
    double part[4] = {0, 0, 0, 0};
    for (; i + 4 <= n; i += 4)
      for (std::int32_t k = 0; k < 4; ++k) {
        const double on = w * z[i + k];
        y[i + k] += on;
        part[k] += x[i + k] * on;
      }
    sum = (part[0] + part[1]) + (part[2] + part[3]);
  }
  for (; i < n; ++i) {
    const T on = a.multiply(w, z[i]);
    a.add(y[i], on);
    a.add(sum, a.multiply(x[i], on));
  }
  return sum;
}

// The nodes of a level that are one thread's own: neighbours, which share lines of the cache.
class Own {
 public:
  Own(std::size_t part, std::size_t parts, std::uint64_t nodes)
      : from_(std::uint32_t(nodes * part / parts)), number_(std::uint32_t(nodes * (part + 1) / parts) - from_) {}
  bool has(std::uint32_t node) const { return node - from_ < number_; }

 private:
  std::uint32_t from_, number_;
};

// f(part, parts, guard) for a join, by as many threads as its products are worth, and nodes that they lead to: each goes
// through all arcs and does what leads to nodes of its own, so that each sum adds up in the same order.
template <class F>
void share_join(const Diagram& d, const MineRanges& m, const Diagram::Level& level, std::uint32_t nodes, Crew* crew,
                Guard& guard, F&& f) {
  if (crew) {
    const auto length = [&](std::int32_t below) {
      return double(m.entries_of(d.levels[below])) / d.levels[below].nodes;
    };
    const double products = double(arcs_of(level)) / 3 * length(level.left) * length(level.right);
    const std::size_t parts = parts_of(products, kFewProducts, std::min(nodes, 4 * crew->threads()));
    if (parts > 1) return crew->spread(parts, guard, [&](std::size_t part, Guard& own) { f(part, parts, own); });
  }
  f(0, 1, guard);
}

// One level of the pass up. `left` and `right` are the values of the levels below, and `here` those
// of the level, zero so far; each begins with the first node of its level.
template <Algebra A>
void raise_level(const Diagram& d, const MineRanges& m, const A& a, const Diagram::Level& level,
                 const typename A::T* left, const typename A::T* right, typename A::T* here,
                 Crew* crew, Guard& guard) {
  using T = typename A::T;
  guard.tick(arcs_of(level));
  if (level.is_start()) {
    std::fill_n(here, level.nodes, a.one());
    return;
  }
  const std::uint64_t h0 = m.begin[level.first_node];
  if (level.is_join()) {
    const std::uint64_t l0 = d.levels[level.left].first_node, r0 = d.levels[level.right].first_node;
    share_join(d, m, level, level.nodes, crew, guard, [&](std::size_t part, std::size_t parts, Guard& own) {
      const Own targets(part, parts, level.nodes);
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        if (!targets.has(n)) return;
        const std::uint64_t ln = l0 + l, rn = r0 + r, hn = level.first_node + n;
        const T* x = left + (m.begin[ln] - m.begin[l0]);
        const T* y = right + (m.begin[rn] - m.begin[r0]);
        T* z = here + (m.begin[hn] - h0) + (m.low[ln] + m.low[rn] - m.low[hn]);
        const std::int32_t nx = m.length(ln), ny = m.length(rn);
        own.tick(std::uint32_t(std::min<std::int64_t>(std::int64_t(nx) * ny, 1 << 30)));
        add_product(a, z, x, nx, y, ny);
      });
    });
    return;
  }
  const LevelWeights<A> w(level, d, a);
  if (level.left < 0) {
    for_choice_arcs(d, level, [&](auto, auto v, auto n) {
      const std::uint64_t hn = level.first_node + n;
      a.add(here[m.begin[hn] - h0 + std::uint64_t(level.value_low + v - m.low[hn])], w[v]);
    });
    return;
  }
  const std::uint64_t l0 = d.levels[level.left].first_node;
  for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
    const std::uint64_t hn = level.first_node + n, sn = l0 + s;
    const std::int32_t nx = m.length(sn);
    guard.tick(std::uint32_t(nx));
    add_scaled(a, here + (m.begin[hn] - h0) + (m.low[sn] + level.value_low + v - m.low[hn]),
               left + (m.begin[sn] - m.begin[l0]), w[v], nx);
  });
}

// One level of the pass down. `here` are the values of this level from above, `left` and `right`
// those of the levels below from below; what goes on to these is added to `on_left`, `on_right`.
template <Algebra A, class Share>
void lower_level(const Diagram& d, const MineRanges& m, const A& a, const Diagram::Level& level,
                 const typename A::T* here, const typename A::T* left, const typename A::T* right,
                 typename A::T* on_left, typename A::T* on_right, Crew* crew, Guard& guard, Share&& share) {
  using T = typename A::T;
  if (level.is_start()) return;
  guard.tick(arcs_of(level));
  const std::uint64_t h0 = m.begin[level.first_node];
  if (level.is_join()) {
    const std::uint64_t l0 = d.levels[level.left].first_node, r0 = d.levels[level.right].first_node;
    const std::uint32_t left_nodes = d.levels[level.left].nodes, right_nodes = d.levels[level.right].nodes;
    const std::uint32_t most = std::max(left_nodes, right_nodes);
    share_join(d, m, level, most, crew, guard, [&](std::size_t part, std::size_t parts, Guard& own) {
      const Own lefts(part, parts, left_nodes), rights(part, parts, right_nodes);
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        const bool to_left = lefts.has(l), to_right = rights.has(r);
        if (!to_left && !to_right) return;
        const std::uint64_t ln = l0 + l, rn = r0 + r, hn = level.first_node + n;
        const std::uint64_t lo = m.begin[ln] - m.begin[l0], ro = m.begin[rn] - m.begin[r0];
        const T* z = here + (m.begin[hn] - h0) + (m.low[ln] + m.low[rn] - m.low[hn]);
        const std::int32_t nx = m.length(ln), ny = m.length(rn);
        own.tick(std::uint32_t(std::min<std::int64_t>(std::int64_t(nx) * ny, 1 << 30)));
        if (to_right) add_seen_through(a, on_right + ro, ny, left + lo, nx, z);
        if (to_left) add_seen_through(a, on_left + lo, nx, right + ro, ny, z);
      });
    });
    return;
  }
  const LevelWeights<A> w(level, d, a);
  if (level.left < 0) {
    for_choice_arcs(d, level, [&](auto, auto v, auto n) {
      const std::uint64_t hn = level.first_node + n;
      const std::int32_t mines = level.value_low + v;
      share(level.group, mines,
            a.multiply(w[v], here[m.begin[hn] - h0 + std::uint64_t(mines - m.low[hn])]));
    });
    return;
  }
  const std::uint64_t l0 = d.levels[level.left].first_node;
  for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
    const std::uint64_t hn = level.first_node + n, sn = l0 + s;
    const std::int32_t mines = level.value_low + v, nx = m.length(sn);
    const std::uint64_t lo = m.begin[sn] - m.begin[l0];
    guard.tick(std::uint32_t(nx));
    share(level.group, mines,
          add_seen(a, on_left + lo, left + lo,
                   here + (m.begin[hn] - h0) + (m.low[sn] + mines - m.low[hn]), w[v], nx));
  });
}

template <Algebra A>
Vector<typename A::T> upward_by_mines(const Diagram& d, const MineRanges& m, const A& a,
                                           Guard& guard) {
  Vector<typename A::T> value = filled(m.entries, a.zero(), guard);
  auto of = [&](std::int32_t level) {
    return level < 0 ? nullptr : value.data() + m.begin[d.levels[level].first_node];
  };
  for (std::size_t i = 0; i < d.levels.size(); ++i) {
    const auto& level = d.levels[i];
    raise_level(d, m, a, level, of(level.left), level.is_join() ? of(level.right) : nullptr,
                of(std::int32_t(i)), nullptr, guard);
  }
  return value;
}

// `root` has one entry per number of mines the root can have, from least to most. `share(group,
// value, worth)` receives, once per choice arc, the worth of the solutions through it.
template <Algebra A, class Share>
void downward_by_mines(const Diagram& d, const MineRanges& m, const A& a,
                       const Vector<typename A::T>& up, std::span<const typename A::T> root,
                       Guard& guard, Share&& share) {
  using T = typename A::T;
  Vector<T> value = filled(m.entries, a.zero(), guard);
  std::copy(root.begin(), root.end(), value.begin() + std::ptrdiff_t(m.begin[d.nodes - 1]));
  for (auto i = std::int32_t(d.levels.size()) - 1; i >= 0; --i) {
    const auto& level = d.levels[i];
    auto begin = [&](std::int32_t below) {
      return below < 0 ? 0 : m.begin[d.levels[below].first_node];
    };
    const std::uint64_t l = begin(level.left), r = begin(level.is_join() ? level.right : -1);
    lower_level(d, m, a, level, value.data() + begin(i), up.data() + l, up.data() + r,
                value.data() + l, value.data() + r, nullptr, guard, share);
  }
}

// Both passes by mines in little memory.
template <Algebra A>
class Checkpoints {
 public:
  using T = typename A::T;

  // The pass up. If `again` is false only the root is kept, and there is no way down. A crew, if there is one, shares
  // what joins take.
  Checkpoints(const Diagram& d, const MineRanges& m, const A& a, bool again, Guard& guard, Crew* crew = nullptr)
      : d_(&d), m_(&m), a_(a), crew_(crew), kept_(d.levels.size()) {
    const std::size_t n = d.levels.size();
    const auto stretch = std::uint64_t(double(m.entries) / std::sqrt(double(n)));
    std::uint64_t since = 0;
    Values before, here;
    for (std::size_t i = 0; i < n; ++i) {
      const auto& level = d.levels[i];
      make(i, here, guard);
      raise(i, before, kept_, here, guard);
      if (!again) {
        drop(level.left);
        if (level.is_join()) drop(level.right);
      }
      since += here.size();
      if (is_needed_later(i) || (again && since > stretch)) {
        since = 0;
        give(before);
        kept_[i] = std::move(here);
        here = Values();
      } else {
        std::swap(before, here);
      }
      give(here);
    }
    give(before);
  }

  // What it holds.
  std::uint64_t bytes() const {
    std::uint64_t values = 0;
    for (const Values& level : kept_) values += level.size();
    return bytes_of_values(a_, values);
  }

  std::span<const T> polynomial() const { return kept_.back(); }
  // Those of a level that is the last of its region.
  std::span<const T> of(std::size_t level) const { return kept_[level]; }

  // As downward_by_mines.
  template <class Share>
  void downward(std::span<const T> root, Guard& guard, Share&& share) const {
    downward_from([&](std::span<T> values) { std::ranges::copy(root, values.begin()); }, guard, share);
  }
  // `seed(values)` gives the values of a level that nothing leads to from above, the last such level first.
  template <class Seed, class Share>
  void downward_from(Seed&& seed, Guard& guard, Share&& share) const {
    Vector<Values> again(kept_.size()), down(kept_.size());
    for (std::size_t i = kept_.size(); i-- > 0;) {
      const auto& level = d_->levels[i];
      if (down[i].empty()) {
        make(i, down[i], guard);
        seed(std::span<T>(down[i]));
      }
      auto values = [&](std::int32_t below) -> const T* {
        if (below < 0) return nullptr;
        if (kept_[below].empty() && again[below].empty()) make_again(std::size_t(below), again, guard);
        return (kept_[below].empty() ? again : kept_)[below].data();
      };
      auto target = [&](std::int32_t below) -> T* {
        if (below < 0) return nullptr;
        make(std::size_t(below), down[below], guard);
        return down[below].data();
      };
      const std::int32_t right = level.is_join() ? level.right : -1;
      lower_level(*d_, *m_, a_, level, down[i].data(), values(level.left), values(right),
                  target(level.left), target(right), crew_, guard, share);
      give(down[i]);
      if (level.left >= 0) give(again[level.left]);
    }
  }

 private:
  using Values = Vector<T>;

  // Does any level but the next need it?
  bool is_needed_later(std::size_t i) const {
    if (i + 1 == d_->levels.size()) return true;
    const auto& next = d_->levels[i + 1];
    return next.is_join() || next.left != std::int32_t(i);
  }

  void make(std::size_t i, Values& values, Guard& guard) const {
    const std::uint64_t size = m_->entries_of(d_->levels[i]);
    values = filled(size, a_.zero(), guard);
  }
  static void give(Values& values) {
    Values().swap(values);  // gives the memory back
  }
  void drop(std::int32_t level) {
    if (level >= 0) give(kept_[level]);
  }

  // `before` are the values of the level below if they are not among the others.
  void raise(std::size_t i, const Values& before, const Vector<Values>& others, Values& here, Guard& guard) const {
    const auto& level = d_->levels[i];
    auto of = [&](std::int32_t below) -> const T* {
      if (below < 0) return nullptr;
      return others[below].empty() ? before.data() : others[below].data();
    };
    raise_level(*d_, *m_, a_, level, of(level.left), level.is_join() ? of(level.right) : nullptr,
                here.data(), crew_, guard);
  }

  // A level that was not kept, and all from the last one that was.
  void make_again(std::size_t last, Vector<Values>& again, Guard& guard) const {
    std::size_t first = last;
    while (d_->levels[first].left >= 0 && kept_[first - 1].empty()) --first;
    for (std::size_t i = first; i <= last; ++i) {
      make(i, again[i], guard);
      const bool fresh = i > first;
      raise(i, fresh ? again[i - 1] : Values(), kept_, again[i], guard);
    }
  }

  const Diagram* d_;
  const MineRanges* m_;
  A a_;
  Crew* crew_;
  Vector<Values> kept_;  // by level; empty for those that are made again
};

// Up and down again, whichever way is quicker; `root` as in downward_by_mines.
template <Algebra A, class Share>
void both_ways_by_mines(const Diagram& d, const MineRanges& m, const A& a,
                        std::span<const typename A::T> root, Guard& guard, Share&& share) {
  constexpr std::uint64_t kFew = 1 << 16;
  if (m.entries <= kFew)
    downward_by_mines(d, m, a, upward_by_mines(d, m, a, guard), root, guard, share);
  else
    Checkpoints<A>(d, m, a, true, guard).downward(root, guard, share);
}

}  // namespace sapper
