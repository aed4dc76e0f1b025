// Passes over a diagram, in any algebra.
//
// `upward` gives every node the worth of all ways to reach it from the empty state; the root's
// value answers the question. `downward` gives every node the worth of all ways to go on from it.
// An arc's share of the whole is (value below) * (weight) * (value above).
//
// The *by mines* versions carry, instead of one value, a value for every number of mines placed so
// far (a polynomial in x). Their downward pass starts from an arbitrary vector at the root: entry m
// is the worth of everything outside the component if the component has m mines. That is how a
// mine total reaches into a component at the price of one pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "diagram/diagram.hpp"
#include "passes/algebra.hpp"

namespace sapper {

// Least and most mines by which each node can be reached; node values of polynomials are stored
// one after the other, `begin[node]` is the entry for `low[node]` mines.
struct MineRanges {
  std::vector<std::int32_t> low, high;
  std::vector<std::uint64_t> begin;
  std::uint64_t entries = 0;

  MineRanges() = default;
  explicit MineRanges(const Diagram& d);

  static std::uint64_t bytes_for(const Diagram& d) { return d.nodes * 16; }
};

// What a table of values costs, so that it can be charged before it is made.
template <Algebra A>
std::uint64_t bytes_of_values(const A& a, std::uint64_t values) {
  if constexpr (requires { a.bytes_each(); })
    return values * a.bytes_each();
  else
    return values * sizeof(typename A::T);
}

template <Algebra A>
std::vector<typename A::T> level_weights(const Diagram::Level& level, const Diagram& d, const A& a) {
  std::vector<typename A::T> w(level.values);
  for (std::int32_t v = 0; v < level.values; ++v)
    w[v] = a.weight(level.group, d.sizes[level.group], level.value_low + v);
  return w;
}

// Calls f(left, right, node) for every join arc, or f(left, value index, node) for choice arcs.
template <class F>
void for_choice_arcs(const Diagram& d, const Diagram::Level& level, F&& f) {
  const std::uint32_t sources = d.nodes_of(level.left);
  const std::uint32_t* arc = d.arcs.data() + level.arc_begin;
  for (std::uint32_t s = 0; s < sources; ++s)
    for (std::int32_t v = 0; v < level.values; ++v, ++arc)
      if (*arc != Diagram::kNone) f(s, v, *arc);
}
template <class F>
void for_join_arcs(const Diagram& d, const Diagram::Level& level, F&& f) {
  for (std::uint64_t k = level.arc_begin; k < level.arc_end; k += 3)
    f(d.arcs[k], d.arcs[k + 1], d.arcs[k + 2]);
}

inline std::uint32_t arcs_of(const Diagram::Level& level) {
  const std::uint64_t n = level.arc_end - level.arc_begin;
  return n > 0x3FFFFFFF ? 0x3FFFFFFF : static_cast<std::uint32_t>(n);
}

// A table of equal values, made piece by piece: even that takes a second per gigabyte.
template <class T>
std::vector<T> filled(std::uint64_t size, const T& value, Guard& guard) {
  constexpr std::uint64_t kPiece = std::uint64_t(1) << 16;
  std::vector<T> table;
  table.reserve(size);
  while (table.size() < size) {
    table.resize(std::min(size, table.size() + kPiece), value);
    guard.tick(std::uint32_t(std::min(size, kPiece)));
  }
  return table;
}

// The table that is returned stays charged to the guard.
template <Algebra A>
std::vector<typename A::T> upward(const Diagram& d, const A& a, Guard& guard) {
  using T = typename A::T;
  guard.take_bytes(bytes_of_values(a, d.nodes));
  std::vector<T> value = filled(d.nodes, a.zero(), guard);
  for (const auto& level : d.levels) {
    guard.tick(arcs_of(level));
    T* here = value.data() + level.first_node;
    if (level.is_join()) {
      const T* left = value.data() + d.levels[level.left].first_node;
      const T* right = value.data() + d.levels[level.right].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        a.add(here[n], a.multiply(left[l], right[r]));
      });
      continue;
    }
    const auto w = level_weights(level, d, a);
    const T unit = a.one();
    const T* left = level.left < 0 ? &unit : value.data() + d.levels[level.left].first_node;
    for_choice_arcs(d, level,
                    [&](auto s, auto v, auto n) { a.add(here[n], a.multiply(left[s], w[v])); });
  }
  return value;
}

// `share(group, value, worth)` receives, once per choice arc, the worth of the solutions through it.
template <Algebra A, class Share>
void downward(const Diagram& d, const A& a, const std::vector<typename A::T>& up,
              typename A::T root, Guard& guard, Share&& share) {
  using T = typename A::T;
  const Lease lease(guard);
  guard.take_bytes(bytes_of_values(a, d.nodes));
  std::vector<T> value = filled(d.nodes, a.zero(), guard);
  value[d.levels.back().first_node] = root;
  for (auto i = std::int32_t(d.levels.size()) - 1; i >= 0; --i) {
    const auto& level = d.levels[i];
    guard.tick(arcs_of(level));
    const T* here = value.data() + level.first_node;
    if (level.is_join()) {
      const std::uint64_t l0 = d.levels[level.left].first_node, r0 = d.levels[level.right].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        a.add(value[l0 + l], a.multiply(up[r0 + r], here[n]));
        a.add(value[r0 + r], a.multiply(up[l0 + l], here[n]));
      });
      continue;
    }
    const auto w = level_weights(level, d, a);
    const T unit = a.one();
    T ignored = a.zero();
    const T* below = level.left < 0 ? &unit : up.data() + d.levels[level.left].first_node;
    T* left = level.left < 0 ? &ignored : value.data() + d.levels[level.left].first_node;
    for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
      const T on = a.multiply(w[v], here[n]);
      a.add(left[s], on);
      share(level.group, level.value_low + v, a.multiply(below[s], on));
    });
  }
}

// The table that is returned stays charged to the guard.
template <Algebra A>
std::vector<typename A::T> upward_by_mines(const Diagram& d, const MineRanges& m, const A& a,
                                           Guard& guard) {
  using T = typename A::T;
  guard.take_bytes(bytes_of_values(a, m.entries));
  std::vector<T> value = filled(m.entries, a.zero(), guard);
  for (const auto& level : d.levels) {
    guard.tick(arcs_of(level));
    if (level.is_join()) {
      const std::uint64_t l0 = d.levels[level.left].first_node, r0 = d.levels[level.right].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        const std::uint64_t ln = l0 + l, rn = r0 + r, hn = level.first_node + n;
        const T* x = value.data() + m.begin[ln];
        const T* y = value.data() + m.begin[rn];
        T* z = value.data() + m.begin[hn] + (m.low[ln] + m.low[rn] - m.low[hn]);
        const std::int32_t nx = m.high[ln] - m.low[ln] + 1, ny = m.high[rn] - m.low[rn] + 1;
        guard.tick(std::uint32_t(std::min<std::int64_t>(std::int64_t(nx) * ny, 1 << 30)));
        for (std::int32_t i = 0; i < nx; ++i)
          for (std::int32_t j = 0; j < ny; ++j) a.add(z[i + j], a.multiply(x[i], y[j]));
      });
      continue;
    }
    const auto w = level_weights(level, d, a);
    const T unit = a.one();
    for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
      const std::uint64_t hn = level.first_node + n;
      const std::int32_t mines = level.value_low + v;
      if (level.left < 0) {
        a.add(value[m.begin[hn] + (mines - m.low[hn])], a.multiply(unit, w[v]));
        return;
      }
      const std::uint64_t sn = d.levels[level.left].first_node + s;
      const T* x = value.data() + m.begin[sn];
      T* z = value.data() + m.begin[hn] + (m.low[sn] + mines - m.low[hn]);
      const std::int32_t nx = m.high[sn] - m.low[sn] + 1;
      guard.tick(std::uint32_t(nx));
      for (std::int32_t i = 0; i < nx; ++i) a.add(z[i], a.multiply(x[i], w[v]));
    });
  }
  return value;
}

// `root` has one entry per number of mines the root can have, from least to most.
template <Algebra A, class Share>
void downward_by_mines(const Diagram& d, const MineRanges& m, const A& a,
                       const std::vector<typename A::T>& up, std::span<const typename A::T> root,
                       Guard& guard, Share&& share) {
  using T = typename A::T;
  const Lease lease(guard);
  guard.take_bytes(bytes_of_values(a, m.entries));
  std::vector<T> value = filled(m.entries, a.zero(), guard);
  std::copy(root.begin(), root.end(), value.begin() + std::ptrdiff_t(m.begin[d.nodes - 1]));
  for (auto i = std::int32_t(d.levels.size()) - 1; i >= 0; --i) {
    const auto& level = d.levels[i];
    guard.tick(arcs_of(level));
    if (level.is_join()) {
      const std::uint64_t l0 = d.levels[level.left].first_node, r0 = d.levels[level.right].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        const std::uint64_t ln = l0 + l, rn = r0 + r, hn = level.first_node + n;
        const T* x = up.data() + m.begin[ln];
        const T* y = up.data() + m.begin[rn];
        T* dx = value.data() + m.begin[ln];
        T* dy = value.data() + m.begin[rn];
        const T* z = value.data() + m.begin[hn] + (m.low[ln] + m.low[rn] - m.low[hn]);
        const std::int32_t nx = m.high[ln] - m.low[ln] + 1, ny = m.high[rn] - m.low[rn] + 1;
        guard.tick(std::uint32_t(std::min<std::int64_t>(std::int64_t(nx) * ny, 1 << 30)));
        for (std::int32_t p = 0; p < nx; ++p)
          for (std::int32_t q = 0; q < ny; ++q) {
            a.add(dx[p], a.multiply(y[q], z[p + q]));
            a.add(dy[q], a.multiply(x[p], z[p + q]));
          }
      });
      continue;
    }
    const auto w = level_weights(level, d, a);
    const T unit = a.one();
    for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
      const std::uint64_t hn = level.first_node + n;
      const std::int32_t mines = level.value_low + v;
      T worth = a.zero();
      if (level.left < 0) {
        worth = a.multiply(unit, a.multiply(w[v], value[m.begin[hn] + (mines - m.low[hn])]));
      } else {
        const std::uint64_t sn = d.levels[level.left].first_node + s;
        const T* x = up.data() + m.begin[sn];
        T* dx = value.data() + m.begin[sn];
        const T* z = value.data() + m.begin[hn] + (m.low[sn] + mines - m.low[hn]);
        const std::int32_t nx = m.high[sn] - m.low[sn] + 1;
        guard.tick(std::uint32_t(nx));
        for (std::int32_t p = 0; p < nx; ++p) {
          const T on = a.multiply(w[v], z[p]);
          a.add(dx[p], on);
          a.add(worth, a.multiply(x[p], on));
        }
      }
      share(level.group, mines, worth);
    });
  }
}

}  // namespace sapper
