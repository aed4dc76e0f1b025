#include "passes/algebra.hpp"

namespace sapper {

// Binomials modulo 2^64: split off the powers of two, the odd rest has an inverse.
std::uint64_t Words::weight(std::int32_t, std::int32_t size, std::int32_t value) const {
  if (value + value > size) value = size - value;
  std::uint64_t up = 1, down = 1;
  int twos = 0;
  for (std::int32_t i = 0; i < value; ++i) {
    const auto a = static_cast<std::uint64_t>(size - i), b = static_cast<std::uint64_t>(i + 1);
    const int ta = std::countr_zero(a), tb = std::countr_zero(b);
    twos += ta - tb;
    up *= a >> ta;
    down *= b >> tb;
  }
  std::uint64_t inverse = down;
  for (int i = 0; i < 5; ++i) inverse *= 2 - down * inverse;
  return twos >= 64 ? 0 : (up * inverse) << twos;
}

std::uint64_t Residues::power(T base, std::uint64_t exponent) const {
  T result = one_;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

// The primes in use exceed 2^61, far more than any group has cells, so factorials are invertible.
std::uint64_t Residues::weight(std::int32_t, std::int32_t size, std::int32_t value) const {
  if (value + value > size) value = size - value;
  T up = one_, down = one_;
  for (std::int32_t i = 0; i < value; ++i) {
    up = multiply(up, enter(static_cast<std::uint64_t>(size - i)));
    down = multiply(down, enter(static_cast<std::uint64_t>(i + 1)));
  }
  return value < 2 ? up : divide(up, down);
}

}  // namespace sapper
