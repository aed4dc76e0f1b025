// A double with an exponent of its own: no count is too large or too small.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace sapper {

struct Wide {
  double mantissa = 0;        // 0, or in [2^-256, 2^256)
  std::int64_t exponent = 0;  // in units of 512 bits

  static Wide normal(Wide x) {
    if (x.mantissa >= 0x1p256) {
      x.mantissa *= 0x1p-512;
      ++x.exponent;
    } else if (x.mantissa < 0x1p-256 && x.mantissa != 0) {
      x.mantissa *= 0x1p512;
      --x.exponent;
    }
    return x;
  }
  double log2() const {
    return mantissa == 0 ? -std::numeric_limits<double>::infinity()
                         : std::log2(mantissa) + 512.0 * double(exponent);
  }
};

}  // namespace sapper
