// Number-theoretic transforms: the values of a polynomial at roots of unity modulo a prime, and back.
//
// At points a product of polynomials is one of numbers, and where two tables of a diagram meet it is
// made for many pairs of few polynomials. The roots are those of a power of two, of which the first ones are enough.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory.hpp"
#include "passes/algebra.hpp"

namespace sapper {

// Primes below 2^60 that are 1 modulo 2^20, the largest first: up to 256 products of residues fit
// into 128 bits.
class TransformPrimes {
 public:
  static constexpr double kBits = 59.9;  // at least, of each
  static constexpr std::uint64_t kOrder = std::uint64_t(1) << 20;

  const Residues& operator[](std::size_t i);

 private:
  Vector<Residues> found_;
  std::uint64_t next_ = ((std::uint64_t(1) << 60) - 1) / kOrder * kOrder + 1;
};

// A number less `p` unless it is below `p`: below zero it would be a large one.
inline std::uint64_t lowered(std::uint64_t x, std::uint64_t p) { return std::min(x, x - p); }

class Transform {
 public:
  // So many points are needed for a polynomial with so many coefficients, at most TransformPrimes::kOrder. Rows
  // may be those of several polynomials side by side: all first coefficients, all second ones, and so on.
  Transform(const Residues& a, std::size_t points, std::size_t polynomials = 1);

  std::size_t points() const { return points_; }
  // Of the rows that are transformed: the least power of two that is enough.
  std::size_t length() const { return root_.size(); }
  // A power of a point.
  std::uint64_t power(std::size_t point, std::size_t exponent) const {
    return root_[turns_[point] * (exponent % length()) % length()];
  }
  // In place, in the first values of a row; their order is the same for all of a length. Powers of x are those modulo
  // the length: it is a root of one at all points.
  void to_points(std::uint64_t* x) const;
  // Back into a polynomial without other coefficients than the first.
  void from_points(std::uint64_t* x) const;

  // The same where numbers need not be below p: from below 2 p to below 8 p.
  void to_points_lazily(std::uint64_t* x) const;
  // From below 4 p to below 4 p, and times the length.
  void from_points_lazily(std::uint64_t* x) const;

 private:
  void back(std::uint64_t* x, std::size_t whole, std::size_t place) const;
  void back(std::uint64_t* x, std::size_t size, std::size_t place, std::size_t points) const;

  Residues a_;
  std::size_t points_, polynomials_;
  Vector<std::uint64_t> root_;    // its powers
  Vector<std::size_t> turns_{0};  // by point: which of its powers it is
  Vector<Factor> split_, join_;   // by place of a block among those of its size: a root, and one over it
};

}  // namespace sapper
