// Number-theoretic transforms: the values of a polynomial at roots of unity modulo a prime, and back.
//
// At points a product of polynomials is one of numbers, and where two tables of a diagram meet it is
// made for many pairs of few polynomials. Lengths are 2^k and 3 * 2^k.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "passes/algebra.hpp"

namespace sapper {

// Primes below 2^60 that are 1 modulo 3 * 2^20, the largest first: up to 256 products of residues fit
// into 128 bits.
class TransformPrimes {
 public:
  static constexpr double kBits = 59.9;  // at least, of each
  static constexpr std::uint64_t kOrder = std::uint64_t(3) << 20;

  const Residues& operator[](std::size_t i);

 private:
  Vector<Residues> found_;
  std::uint64_t next_ = ((std::uint64_t(1) << 60) - 1) / kOrder * kOrder + 1;
};

class Transform {
 public:
  // The least length that is enough; 0 if there is none.
  static std::size_t length_for(std::size_t coefficients);

  Transform(const Residues& a, std::size_t length);

  std::size_t length() const { return root_.size(); }
  // In place; the order of the points is the same for all of a length. Lengths wrap around.
  void to_points(std::uint64_t* x) const;
  void from_points(std::uint64_t* x) const;

 private:
  Residues a_;
  std::size_t power_;  // of two, in the length
  std::uint64_t scale_;
  Vector<std::uint64_t> root_;  // its powers
};

}  // namespace sapper
