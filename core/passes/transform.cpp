#include "passes/transform.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace sapper {

namespace {

// Miller and Rabin's test; these bases are enough below 2^64 (Sorenson and Webster).
bool is_prime(std::uint64_t n) {
  constexpr std::array<std::uint64_t, 12> kBases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (const std::uint64_t b : kBases)
    if (n % b == 0) return n == b;
  const Residues a(n);
  std::uint64_t minus_one = a.zero();
  a.subtract(minus_one, a.one());
  const int twos = std::countr_zero(n - 1);
  for (const std::uint64_t b : kBases) {
    std::uint64_t x = a.power(a.enter(b), (n - 1) >> twos);
    bool passed = x == a.one() || x == minus_one;
    for (int k = 1; k < twos && !passed; ++k) {
      x = a.multiply(x, x);
      passed = x == minus_one;
    }
    if (!passed) return false;
  }
  return true;
}

// A number less `p` unless it is below `p`: below zero it would be a large one.
std::uint64_t lowered(std::uint64_t x, std::uint64_t p) { return std::min(x, x - p); }

}  // namespace

const Residues& TransformPrimes::operator[](std::size_t i) {
  for (; found_.size() <= i; next_ -= kOrder)
    if (is_prime(next_)) found_.push_back(Residues(next_));
  return found_[i];
}

std::size_t Transform::length_for(std::size_t coefficients) {
  if (coefficients > TransformPrimes::kOrder / 3) return 0;
  const std::size_t two = std::bit_ceil(coefficients);
  return two >= 4 && two / 4 * 3 >= coefficients ? two / 4 * 3 : two;
}

Transform::Transform(const Residues& a, std::size_t length)
    : a_(a), power_(length % 3 == 0 ? length / 3 : length), root_(length, a.one()) {
  const std::uint64_t order = TransformPrimes::kOrder;
  std::uint64_t root = a.zero();
  for (std::uint64_t x = 2;; ++x) {
    root = a.power(a.enter(x), (a.prime() - 1) / order);
    if (a.power(root, order / 2) != a.one() && a.power(root, order / 3) != a.one()) break;
  }
  root = a.power(root, order / length);
  for (std::size_t i = 1; i < length; ++i) root_[i] = a.multiply(root_[i - 1], root);
  scale_ = a.divide(a.one(), a.enter(length));
}

void Transform::to_points(std::uint64_t* x) const {
  const std::size_t n = length(), m = power_;
  if (n != m) {
    // Modulo x^m - 1, x^m - z and x^m - z^2, where z is a cube root of one; each then as if it were
    // the first.
    const std::uint64_t z = root_[m], zz = root_[2 * m];
    for (std::size_t j = 0; j < m; ++j) {
      const std::uint64_t f = x[j], g = x[j + m], h = x[j + 2 * m];
      std::uint64_t p = f, q = f, r = f;
      a_.add(p, g);
      a_.add(p, h);
      a_.add(q, a_.multiply(g, z));
      a_.add(q, a_.multiply(h, zz));
      a_.add(r, a_.multiply(g, zz));
      a_.add(r, a_.multiply(h, z));
      x[j] = p;
      x[j + m] = a_.multiply(q, root_[j]);
      x[j + 2 * m] = a_.multiply(r, root_[2 * j]);
    }
  }
  // Numbers are below 2 p until the end, which is enough for products: p is below 2^60. What stays in
  // registers is a copy, for numbers that are written might be those of `a_`.
  const Residues a = a_;
  const std::uint64_t twice = 2 * a.prime();
  for (std::uint64_t* part = x; part < x + n; part += m)
    for (std::size_t size = m; size > 1; size /= 2) {
      const std::size_t half = size / 2, step = n / size;
      for (std::uint64_t* block = part; block < part + m; block += size) {
        const std::uint64_t* root = root_.data();
        for (std::size_t j = 0; j < half; ++j, root += step) {
          const std::uint64_t u = block[j], v = block[j + half];
          block[j] = lowered(u + v, twice);
          block[j + half] = a.multiply_lazily(u + twice - v, *root);
        }
      }
    }
  for (std::size_t j = 0; j < n; ++j) x[j] = lowered(x[j], a.prime());
}

void Transform::from_points(std::uint64_t* x) const {
  const std::size_t n = length(), m = power_;
  const Residues a = a_;
  const std::uint64_t twice = 2 * a.prime();
  for (std::uint64_t* part = x; part < x + n; part += m)
    for (std::size_t size = 2; size <= m; size *= 2) {
      const std::size_t half = size / 2, step = n / size;
      for (std::uint64_t* block = part; block < part + m; block += size)
        for (std::size_t j = 0; j < half; ++j) {
          const std::uint64_t u = block[j], v = a.multiply_lazily(block[j + half], root_[j == 0 ? 0 : n - j * step]);
          block[j] = lowered(u + v, twice);
          block[j + half] = lowered(u + twice - v, twice);
        }
    }
  for (std::size_t j = 0; j < n; ++j) x[j] = lowered(x[j], a.prime());
  if (n != m) {
    const std::uint64_t z = root_[m], zz = root_[2 * m];
    for (std::size_t j = 0; j < m; ++j) {
      const std::uint64_t p = x[j], q = a_.multiply(x[j + m], root_[j == 0 ? 0 : n - j]);
      const std::uint64_t r = a_.multiply(x[j + 2 * m], root_[j == 0 ? 0 : n - 2 * j]);
      std::uint64_t f = p, g = p, h = p;
      a_.add(f, q);
      a_.add(f, r);
      a_.add(g, a_.multiply(q, zz));
      a_.add(g, a_.multiply(r, z));
      a_.add(h, a_.multiply(q, z));
      a_.add(h, a_.multiply(r, zz));
      x[j] = f;
      x[j + m] = g;
      x[j + 2 * m] = h;
    }
  }
  for (std::size_t j = 0; j < n; ++j) x[j] = a_.multiply(x[j], scale_);
}

}  // namespace sapper
