// Natural numbers of any length: only what exact sampling needs (add, multiply, compare, subtract).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/memory.hpp"
#include "base/wide.hpp"

namespace sapper {

class BigNat {
  __extension__ using Double = unsigned __int128;

 public:
  BigNat() = default;
  explicit BigNat(std::uint64_t x) {
    if (x) words_.push_back(x);
  }
  static BigNat from(Double x) {
    BigNat r(static_cast<std::uint64_t>(x >> 64));
    r.words_.insert(r.words_.begin(), static_cast<std::uint64_t>(x));
    r.trim();
    return r;
  }
  // Within 2^-52 of it, relatively.
  Wide wide() const {
    if (words_.empty()) return {};
    const std::size_t n = words_.size();
    const double top = double(words_[n - 1]) * 0x1p64 + double(n > 1 ? words_[n - 2] : 0);
    // Two words are the unit; 2^-64 of it if there is only one.
    const std::int64_t shift = 64 * (std::int64_t(n) - 2);
    const std::int64_t units = shift < 0 ? 0 : shift / 512;
    return Wide::normal({std::ldexp(top, int(shift - 512 * units)), units});
  }
  bool is_zero() const { return words_.empty(); }
  std::int64_t bits() const {
    return words_.empty() ? 0 : std::int64_t(words_.size()) * 64 - std::countl_zero(words_.back());
  }
  void operator+=(const BigNat& o) {
    if (words_.size() < o.words_.size()) words_.resize(o.words_.size(), 0);
    Double carry = 0;
    for (std::size_t i = 0; i < words_.size() && (i < o.words_.size() || carry); ++i) {
      carry += Double(words_[i]) + (i < o.words_.size() ? o.words_[i] : 0);
      words_[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    if (carry) append(static_cast<std::uint64_t>(carry));
  }
  // Needs *this >= o.
  void operator-=(const BigNat& o) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < words_.size() && (i < o.words_.size() || borrow); ++i) {
      const Double take = Double(i < o.words_.size() ? o.words_[i] : 0) + borrow;
      borrow = Double(words_[i]) < take;
      words_[i] = static_cast<std::uint64_t>(Double(words_[i]) - take);
    }
    trim();
  }
  friend BigNat operator*(const BigNat& a, const BigNat& b) {
    BigNat r;
    if (a.is_zero() || b.is_zero()) return r;
    r.words_.assign(a.words_.size() + b.words_.size(), 0);
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
      Double carry = 0;
      for (std::size_t j = 0; j < b.words_.size(); ++j) {
        carry += Double(a.words_[i]) * b.words_[j] + r.words_[i + j];
        r.words_[i + j] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
      }
      r.words_[i + b.words_.size()] = static_cast<std::uint64_t>(carry);
    }
    r.trim();
    return r;
  }
  void scale(std::uint64_t m) {
    Double carry = 0;
    for (auto& w : words_) {
      carry += Double(w) * m;
      w = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    if (carry) append(static_cast<std::uint64_t>(carry));
    if (m == 0) words_.clear();
  }
  // Exact division by a small number that divides it.
  void divide(std::uint64_t d) {
    Double rest = 0;
    for (std::size_t i = words_.size(); i-- > 0;) {
      rest = (rest << 64) | words_[i];
      words_[i] = static_cast<std::uint64_t>(rest / d);
      rest %= d;
    }
    trim();
  }
  friend bool operator<(const BigNat& a, const BigNat& b) {
    if (a.words_.size() != b.words_.size()) return a.words_.size() < b.words_.size();
    return std::lexicographical_compare(a.words_.rbegin(), a.words_.rend(), b.words_.rbegin(),
                                        b.words_.rend());
  }
  // n over k, from its prime factors: quick even with a million binary digits.
  static BigNat binomial(std::uint32_t n, std::uint32_t k) {
    Vector<BigNat> factors;
    std::uint64_t chunk = 1;
    auto put = [&](std::uint64_t prime) {
      if (chunk > ~std::uint64_t(0) / prime) {
        factors.emplace_back(chunk);
        chunk = 1;
      }
      chunk *= prime;
    };
    std::vector<bool> composite(std::size_t(n) + 1, false);
    for (std::uint64_t p = 2; p <= n; ++p) {
      if (composite[p]) continue;
      for (std::uint64_t q = p * p; q <= n; q += p) composite[q] = true;
      // Legendre: how often p divides n! / (k! (n - k)!).
      for (std::uint64_t power = p; power <= n; power *= p)
        if (n / power > k / power + (n - k) / power) put(p);
    }
    factors.emplace_back(chunk);
    while (factors.size() > 1) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < factors.size(); i += 2)
        factors[kept++] = i + 1 < factors.size() ? factors[i] * factors[i + 1] : factors[i];
      factors.resize(kept);
    }
    return factors[0];
  }
  // Uniform below `bound` (> 0): random bits of its length until one is small enough.
  template <class Random>
  static BigNat below(const BigNat& bound, Random& random) {
    const std::uint64_t top = ~std::uint64_t(0) >> std::countl_zero(bound.words_.back());
    BigNat r;
    do {
      r.words_.resize(bound.words_.size());
      for (auto& w : r.words_) w = random();
      r.words_.back() &= top;
      r.trim();
    } while (!(r < bound));
    return r;
  }

 private:
  // Without room for more: memory is charged by length.
  void append(std::uint64_t word) {
    words_.reserve(words_.size() + 1);
    words_.push_back(word);
  }
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  Vector<std::uint64_t> words_;  // least significant first, no leading zero
};

}  // namespace sapper
