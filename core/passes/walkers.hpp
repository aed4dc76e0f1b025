// Walks from the root of a compiled piece, with arcs chosen in proportion to the solutions behind.
#pragma once

#include <bit>
#include <optional>
#include <type_traits>

#include "base/bignat.hpp"
#include "base/memory.hpp"
#include "base/random.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/by_mines.hpp"
#include "passes/incoming.hpp"

namespace sapper {

__extension__ using Wide128 = unsigned __int128;

inline BigNat long_binomial(std::int32_t size, std::int32_t value) {
  if (value > 1000) return BigNat::binomial(std::uint32_t(size), std::uint32_t(value));
  BigNat w(1);
  for (std::int32_t i = 0; i < value; ++i) {
    w.scale(std::uint64_t(size - i));
    w.divide(std::uint64_t(i + 1));
  }
  return w;
}

// Counts that are known to fit into T.
template <class N>
struct Naturals {
  using T = N;
  double bits = 0;  // of the largest count
  // Each solution counts mine^(mines) * free^(cells without): all with as many mines stay alike.
  std::uint64_t mine = 1, free = 1;
  std::uint64_t bytes_each() const {
    if constexpr (!std::is_same_v<N, BigNat>) return sizeof(N);
    return sizeof(N) + 16 + std::uint64_t(bits / 8) + 8;  // the words, and what malloc adds
  }
  T zero() const { return T(0); }
  T one() const { return T(1); }
  void add(T& a, const T& b) const { a += b; }
  T multiply(const T& a, const T& b) const { return a * b; }
  T weight(std::int32_t, std::int32_t size, std::int32_t value) const {
    if constexpr (std::is_same_v<N, BigNat>) {
      T w = long_binomial(size, std::min(value, size - value));
      if (mine > 1)
        for (std::int32_t i = 0; i < value; ++i) w.scale(mine);
      if (free > 1)
        for (std::int32_t i = value; i < size; ++i) w.scale(free);
      return w;
    } else {
      value = std::min(value, size - value);
      // The coefficient fits into T; the product before the division might not.
      Wide128 w = 1;
      for (std::int32_t i = 0; i < value; ++i) w = w * Wide128(size - i) / Wide128(i + 1);
      return static_cast<T>(w);
    }
  }
};

inline std::uint64_t random_below(std::uint64_t bound, Random& r) { return r.below(bound); }
inline Wide128 random_below(Wide128 bound, Random& r) {
  if ((bound >> 64) == 0) return r.below(static_cast<std::uint64_t>(bound));
  const std::uint64_t top = ~std::uint64_t(0) >> std::countl_zero(std::uint64_t(bound >> 64));
  Wide128 x;
  do x = (Wide128(r() & top) << 64) | r();
  while (x >= bound);
  return x;
}
inline BigNat random_below(const BigNat& bound, Random& r) { return BigNat::below(bound, r); }

// `mines` of these cells, every subset alike (selection sampling).
inline void scatter(std::span<const std::int32_t> cells, std::int64_t mines, Random& random,
                    std::uint8_t* out) {
  auto left = std::uint64_t(cells.size());
  for (const std::int32_t v : cells) {
    if (mines == 0) return;
    if (std::uint64_t(mines) == left || random.below(left) < std::uint64_t(mines)) {
      out[v] = 1;
      --mines;
    }
    --left;
  }
}

// Walks from the root of one piece, choosing arcs in proportion to the solutions behind them.
class PieceWalker {
 public:
  virtual ~PieceWalker() = default;
  // `mines`: how many the piece must have, -1 for any number.
  virtual void walk(std::int64_t mines, Random& random, std::uint8_t* out, Guard& guard) = 0;
  // So many mines are likely: what depends on that is made now.
  virtual void expect(std::int64_t, Guard&) {}
  // The fewest mines, and the number of solutions with so many, one more, ...
  virtual std::int64_t least() const = 0;
  virtual std::size_t numbers_of_mines() const = 0;
  virtual Vector<BigNat> ways() const = 0;
};

template <class N>
class CountingWalker final : public PieceWalker {
 public:
  CountingWalker(const Piece& piece, bool by_mines, const Naturals<N>& a, Guard& guard)
      : piece_(piece), d_(*piece.diagram), incoming_(d_) {
    if (by_mines) {
      ranges_.emplace(d_);
      values_ = upward_by_mines(d_, *ranges_, a, guard);
    } else {
      values_ = upward(d_, a, guard);
    }
    for (std::size_t i = 0; i < d_.levels.size(); ++i) {
      const auto& level = d_.levels[i];
      weights_.push_back(level.is_join() ? Vector<N>{}
                                         : level_weights(level, d_, a));
    }
  }

  void walk(std::int64_t mines, Random& random, std::uint8_t* out, Guard& guard) override {
    placed_ = 0;
    stack_.assign(1, {std::int32_t(d_.levels.size()) - 1, 0, mines});
    while (!stack_.empty()) {
      guard.tick();
      const Item item = stack_.back();
      stack_.pop_back();
      const auto& level = d_.levels[item.level];
      const std::uint64_t node = level.first_node + item.node;
      N left = random_below(value(node, item.mines), random);
      for (const Incoming::Arc arc : incoming_.arcs[node])
        if (level.is_join() ? take_join(level, arc, item, left)
                            : take_choice(item.level, arc, item, left, random, out))
          break;
    }
  }

  // Mines of the last walk.
  std::int64_t placed() const { return placed_; }

  std::int64_t least() const override { return ranges_->low.back(); }
  std::size_t numbers_of_mines() const override { return values_.size() - ranges_->begin.back(); }
  Vector<BigNat> ways() const override {
    Vector<BigNat> result;
    for (std::uint64_t i = ranges_->begin.back(); i < values_.size(); ++i) {
      if constexpr (std::is_same_v<N, BigNat>)
        result.push_back(values_[i]);
      else
        result.push_back(BigNat::from(values_[i]));
    }
    return result;
  }

 private:
  struct Item {
    std::int32_t level;
    std::uint32_t node;
    std::int64_t mines;
  };

  N value(std::uint64_t node, std::int64_t mines) const {
    if (mines < 0) return values_[node];
    if (mines < ranges_->low[node] || mines > ranges_->high[node]) return N(0);
    return values_[ranges_->begin[node] + std::uint64_t(mines - ranges_->low[node])];
  }

  // If the draw falls into this arc's share, follow it; otherwise pass the share by.
  bool take_choice(std::int32_t index, Incoming::Arc arc, const Item& item, N& left, Random& random,
                   std::uint8_t* out) {
    const auto& level = d_.levels[index];
    const auto mines = std::int32_t(arc.b);
    const std::int64_t below = item.mines < 0 ? -1 : item.mines - mines;
    if (item.mines >= 0 && below < 0) return false;
    N share = weights_[index][mines - level.value_low];
    if (level.left >= 0)
      share = share * value(d_.levels[level.left].first_node + arc.a, below);
    else if (below > 0)
      return false;
    if (!(left < share)) {
      left -= share;
      return false;
    }
    if (level.left >= 0) stack_.push_back({level.left, arc.a, below});
    placed_ += mines;
    scatter(piece_.part.group(level.group), mines, random, out);
    return true;
  }

  bool take_join(const Diagram::Level& level, Incoming::Arc arc, const Item& item, N& left) {
    const std::uint64_t a = d_.levels[level.left].first_node + arc.a;
    const std::uint64_t b = d_.levels[level.right].first_node + arc.b;
    auto take = [&](std::int64_t left_mines, std::int64_t right_mines) {
      const N share = value(a, left_mines) * value(b, right_mines);
      if (!(left < share)) {
        left -= share;
        return false;
      }
      stack_.push_back({level.right, arc.b, right_mines});
      stack_.push_back({level.left, arc.a, left_mines});
      return true;
    };
    if (item.mines < 0) return take(-1, -1);
    for (std::int64_t m = ranges_->low[a]; m <= ranges_->high[a] && m <= item.mines; ++m)
      if (take(m, item.mines - m)) return true;
    return false;
  }

  const Piece& piece_;
  const Diagram& d_;
  Incoming incoming_;
  std::optional<MineRanges> ranges_;
  Vector<N> values_;
  Vector<Vector<N>> weights_;
  Vector<Item> stack_;
  std::int64_t placed_ = 0;
};

}  // namespace sapper
