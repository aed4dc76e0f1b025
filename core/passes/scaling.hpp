// Doubles that keep their range: the values of a level over a power of two.
//
// Counts by number of mines differ by more than doubles can hold once polynomials are a few hundred numbers long. But
// what is 2^-160 of the largest value of its level takes part in solutions that are as rare, unless all others lead
// nowhere: if the values from below and from above make at least 2^-50 of the product of the largest of both, at every
// level, what was left out is less than 2^-90 of the whole. So such values are set to zero, then nothing can underflow, for
// two of them are multiplied at most before the next level is scaled; and who asks for the answer looks whether it
// holds (`ByRegions::lower`).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace sapper {

inline constexpr std::int64_t kLeastBits = -160, kTrustedBits = -50;

// Puts the largest between 1 and 2; returns the bits by which all were divided.
inline std::int64_t scale(std::span<double> values) {
  double most = 0;
  for (const double x : values) most = std::max(most, x);
  if (most == 0 || !std::isfinite(most)) return 0;
  const int bits = std::ilogb(most);
  const double factor = std::ldexp(1.0, -bits), least = std::ldexp(1.0, int(kLeastBits));
  for (double& x : values) {
    const double y = x * factor;
    x = y < least ? 0 : y;
  }
  return bits;
}

}  // namespace sapper
