// Products of short polynomials, and what each factor sees of the other: where two tables of a
// diagram meet, nearly all time of a pass by mines goes here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "passes/algebra.hpp"

namespace sapper {

// So many products of doubles are done before a helper has come.
inline constexpr double kFewProducts = 1e5;

// z[i] += x[i] * w. The rows never overlap, so that this can become vector instructions.
template <Algebra A, class T>
void add_scaled(const A& a, T* __restrict z, const T* __restrict x, const T& w, std::int32_t n) {
  if constexpr (std::is_same_v<A, Residues>) {
    if (w == a.one()) {
      for (std::int32_t i = 0; i < n; ++i) a.add(z[i], x[i]);
      return;
    }
  }
  for (std::int32_t i = 0; i < n; ++i) a.add(z[i], a.multiply(x[i], w));
}

// Eight sums at a time stay in registers. They add up in the order of c.
constexpr std::int32_t kSideBySide = 8;

// out[j] += c[0] * z[j] + c[1] * z[j + 1] + ... + c[m - 1] * z[j + m - 1], for n values of j.
template <Algebra A, class T>
void add_seen_through(const A& a, T* __restrict out, std::int32_t n, const T* __restrict c,
                      std::int32_t m, const T* __restrict z) {
  std::int32_t j = 0;
  if constexpr (std::is_same_v<A, Floats>) {
    for (; j + kSideBySide <= n; j += kSideBySide) {
      double sum[kSideBySide] = {};
      for (std::int32_t i = 0; i < m; ++i)
        for (std::int32_t k = 0; k < kSideBySide; ++k) sum[k] += c[i] * z[j + i + k];
      for (std::int32_t k = 0; k < kSideBySide; ++k) out[j + k] += sum[k];
    }
  }
  if (j < n)
    for (std::int32_t i = 0; i < m; ++i) add_scaled(a, out + j, z + j + i, c[i], n - j);
}

// z[k] += the sum of x[i] * y[k - i], for all k that have any.
template <Algebra A, class T>
void add_product(const A& a, T* __restrict z, const T* __restrict x, std::int32_t nx,
                 const T* __restrict y, std::int32_t ny) {
  if (nx > ny) {
    std::swap(x, y);
    std::swap(nx, ny);
  }
  if constexpr (std::is_same_v<A, Floats>) {
    // Four rows at a time: each value of z is fetched and put back once for all of them.
    std::int32_t i = 0;
    for (; i + 4 <= nx && ny >= 4; i += 4) {
      double* const to = z + i;
      const double a0 = x[i], a1 = x[i + 1], a2 = x[i + 2], a3 = x[i + 3];
      to[0] += a0 * y[0];
      to[1] += a0 * y[1] + a1 * y[0];
      to[2] += a0 * y[2] + a1 * y[1] + a2 * y[0];
      for (std::int32_t k = 3; k < ny; ++k)
        to[k] += (a0 * y[k] + a1 * y[k - 1]) + (a2 * y[k - 2] + a3 * y[k - 3]);
      to[ny] += a1 * y[ny - 1] + a2 * y[ny - 2] + a3 * y[ny - 3];
      to[ny + 1] += a2 * y[ny - 1] + a3 * y[ny - 2];
      to[ny + 2] += a3 * y[ny - 1];
    }
    x += i;
    z += i;
    nx -= i;
  }
  for (std::int32_t i = 0; i < nx; ++i) add_scaled(a, z + i, y, x[i], ny);
}

}  // namespace sapper
