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

Transform::Transform(const Residues& a, std::size_t points)
    : a_(a), points_(points), root_(std::bit_ceil(points), a.one()) {
  const std::uint64_t order = TransformPrimes::kOrder;
  std::uint64_t root = a.zero();
  for (std::uint64_t x = 2;; ++x) {
    root = a.power(a.enter(x), (a.prime() - 1) / order);
    if (a.power(root, order / 2) != a.one()) break;
  }
  root = a.power(root, order / length());
  for (std::size_t i = 1; i < length(); ++i) root_[i] = a.multiply(root_[i - 1], root);
  // The second half of the points are those of the first, and half a step more: bits in reverse order.
  for (std::size_t more = length() / 2; turns_.size() < length(); more /= 2)
    for (std::size_t i = 0, n = turns_.size(); i < n; ++i) turns_.push_back(turns_[i] + more);
  const std::uint64_t half = a.divide(a.one(), a.enter(2));
  scale_.push_back(a.one());
  while (scale_.size() <= std::size_t(std::countr_zero(length()))) scale_.push_back(a.multiply(half, scale_.back()));
  for (std::size_t i = 0; i < length() / 2; ++i) back_.push_back(a.multiply(half, root_[(length() - i) % length()]));
}

// Modulo x^m - 1 and x^m + 1, where m is half the length; the latter then as if it were the former, and so on.
void Transform::to_points(std::uint64_t* x) const {
  // Numbers are below 2 p until the end, which is enough for products: p is below 2^60. What stays in
  // registers is a copy, for numbers that are written might be those of `a_`.
  const Residues a = a_;
  const std::uint64_t twice = 2 * a.prime();
  for (std::size_t size = length(); size > 1; size /= 2) {
    const std::size_t half = size / 2, step = length() / size;
    for (std::uint64_t* block = x; block < x + points_; block += size) {
      const std::uint64_t* root = root_.data();
      for (std::size_t j = 0; j < half; ++j, root += step) {
        const std::uint64_t u = block[j], v = block[j + half];
        block[j] = lowered(u + v, twice);
        block[j + half] = a.multiply_lazily(u + twice - v, *root);
      }
    }
  }
  for (std::size_t j = 0; j < points_; ++j) x[j] = lowered(x[j], a.prime());
}

void Transform::from_points(std::uint64_t* x) const {
  std::fill(x + points_, x + length(), a_.zero());
  back(x, length(), points_);
}

// All values of a block are those at points: as to_points, from its end.
void Transform::back(std::uint64_t* x, std::size_t whole) const {
  const Residues a = a_;
  const std::uint64_t twice = 2 * a.prime();
  for (std::size_t size = 2; size <= whole; size *= 2) {
    const std::size_t half = size / 2, step = length() / size;
    for (std::uint64_t* block = x; block < x + whole; block += size)
      for (std::size_t j = 0; j < half; ++j) {
        const std::uint64_t u = block[j], v = a.multiply_lazily(block[j + half], root_[j == 0 ? 0 : length() - j * step]);
        block[j] = lowered(u + v, twice);
        block[j + half] = lowered(u + twice - v, twice);
      }
  }
  const std::uint64_t scale = scale_[std::size_t(std::countr_zero(whole))];
  for (std::size_t j = 0; j < whole; ++j) x[j] = a.multiply(x[j], scale);
}

// Van der Hoeven's truncated transform: the first values of a block are those at points, the others coefficients. All
// become coefficients.
void Transform::back(std::uint64_t* x, std::size_t size, std::size_t points) const {
  if (points == 0) return;
  if (points == size) return back(x, size);
  const std::size_t half = size / 2, step = length() / size;
  std::uint64_t* const y = x + half;
  if (points < half) {
    // Of the sums of both halves all but the first are known.
    for (std::size_t j = points; j < half; ++j) a_.add(x[j], y[j]);
    back(x, half, points);
    for (std::size_t j = 0; j < half; ++j) a_.subtract(x[j], y[j]);
    return;
  }
  back(x, half);
  // All sums are known, so with the last coefficients the last differences are.
  for (std::size_t j = points - half; j < half; ++j) {
    std::uint64_t difference = x[j];
    a_.subtract(difference, y[j]);
    a_.subtract(difference, y[j]);
    y[j] = a_.multiply(difference, root_[j * step]);
  }
  back(y, half, points - half);
  for (std::size_t j = 0; j < half; ++j) {
    const std::uint64_t u = (x[j] + (x[j] % 2) * a_.prime()) / 2, v = a_.multiply(y[j], back_[j * step]);
    x[j] = y[j] = u;
    a_.add(x[j], v);
    a_.subtract(y[j], v);
  }
}

}  // namespace sapper
