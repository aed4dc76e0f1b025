// Plain passes at points of a circle, some side by side.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <span>

#include "base/limits.hpp"
#include "base/memory.hpp"
#include "diagram/diagram.hpp"

namespace sapper {

// The values at eight points.
struct AtAngles {
  static constexpr std::int32_t kPoints = 8;
  double re[kPoints], im[kPoints];

  std::complex<double> operator[](std::int32_t k) const { return {re[k], im[k]}; }
  void set(std::int32_t k, std::complex<double> x) {
    re[k] = x.real();
    im[k] = x.imag();
  }
};

// What a choice is worth at these points.
class Turned {
 public:
  // `weights` are those by group and number of mines without the turns, a group's own from `first` on. There may be
  // fewer points than fit.
  Turned(const Diagram& d, std::span<const double> weights, std::span<const std::size_t> first,
         std::span<const std::complex<double>> points);

  // Without mines nothing turns.
  double plain(std::int32_t group, std::int32_t value) const {
    return weights_[first_[std::size_t(group)] + std::size_t(value)];
  }
  AtAngles weight(std::int32_t group, std::int32_t value) const;

 private:
  std::span<const double> weights_;
  std::span<const std::size_t> first_;
  Vector<AtAngles> powers_;  // of the points
};

// What a pass up says at once of all that a pass down could find: how small it is, of what it is at the first point.
//
// The values of a level are sums over ways of what has the same size at all points, so none is larger than at the first
// point; say they are at most `up` of that. Then so is what all solutions are worth through any arc that is not below
// the level. Those through an arc below a join are worth at most `up` of the other side there, times what could be
// said below. If both are next to nothing at some level, the point is worth nothing to anybody.
struct Bounds {
  double up = 1, within = 1;
};

class Stillness {
 public:
  static constexpr double kNothing = 0x1p-60;

  explicit Stillness(const Diagram& d) : d_(d), meets_(d.levels.size(), 0), scale_(d.nodes, 0.0) {
    for (const auto& level : d.levels)
      if (level.is_join()) meets_[std::size_t(level.left)] = meets_[std::size_t(level.right)] = 1;
  }

  // At the first points: takes the values of the very first.
  void begin(const Space<AtAngles>& values) {
    for (std::size_t n = 0; n < values.size(); ++n) scale_[n] = 1 / values[n].re[0];
  }

  // During a pass at others: what is known of each level so far. `outside` is known of all else.
  class Watch {
   public:
    Watch(const Stillness& of, std::span<const Bounds> outside);
    // Is there anything left at any of the points?
    bool operator()(std::size_t level, const Space<AtAngles>& values);
    // Is a point worth nothing?
    bool is_still(std::int32_t k) const { return still_[k]; }

   private:
    struct Rows {
      double up[AtAngles::kPoints], within[AtAngles::kPoints];
    };
    void look(const Diagram::Level& level, const Space<AtAngles>& values, Rows& here) const;

    const Stillness& of_;
    Rows outside_;
    bool still_[AtAngles::kPoints];
    Vector<Rows> levels_;
  };

 private:
  const Diagram& d_;
  Vector<std::uint8_t> meets_;  // by level: is it below a join?
  Vector<double> scale_;        // by node: one over its value at the first point
};

// The worth of all ways to reach each node, as `upward` gives it. False if `watch`, which there need not be, found that
// nothing is left.
bool raise_at_angles(const Diagram& d, const Turned& turned, Stillness::Watch* watch, Space<AtAngles>& values,
                     Guard& guard);

// From the root down, in the place of what a pass up has found. shares[first of a group + number of mines] gets the
// real part of what the solutions with that are worth, at all points together; `plain` the same at the first of them,
// unless it is empty.
void lower_at_angles(const Diagram& d, const Turned& turned, std::span<const std::size_t> first, const AtAngles& root,
                     Space<AtAngles>& values, std::span<double> shares, std::span<double> plain, Guard& guard);

}  // namespace sapper
