// Plain passes at points of a circle, some side by side.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <span>

#include "base/memory.hpp"
#include "passes/evaluate.hpp"

namespace sapper {

// A circle, with an odd number of points: all but the first are conjugate to another one, so half of them will do.
struct Circle {
  std::int32_t points = 1;
  std::span<const double> weights;  // by group and number of mines, without the turns
  Vector<std::size_t> first;        // by group: its own ones

  std::int32_t half() const { return points / 2 + 1; }
  // How often a point of this half counts.
  static double times(std::int32_t k) { return k == 0 ? 1 : 2; }
  // A point as a number of length one.
  std::complex<double> turn(std::int64_t k) const {
    return std::polar(1.0, 2 * std::numbers::pi * double(k) / points);
  }
  Vector<std::complex<double>> turns() const {
    Vector<std::complex<double>> all;
    all.reserve(std::size_t(points));
    for (std::int32_t k = 0; k < points; ++k) all.push_back(turn(k));
    return all;
  }
  // A point as it is rounded, to a power below zero: in step with the powers that passes make of it.
  std::complex<double> turned_back(std::int32_t k, std::int64_t power) const {
    using Long = std::complex<long double>;
    Long result = 1;
    for (Long square(turn(k)); power > 0; power >>= 1, square *= square)
      if (power & 1) result *= square;
    return std::complex<double>(Long(1) / result);
  }
};

// The values at eight points.
class AtAngles {
 public:
  static constexpr std::int32_t kPoints = 8;
  struct T {
    double re[kPoints], im[kPoints];
    std::complex<double> operator[](std::int32_t k) const { return {re[k], im[k]}; }
    void set(std::int32_t k, std::complex<double> x) {
      re[k] = x.real();
      im[k] = x.imag();
    }
  };
  static std::size_t batches(const Circle& circle) { return std::size_t((circle.half() + kPoints - 1) / kPoints); }

  AtAngles(const Diagram& d, const Circle& circle, std::size_t batch) : circle_(circle) {
    const std::int32_t most = d.sizes.empty() ? 0 : *std::ranges::max_element(d.sizes);
    T step;
    for (std::int32_t k = 0; k < kPoints; ++k) step.set(k, circle.turn(std::int32_t(batch) * kPoints + k));
    turns_.push_back(one());
    for (std::int32_t n = 1; n <= most; ++n) turns_.push_back(multiply(turns_.back(), step));
  }

  T zero() const { return {}; }
  T one() const {
    T result{};
    std::ranges::fill(result.re, 1.0);
    return result;
  }
  void add(T& x, const T& y) const {
    for (std::int32_t k = 0; k < kPoints; ++k) x.re[k] += y.re[k];
    for (std::int32_t k = 0; k < kPoints; ++k) x.im[k] += y.im[k];
  }
  T multiply(const T& x, const T& y) const {
    T product;
    for (std::int32_t k = 0; k < kPoints; ++k) {
      product.re[k] = x.re[k] * y.re[k] - x.im[k] * y.im[k];
      product.im[k] = x.re[k] * y.im[k] + x.im[k] * y.re[k];
    }
    return product;
  }
  T weight(std::int32_t group, std::int32_t, std::int32_t value) const {
    const double real = circle_.weights[circle_.first[std::size_t(group)] + std::size_t(value)];
    T result = turns_[std::size_t(value)];
    for (std::int32_t k = 0; k < kPoints; ++k) {
      result.re[k] *= real;
      result.im[k] *= real;
    }
    return result;
  }

 private:
  const Circle& circle_;
  Vector<T> turns_;  // powers of the points
};

// What a pass up says at once of all that a pass down could find: how small it is, of what it is at the first point.
//
// The values of a level are sums over ways of what has the same size at all points, so none is larger than at the first
// point; say they are at most `up` of that. Then so is what all solutions are worth through any arc that is not below
// the level. Those through an arc below a join are worth at most `up` of the other side there, times what could be
// said below. If both are next to nothing at some level, the point is worth nothing to anybody.
class Stillness {
 public:
  static constexpr double kNothing = 0x1p-64;

  explicit Stillness(const Diagram& d) : d_(d), meets_(d.levels.size(), 0), real_(d.nodes, 0.0) {
    for (const auto& level : d.levels)
      if (level.is_join()) meets_[std::size_t(level.left)] = meets_[std::size_t(level.right)] = 1;
  }

  // At the first points: takes the values of the very first.
  void begin(const Vector<AtAngles::T>& values) {
    for (std::size_t n = 0; n < values.size(); ++n) real_[n] = values[n].re[0];
  }

  // During a pass at others: what is known of each level so far.
  class Watch {
   public:
    explicit Watch(const Stillness& of) : of_(of), levels_(of.d_.levels.size()) {}
    // Is there anything left at any of the points?
    bool operator()(std::size_t i, const Vector<AtAngles::T>& values) {
      const auto& level = of_.d_.levels[i];
      Bounds& here = levels_[i];
      if (level.is_join()) {
        const Bounds &l = levels_[std::size_t(level.left)], &r = levels_[std::size_t(level.right)];
        for (std::int32_t k = 0; k < AtAngles::kPoints; ++k) {
          here.up[k] = l.up[k] * r.up[k];
          here.within[k] = std::max(l.within[k] * r.up[k], r.within[k] * l.up[k]);
        }
      } else if (level.left < 0) {
        std::ranges::fill(here.up, 1.0);
        std::ranges::fill(here.within, 1.0);
      } else {
        here = levels_[std::size_t(level.left)];
        for (std::int32_t k = 0; k < AtAngles::kPoints; ++k) here.within[k] = std::max(here.within[k], here.up[k]);
      }
      if (of_.meets_[i]) look(level, values, here);
      for (std::int32_t k = 0; k < AtAngles::kPoints; ++k)
        if (!(std::max(here.up[k], here.within[k]) <= kNothing)) return true;
      return false;
    }

   private:
    struct Bounds {
      double up[AtAngles::kPoints], within[AtAngles::kPoints];
    };
    void look(const Diagram::Level& level, const Vector<AtAngles::T>& values, Bounds& here) const {
      double most[AtAngles::kPoints] = {};
      for (std::uint64_t n = level.first_node; n < level.first_node + level.nodes; ++n) {
        const double scale = 1 / of_.real_[n];
        const AtAngles::T& value = values[n];
        for (std::int32_t k = 0; k < AtAngles::kPoints; ++k)
          most[k] = std::max(most[k], (std::abs(value.re[k]) + std::abs(value.im[k])) * scale);
      }
      for (std::int32_t k = 0; k < AtAngles::kPoints; ++k) here.up[k] = std::min(here.up[k], most[k]);
    }

    const Stillness& of_;
    Vector<Bounds> levels_;
  };

 private:
  const Diagram& d_;
  Vector<std::uint8_t> meets_;  // by level: is it below a join?
  Vector<double> real_;         // by node: its value at the first point
};

}  // namespace sapper
