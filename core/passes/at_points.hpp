// Passes by number of mines, as plain passes at points.
//
// What a node is worth by number of mines is a polynomial. Where two tables of a diagram meet,
// polynomials are multiplied, and the longer they are the more that takes. Their values at a point
// are just numbers: a plain pass at as many points as the root has coefficients says the same, and
// only the root is interpolated. On the way down the points get weights, so that the sum over all
// of them is worth what the coefficients are worth outside. All modulo a prime, so it is exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "passes/by_mines.hpp"
#include "passes/evaluate.hpp"

namespace sapper {

// The values at some points, side by side.
class AtPoints {
 public:
  static constexpr std::int32_t kPoints = 16;
  using T = std::array<std::uint64_t, kPoints>;

  AtPoints(const Residues& a, const T& points) : a_(a), points_(points) {}

  const Residues& algebra() const { return a_; }
  T zero() const { return {}; }
  T one() const { return all(a_.one()); }
  void add(T& x, const T& y) const {
    for (std::int32_t k = 0; k < kPoints; ++k) a_.add(x[k], y[k]);
  }
  T multiply(const T& x, const T& y) const {
    T product;
    for (std::int32_t k = 0; k < kPoints; ++k) product[k] = a_.multiply(x[k], y[k]);
    return product;
  }
  T weight(std::int32_t group, std::int32_t size, std::int32_t value) const {
    T result = all(a_.weight(group, size, value));
    for (std::int32_t i = 0; i < value; ++i) result = multiply(result, points_);
    return result;
  }

 private:
  T all(std::uint64_t x) const {
    T result;
    result.fill(x);
    return result;
  }

  Residues a_;
  T points_;
};

// The points 1, 2, ... and how polynomials are found from their values there.
class Interpolation {
 public:
  Interpolation(const Residues& a, std::int32_t points, Guard& guard);

  const Residues& algebra() const { return a_; }
  std::int32_t points() const { return std::int32_t(product_.size()) - 1; }
  std::uint64_t point(std::int32_t k) const { return a_.enter(std::uint64_t(k) + 1); }

  // The polynomial that is one at a point, and zero at all others; least power first.
  Vector<std::uint64_t> basis(std::int32_t k) const;

 private:
  Residues a_;
  Vector<std::uint64_t> product_;  // (x - 1)(x - 2)...
};

// Do plain passes at points take less than passes over polynomials?
bool points_are_quicker(const Diagram& d, const MineRanges& m);

// As `upward`, into memory that may have been used, and with less work where tables meet.
void upward_at_points(const Diagram& d, const AtPoints& a, Vector<AtPoints::T>& value, Guard& guard);

// As `Checkpoints::polynomial`, modulo a prime.
Vector<std::uint64_t> polynomial_at_points(const Diagram& d, const MineRanges& m, const Residues& a,
                                           Guard& guard);

// f(first, algebra, count) for the points in turn, some at a time.
template <class F>
void for_points(const Interpolation& at, F&& f) {
  for (std::int32_t first = 0; first < at.points(); first += AtPoints::kPoints) {
    AtPoints::T some;
    for (std::int32_t k = 0; k < AtPoints::kPoints; ++k) some[k] = at.point(first + k);
    f(first, AtPoints(at.algebra(), some), std::min(AtPoints::kPoints, at.points() - first));
  }
}

// As `both_ways_by_mines`.
template <class Share>
void both_ways_at_points(const Diagram& d, const MineRanges& m, const Residues& a,
                         std::span<const std::uint64_t> root, Guard& guard, Share&& share) {
  const Interpolation at(a, m.length(d.nodes - 1), guard);
  Vector<AtPoints::T> up;
  for_points(at, [&](std::int32_t first, const AtPoints& algebra, std::int32_t count) {
    // What the values at a point are worth: that of the fewest mines is in all of them.
    AtPoints::T worth{};
    for (std::int32_t k = 0; k < count; ++k) {
      guard.tick(std::uint32_t(at.points()));
      const auto basis = at.basis(first + k);
      for (std::size_t i = 0; i < basis.size(); ++i) a.add(worth[k], a.multiply(basis[i], root[i]));
      worth[k] = a.divide(worth[k], a.power(at.point(first + k), std::uint64_t(m.low.back())));
    }
    upward_at_points(d, algebra, up, guard);
    downward(d, algebra, up, worth, guard,
             [&](std::int32_t group, std::int32_t value, const AtPoints::T& shares) {
               std::uint64_t sum = a.zero();
               for (const std::uint64_t one : shares) a.add(sum, one);
               share(group, value, sum);
             });
  });
}

}  // namespace sapper
