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

}  // namespace

const Residues& TransformPrimes::operator[](std::size_t i) {
  for (; found_.size() <= i; next_ -= kOrder)
    if (is_prime(next_)) found_.push_back(Residues(next_));
  return found_[i];
}

Transform::Transform(const Residues& a, std::size_t points, std::size_t polynomials)
    : a_(a), points_(points), polynomials_(polynomials), root_(std::bit_ceil(points), a.one()) {
  const std::uint64_t order = TransformPrimes::kOrder;
  std::uint64_t root = a.zero();
  for (std::uint64_t x = 2;; ++x) {
    root = a.power(a.enter(x), (a.prime() - 1) / order);
    if (a.power(root, order / 2) != a.one()) break;
  }
  root = a.power(root, order / length());
  for (std::size_t i = 1; i < length(); ++i) root_[i] = a.multiply(root_[i - 1], root);
  // The second half of the points are those of the first, and half a step more: bits in reverse order.
  turns_.reserve(length());
  for (std::size_t more = length() / 2; turns_.size() < length(); more /= 2)
    for (std::size_t i = 0, n = turns_.size(); i < n; ++i) turns_.push_back(turns_[i] + more);
  split_.reserve(length() / 2);
  join_.reserve(length() / 2);
  for (std::size_t i = 0; i < length(); i += 2) {
    split_.push_back(a.factor(root_[turns_[i]]));
    join_.push_back(a.factor(root_[(length() - turns_[i]) % length()]));
  }
}

void Transform::to_points(std::uint64_t* x) const {
  to_points_lazily(x);
  const std::uint64_t p = a_.prime();
  for (std::size_t j = 0; j < points_ * polynomials_; ++j) x[j] = lowered(lowered(lowered(x[j], 4 * p), 2 * p), p);
}

// A block is a polynomial modulo x^2m - r^2: its halves become those modulo x^m - r and x^m + r, and so on. All blocks
// of a size have their own root, and the root depends on the place alone. Two steps are made at once.
void Transform::to_points_lazily(std::uint64_t* x) const {
  // What stays in registers is a copy, for numbers that are written might be those of `a_`.
  const Residues a = a_;
  const std::uint64_t twice = 2 * a.prime();
  const std::size_t end = points_ * polynomials_;
  std::size_t size = length() * polynomials_;
  // The first roots are one.
  if (std::countr_zero(length()) % 2 == 1) {
    const std::size_t half = size / 2;
    for (std::size_t j = 0; j < half; ++j) {
      const std::uint64_t u = x[j], v = x[j + half];
      x[j] = u + v;
      x[j + half] = u + twice - v;
    }
    size = half;
  } else if (length() > 1) {
    const std::size_t m = size / 4;
    const Factor fourth = split_[1];
    for (std::size_t j = 0; j < m; ++j) {
      const std::uint64_t s = x[j] + x[j + 2 * m], t = x[j + m] + x[j + 3 * m];
      const std::uint64_t u = x[j] + twice - x[j + 2 * m];
      const std::uint64_t v = a.multiply_lazily(x[j + m] + twice - x[j + 3 * m], fourth);
      x[j] = s + t;
      x[j + m] = s + 2 * twice - t;
      x[j + 2 * m] = u + v;
      x[j + 3 * m] = u + twice - v;
    }
    size = m;
  }
  for (; size > polynomials_; size /= 4) {
    const std::size_t m = size / 4;
    std::size_t place = 0;
    for (std::uint64_t* block = x; block < x + end; block += size, ++place) {
      const Factor r = split_[place], low = split_[2 * place], high = split_[2 * place + 1];
      std::uint64_t *const y = block + m, *const z = y + m, *const w = z + m;
      for (std::size_t j = 0; j < m; ++j) {
        // From below 8 p to below 8 p, which is below 2^63.
        const std::uint64_t c = a.multiply_lazily(z[j], r), d = a.multiply_lazily(w[j], r);
        const std::uint64_t b = y[j], s = lowered(block[j], 2 * twice) + c, u = s + twice - 2 * c;
        const std::uint64_t t = a.multiply_lazily(b + d, low), v = a.multiply_lazily(b + twice - d, high);
        block[j] = s + t;
        y[j] = s + twice - t;
        z[j] = u + v;
        w[j] = u + twice - v;
      }
    }
  }
}

void Transform::from_points(std::uint64_t* x) const {
  from_points_lazily(x);
  const std::uint64_t scale = a_.divide(a_.one(), a_.enter(length()));
  for (std::size_t j = 0; j < points_ * polynomials_; ++j) x[j] = a_.multiply(x[j], scale);
}

void Transform::from_points_lazily(std::uint64_t* x) const {
  if (points_ == length()) return back(x, length(), 0);
  // As below, where the last coefficients are zero and the root is one.
  const std::uint64_t p = a_.prime();
  const std::size_t half = length() / 2 * polynomials_, most = points_ * polynomials_ - half;
  std::uint64_t* const y = x + half;
  back(x, length() / 2, 0);
  std::copy(x + most, y, y + most);
  back(y, length() / 2, 1, points_ - length() / 2);
  for (std::size_t j = 0; j < half; ++j) {
    const std::uint64_t u = x[j], v = y[j];
    x[j] = lowered(u + v, 4 * p);
    y[j] = lowered(u + 4 * p - v, 4 * p);
  }
}

// All values of a block are those at points: as to_points, from its end. Numbers are below 4 p.
void Transform::back(std::uint64_t* x, std::size_t whole, std::size_t place) const {
  const Residues a = a_;
  const std::uint64_t twice = 2 * a.prime(), many = 4 * twice;
  std::size_t done = 1;
  for (; 4 * done <= whole; done *= 4) {
    const std::size_t m = done * polynomials_;
    std::size_t at = place * (whole / done / 4);
    for (std::uint64_t* block = x; block < x + whole * polynomials_; block += 4 * m, ++at) {
      const Factor r = join_[at], low = join_[2 * at], high = join_[2 * at + 1];
      std::uint64_t *const y = block + m, *const z = y + m, *const w = z + m;
      for (std::size_t j = 0; j < m; ++j) {
        const std::uint64_t s = block[j] + y[j], t = a.multiply_lazily(block[j] + 2 * twice - y[j], low);
        const std::uint64_t u = z[j] + w[j], v = a.multiply_lazily(z[j] + 2 * twice - w[j], high);
        block[j] = lowered(lowered(s + u, many), many / 2);  // the sum is below 16 p, and that below 2^64
        y[j] = t + v;
        z[j] = a.multiply_lazily(s + many - u, r);
        w[j] = a.multiply_lazily(t + twice - v, r);
      }
    }
  }
  if (done == whole) return;
  const std::size_t m = done * polynomials_;
  const Factor r = join_[place];
  for (std::size_t j = 0; j < m; ++j) {
    const std::uint64_t u = x[j], v = x[j + m];
    x[j] = lowered(u + v, 2 * twice);
    x[j + m] = a.multiply_lazily(u + 2 * twice - v, r);
  }
}

// Van der Hoeven's truncated transform: the first values of a block are those at points, the others coefficients times
// its size. All become such coefficients.
void Transform::back(std::uint64_t* x, std::size_t size, std::size_t place, std::size_t points) const {
  if (points == 0) return;
  if (points == size) return back(x, size, place);
  const Residues a = a_;
  const std::uint64_t p = a.prime();
  const std::size_t half = size / 2 * polynomials_;
  const Factor r = split_[place], under = join_[place];
  std::uint64_t* const y = x + half;
  if (points < size / 2) {
    // Of the sums of both halves all but the first are known.
    for (std::size_t j = points * polynomials_; j < half; ++j) {
      const std::uint64_t sum = x[j] + a.multiply_lazily(y[j], r);
      x[j] = (sum + (sum % 2) * p) / 2;
    }
    back(x, size / 2, 2 * place, points);
    for (std::size_t j = 0; j < half; ++j)
      x[j] = lowered(lowered(2 * x[j] + 2 * p - a.multiply_lazily(y[j], r), 8 * p), 4 * p);
    return;
  }
  back(x, size / 2, 2 * place);
  // All sums are known, so with the last coefficients the last differences are.
  for (std::size_t j = points * polynomials_ - half; j < half; ++j)
    y[j] = lowered(x[j] + 2 * p - a.multiply_lazily(y[j], r), 4 * p);
  back(y, size / 2, 2 * place + 1, points - size / 2);
  for (std::size_t j = 0; j < half; ++j) {
    const std::uint64_t u = x[j], v = y[j];
    x[j] = lowered(u + v, 4 * p);
    y[j] = a.multiply_lazily(u + 4 * p - v, under);
  }
}

}  // namespace sapper
