// Passes over a diagram, in any algebra.
//
// `upward` gives every node the worth of all ways to reach it from the empty state; the root's
// value answers the question. `downward` gives every node the worth of all ways to go on from it.
// An arc's share of the whole is (value below) * (weight) * (value above).
//
// The same by number of mines is in `by_mines.hpp`.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"
#include "passes/algebra.hpp"

namespace sapper {

// What a table of values takes, before it is made.
template <Algebra A>
std::uint64_t bytes_of_values(const A& a, std::uint64_t values) {
  if constexpr (requires { a.bytes_each(); })
    return values * a.bytes_each();
  else
    return values * sizeof(typename A::T);
}

// By group: where its numbers of mines begin, if those of all groups stand one after the other; and where they end.
inline Vector<std::size_t> first_of_groups(const Diagram& d) {
  Vector<std::size_t> first{0};
  first.reserve(d.sizes.size() + 1);
  for (const std::int32_t size : d.sizes) first.push_back(first.back() + std::size_t(size) + 1);
  return first;
}

template <Algebra A>
Vector<typename A::T> level_weights(const Diagram::Level& level, const Diagram& d, const A& a) {
  Vector<typename A::T> w(level.values);
  for (std::int32_t v = 0; v < level.values; ++v)
    w[v] = a.weight(level.group, d.sizes[level.group], level.value_low + v);
  return w;
}

// The same for a moment: most groups have few cells, and no memory is taken then.
template <Algebra A>
class LevelWeights {
 public:
  using T = typename A::T;
  LevelWeights(const Diagram::Level& level, const Diagram& d, const A& a) {
    if (std::size_t(level.values) > few_.size()) {
      many_ = level_weights(level, d, a);
      at_ = many_.data();
      return;
    }
    for (std::int32_t v = 0; v < level.values; ++v)
      few_[v] = a.weight(level.group, d.sizes[level.group], level.value_low + v);
  }
  LevelWeights(const LevelWeights&) = delete;
  LevelWeights& operator=(const LevelWeights&) = delete;
  const T& operator[](std::int32_t v) const { return at_[v]; }

 private:
  std::array<T, 6> few_;
  Vector<T> many_;
  const T* at_ = few_.data();
};

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
Vector<T> filled(std::uint64_t size, const T& value, Guard& guard) {
  constexpr std::uint64_t kPiece = std::uint64_t(1) << 16;
  Vector<T> table;
  table.reserve(size);
  while (table.size() < size) {
    table.resize(std::min(size, table.size() + kPiece), value);
    guard.tick(std::uint32_t(std::min(size, kPiece)));
  }
  return table;
}

// Into memory that may have been used before. After each level look(level) says whether to go on; false if it did not.
template <Algebra A, class Look>
bool upward(const Diagram& d, const A& a, Vector<typename A::T>& value, Guard& guard, Look&& look) {
  using T = typename A::T;
  value.clear();
  value.reserve(d.nodes);
  for (std::size_t i = 0; i < d.levels.size(); ++i) {
    if (i > 0 && !look(i - 1)) return false;
    const auto& level = d.levels[i];
    guard.tick(arcs_of(level));
    value.resize(level.first_node + level.nodes, a.zero());
    T* here = value.data() + level.first_node;
    if (level.is_start()) {
      std::fill_n(here, level.nodes, a.one());
      continue;
    }
    if (level.is_join()) {
      const T* left = value.data() + d.levels[level.left].first_node;
      const T* right = value.data() + d.levels[level.right].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        a.add(here[n], a.multiply(left[l], right[r]));
      });
      continue;
    }
    const LevelWeights<A> w(level, d, a);
    const T unit = a.one();
    const T* left = level.left < 0 ? &unit : value.data() + d.levels[level.left].first_node;
    for_choice_arcs(d, level,
                    [&](auto s, auto v, auto n) { a.add(here[n], a.multiply(left[s], w[v])); });
  }
  return true;
}
template <Algebra A>
Vector<typename A::T> upward(const Diagram& d, const A& a, Guard& guard) {
  Vector<typename A::T> value;
  upward(d, a, value, guard, [](std::size_t) { return true; });
  return value;
}

// `share(group, value, worth)` receives, once per choice arc, the worth of the solutions through it. `value` is memory
// that may have been used before.
template <Algebra A, class Share>
void downward(const Diagram& d, const A& a, const Vector<typename A::T>& up, typename A::T root,
              Space<typename A::T>& value, Guard& guard, Share&& share) {
  using T = typename A::T;
  value.resize(d.nodes);
  value[d.levels.back().first_node] = root;
  const auto begin = [&](std::int32_t below) {
    T* const first = value.data() + d.levels[below].first_node;
    std::fill_n(first, d.levels[below].nodes, a.zero());
    return first;
  };
  for (auto i = std::int32_t(d.levels.size()) - 1; i >= 0; --i) {
    const auto& level = d.levels[i];
    guard.tick(arcs_of(level));
    const T* here = value.data() + level.first_node;
    if (level.is_join()) {
      const T* left = up.data() + d.levels[level.left].first_node;
      const T* right = up.data() + d.levels[level.right].first_node;
      T* const on_left = begin(level.left);
      T* const on_right = begin(level.right);
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        a.add(on_left[l], a.multiply(right[r], here[n]));
        a.add(on_right[r], a.multiply(left[l], here[n]));
      });
      continue;
    }
    const LevelWeights<A> w(level, d, a);
    const T unit = a.one();
    T ignored = a.zero();
    const T* below = level.left < 0 ? &unit : up.data() + d.levels[level.left].first_node;
    T* left = level.left < 0 ? &ignored : begin(level.left);
    for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
      const T on = a.multiply(w[v], here[n]);
      a.add(left[s], on);
      share(level.group, level.value_low + v, a.multiply(below[s], on));
    });
  }
}
template <Algebra A, class Share>
void downward(const Diagram& d, const A& a, const Vector<typename A::T>& up, typename A::T root, Guard& guard,
              Share&& share) {
  Space<typename A::T> value;
  downward(d, a, up, root, value, guard, share);
}

}  // namespace sapper
