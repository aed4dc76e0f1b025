// Doubles that keep their range: the values of a level over a power of two.
//
// Counts by number of mines differ by more than doubles can hold once polynomials are a few hundred numbers long. So
// the largest value of each level is put between 1 and 2, and what is not zero but below 2^-300 is rounded *up* to that.
// Then nothing can underflow: two such values and a weight are multiplied at most before the next level is scaled. All
// values, from below and from above, are too large by what was rounded, if at all, and zero only where there is no
// way. Take the rounding back, level by level from the top: each time the worth of all solutions falls by at most (values of
// the level) * 2^-300 * (largest from below) * (largest from above), for what meets a value is never more than what was
// computed. If the worth is at least 2^-100 of the product of the largest two at every level, it is right but for
// 2^-200 times the number of values, and so is that of the solutions with a mine at some place: relative to itself
// right beyond doubles, if it is 2^-100 of all. `ByRegions::is_trusted` looks at the levels, who asks for chances at these.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace sapper {

inline constexpr int kLeastBits = -300, kTrustedBits = -100;
// Groups are so small that their weights keep products within the range, however mines are weighed: so many bits.
inline constexpr std::int64_t kWeightBits = 300;

// Puts the largest between 1 and 2; returns the bits by which all were divided. What is no number, or beyond the range,
// is found by who looks at the worth.
inline std::int64_t scale(std::span<double> values) {
  double most = 0;
  for (const double x : values) most = std::max(most, x);
  if (!(most >= std::numeric_limits<double>::min() && std::isfinite(most))) return 0;
  const int bits = std::ilogb(most);
  const double least = std::ldexp(1.0, kLeastBits), half = std::ldexp(1.0, -bits / 2), rest = std::ldexp(1.0, -bits + bits / 2);
  for (double& x : values) x = x == 0 ? 0 : std::max(x * half * rest, least);
  return bits;
}

}  // namespace sapper
