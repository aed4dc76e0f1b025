// The product of two polynomials with long natural coefficients, on several threads.
//
// A coefficient is a polynomial in a power of two, its digits. In both variables values at roots of unity modulo two
// primes are multiplied one by one; the digits of the product are sums that the two residues determine. Transforms of
// different coefficients, and then of different digits, are independent.
#pragma once

#include <cstdint>
#include <span>

#include "base/crew.hpp"
#include "base/limits.hpp"

namespace sapper {

// So many bytes for each coefficient, the lowest first.
struct LongPolynomial {
  std::span<const std::uint8_t> bytes;
  std::size_t size;

  std::size_t length() const { return bytes.size() / size; }
};

class LongProduct {
 public:
  // Of what can be written: there are roots of unity for so many coefficients, and for the digits of so many bytes.
  static constexpr std::size_t kMostCoefficients = std::size_t(1) << 20, kMostBytes = std::size_t(1) << 22;

  // Of polynomials that have coefficients.
  LongProduct(const LongPolynomial& a, const LongPolynomial& b);

  std::size_t length() const { return a_.length() + b_.length() - 1; }
  // Of each coefficient in bytes.
  std::size_t size() const { return size_; }
  // All of them. Threads share what has so many `few_points` of transforms that a helper is worth it.
  void write(std::uint8_t* to, Crew& crew, Guard& guard, double few_points = 30000) const;

 private:
  class Work;

  LongPolynomial a_, b_;
  std::size_t a_bits_, b_bits_, size_;
};

}  // namespace sapper
