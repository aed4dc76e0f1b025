// The algebras in which a diagram can be evaluated: one small class per question.
//
// A new question is a new class that satisfies `Algebra`; passes and compiler stay as they are.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/memory.hpp"
#include "base/wide.hpp"

namespace sapper {

// All an algebra needs, with values of type T:
//   zero()                      the worth of no way at all
//   one()                       the worth of the empty assignment
//   add(x, y)                   x becomes the worth of x and y, ways side by side
//   multiply(x, y)              the worth of x and y, parts that are independent
//   weight(group, size, value)  the worth of `value` mines in a group of `size` interchangeable cells
template <class A>
concept Algebra = std::copy_constructible<A> && std::semiregular<typename A::T> &&
    requires(const A a, typename A::T& x, const typename A::T& y, std::int32_t n) {
      { a.zero() } -> std::convertible_to<typename A::T>;
      { a.one() } -> std::convertible_to<typename A::T>;
      { a.add(x, y) } -> std::same_as<void>;
      { a.multiply(y, y) } -> std::convertible_to<typename A::T>;
      { a.weight(n, n, n) } -> std::convertible_to<typename A::T>;
    };

// One whose values are approximations, and can be had from any number.
template <class A>
concept Approximate = Algebra<A> && requires(const A a, double x) {
  { a.from(x) } -> std::convertible_to<typename A::T>;
};

// Is there a way at all?
struct Booleans {
  using T = std::uint8_t;
  T zero() const { return 0; }
  T one() const { return 1; }
  void add(T& a, T b) const { a = T(a | b); }
  T multiply(T a, T b) const { return T(a & b); }
  T weight(std::int32_t, std::int32_t, std::int32_t) const { return 1; }
};

// Groups on a grid are small, and divisions are slow.
inline constexpr std::int32_t kSmallGroup = 8;
inline constexpr auto kBinomials = [] {
  std::array<std::array<double, kSmallGroup + 1>, kSmallGroup + 1> t{};
  for (std::size_t n = 0; n < t.size(); ++n) {
    t[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) t[n][k] = t[n - 1][k - 1] + t[n - 1][k];
  }
  return t;
}();

// Counts as plain doubles: only sums and products of non-negative numbers, so the relative error
// stays within (operations on a path) * 2^-53 as long as nothing overflows or underflows. Callers
// watch the floating-point flags and fall back to WideFloats.
struct Floats {
  using T = double;
  T zero() const { return 0.0; }
  T one() const { return 1.0; }
  void add(T& a, T b) const { a += b; }
  T multiply(T a, T b) const { return a * b; }
  T from(double x) const { return x; }
  double log2(T x) const { return std::log2(x); }
  T weight(std::int32_t, std::int32_t size, std::int32_t value) const { return ways(size, value); }
  static double ways(std::int32_t size, std::int32_t value) {
    if (size <= kSmallGroup) return kBinomials[std::size_t(size)][std::size_t(value)];
    if (value + value > size) value = size - value;
    double w = 1;
    for (std::int32_t i = 0; i < value; ++i) w = w * (size - i) / (i + 1);
    return w;
  }
};

struct WideFloats {
  using T = Wide;
  T zero() const { return {}; }
  T one() const { return {1.0, 0}; }
  T from(double x) const { return Wide::normal({x, 0}); }
  double log2(T x) const { return x.log2(); }
  void add(T& a, T b) const {
    if (b.mantissa == 0) return;
    if (a.mantissa == 0) {
      a = b;
      return;
    }
    if (a.exponent < b.exponent) std::swap(a, b);
    const std::int64_t gap = a.exponent - b.exponent;
    if (gap == 0)
      a.mantissa += b.mantissa;
    else if (gap == 1)
      a.mantissa += b.mantissa * 0x1p-512;
    a = Wide::normal(a);
  }
  T multiply(T a, T b) const {
    return Wide::normal({a.mantissa * b.mantissa, a.mantissa * b.mantissa == 0 ? 0 : a.exponent + b.exponent});
  }
  T weight(std::int32_t, std::int32_t size, std::int32_t value) const {
    if (value + value > size) value = size - value;
    T w = one();
    for (std::int32_t i = 0; i < value; ++i) {
      w = multiply(w, from(double(size - i)));
      w = multiply(w, from(1.0 / double(i + 1)));
    }
    return w;
  }
  // a / b as an ordinary double.
  static double ratio(T a, T b) {
    if (a.mantissa == 0) return 0;
    const std::int64_t gap = a.exponent - b.exponent;
    const double q = a.mantissa / b.mantissa;
    if (gap > 2) return std::numeric_limits<double>::infinity();
    if (gap < -3) return 0;
    return std::ldexp(q, static_cast<int>(gap * 512));
  }
};

// Integers modulo 2^64: exact as they are while counts are small, and one residue beyond.
struct Words {
  using T = std::uint64_t;
  T zero() const { return 0; }
  T one() const { return 1; }
  void add(T& a, T b) const { a += b; }
  T multiply(T a, T b) const { return a * b; }
  T weight(std::int32_t, std::int32_t size, std::int32_t value) const;
};

// What many numbers are multiplied by, and how often the prime goes into it times 2^64: as Shoup multiplies.
struct Factor {
  std::uint64_t value, quotient;
};

// Integers modulo an odd prime below 2^62, in Montgomery form.
class Residues {
 public:
  using T = std::uint64_t;
  explicit Residues(std::uint64_t prime) : p_(prime) {
    std::uint64_t inverse = prime;  // Newton: correct to 3 bits, doubling each time
    for (int i = 0; i < 5; ++i) inverse *= 2 - prime * inverse;
    negative_inverse_ = ~inverse + 1;
    const auto r = static_cast<std::uint64_t>((static_cast<Double>(1) << 64) % prime);
    one_ = r;
    square_ = static_cast<std::uint64_t>(static_cast<Double>(r) * r % prime);
  }
  T zero() const { return 0; }
  T one() const { return one_; }
  void add(T& a, T b) const {
    a += b;
    if (a >= p_) a -= p_;
  }
  void subtract(T& a, T b) const { a = a >= b ? a - b : a + (p_ - b); }
  T multiply(T a, T b) const { return reduce(static_cast<Double>(a) * b); }
  // Below p + a * b / 2^64.
  T multiply_lazily(T a, T b) const { return reduce_lazily(static_cast<Double>(a) * b); }
  // Montgomery's form is the rest of the value times 2^64: less that, the prime divides it.
  Factor factor(T x) const { return {leave(x), x * negative_inverse_}; }
  // Below 2 p, of any number, and in its form.
  T multiply_lazily(T x, Factor f) const {
    return x * f.value - static_cast<std::uint64_t>(static_cast<Double>(x) * f.quotient >> 64) * p_;
  }
  T power(T base, std::uint64_t exponent) const;
  T divide(T a, T b) const { return multiply(a, power(b, p_ - 2)); }
  T enter(std::uint64_t x) const { return multiply(x % p_, square_); }
  std::uint64_t leave(T x) const { return reduce(x); }
  T weight(std::int32_t, std::int32_t size, std::int32_t value) const;
  std::uint64_t prime() const { return p_; }

  __extension__ using Double = unsigned __int128;
  // Of a sum of products, added up as they are.
  T reduce_sum(Double x) const {
    auto high = static_cast<std::uint64_t>(x >> 64);
    if (high >= 2 * p_) high %= 2 * p_;  // seldom
    if (high >= p_) high -= p_;
    return reduce_low(static_cast<Double>(high) << 64 | static_cast<std::uint64_t>(x));
  }
  // The same of a number below p * 2^64.
  T reduce_low(Double x) const {
    const auto high = static_cast<std::uint64_t>(x >> 64);
    const std::uint64_t m = static_cast<std::uint64_t>(x) * (0 - negative_inverse_);
    const auto less = static_cast<std::uint64_t>(static_cast<Double>(m) * p_ >> 64);
    return high < less ? high - less + p_ : high - less;
  }

 private:
  std::uint64_t reduce(Double x) const {
    const std::uint64_t t = reduce_lazily(x);
    return t >= p_ ? t - p_ : t;
  }
  std::uint64_t reduce_lazily(Double x) const {
    const std::uint64_t m = static_cast<std::uint64_t>(x) * negative_inverse_;
    return static_cast<std::uint64_t>((x + static_cast<Double>(m) * p_) >> 64);
  }
  std::uint64_t p_, negative_inverse_, one_, square_;
};

// Least cost, in exact 128-bit integers. `prefix` has, per group, the cheapest way to place
// 0, 1, ... mines among its cells.
struct Costs {
  __extension__ using Number = __int128;
  using T = Number;
  static constexpr T kNever = static_cast<T>(1) << 125;
  const Vector<Vector<T>>* prefix;
  T zero() const { return kNever; }
  T one() const { return 0; }
  void add(T& a, T b) const {
    if (b < a) a = b;
  }
  T multiply(T a, T b) const { return a >= kNever || b >= kNever ? kNever : a + b; }
  T weight(std::int32_t group, std::int32_t, std::int32_t value) const {
    return (*prefix)[group][value];
  }
};

}  // namespace sapper
