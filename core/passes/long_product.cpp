#include "passes/long_product.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "passes/transform.hpp"

namespace sapper {

namespace {

using Word = std::uint64_t;
using Double = Residues::Double;

constexpr std::size_t kPrimes = 2;
constexpr std::size_t kMostDigitBits = 56;  // in eight bytes wherever it begins
constexpr std::size_t kTogether = 8;        // coefficients, as many words as are fetched at once
constexpr std::uint32_t kTickEach = 8;      // for a digit of these: a tenth of a microsecond

// Bits of the longest coefficient, at least one.
std::size_t bits_of(const LongPolynomial& f) {
  // Nearly all are looked at in their highest bytes alone.
  std::size_t bytes = 0;
  unsigned top = 1;
  for (const std::uint8_t* row = f.bytes.data(); row != f.bytes.data() + f.bytes.size(); row += f.size) {
    std::size_t n = f.size;
    while (n > std::max<std::size_t>(bytes, 1) && row[n - 1] == 0) --n;
    if (n > bytes) top = 1;
    if (n >= bytes) top = std::max<unsigned>(top, row[n - 1]);
    bytes = std::max(bytes, n);
  }
  return 8 * (bytes - 1) + std::size_t(std::bit_width(top));
}

std::size_t ceiling(std::size_t x, std::size_t y) { return (x + y - 1) / y; }

// So many bytes, at most eight, as a number and back, lowest first, whatever the machine's order is.
Word read_word(const std::uint8_t* from, std::size_t bytes) {
  Word word = 0;
  if (bytes >= 8) {
    for (std::size_t i = 0; i < 8; ++i) word |= Word(from[i]) << (8 * i);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) word |= Word(from[i]) << (8 * i);
  }
  return word;
}

void write_word(Word word, std::uint8_t* to, std::size_t bytes) {
  if (bytes >= 8) {
    for (std::size_t i = 0; i < 8; ++i) to[i] = std::uint8_t(word >> (8 * i));
  } else {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = std::uint8_t(word >> (8 * i));
  }
}

}  // namespace

LongProduct::LongProduct(const LongPolynomial& a, const LongPolynomial& b)
    : a_(a), b_(b), a_bits_(bits_of(a)), b_bits_(bits_of(b)),
      size_(ceiling(a_bits_ + b_bits_ + std::size_t(std::bit_width(std::min(a.length(), b.length()) - 1)), 8)) {}

class LongProduct::Work {
 public:
  explicit Work(const LongProduct& of)
      : of_(of), primes_{sequence_[0], sequence_[1]}, a_length_(of.a_.length()), column_(a_length_ + of.b_.length()),
        digit_bits_(bits_of_digits()), a_digits_(ceiling(of.a_bits_, digit_bits_)),
        digits_(a_digits_ + ceiling(of.b_bits_, digit_bits_) - 1),
        by_digit_{Transform(primes_[0], digits_, kTogether), Transform(primes_[1], digits_, kTogether)},
        by_power_{Transform(primes_[0], of.length()), Transform(primes_[1], of.length())},
        table_(kPrimes * digits_ * column_) {
    const Residues &a = primes_[0], &b = primes_[1];
    // Products of values were in Montgomery form once more, and both transforms leave their length.
    const auto scale = [&](const Residues& p) {
      return p.divide(p.enter(p.one()), p.enter(by_digit_[0].length() * by_power_[0].length()));
    };
    const Word inverse = b.divide(b.one(), b.enter(a.prime()));
    first_ = a.factor(scale(a));
    second_ = b.factor(b.multiply(scale(b), inverse));
    minus_ = b.factor(inverse);
  }

  void run(std::uint8_t* to, Crew& crew, double few_points, Guard& guard) {
    const double points = double(table_.size());
    const auto spread = [&](std::size_t all, auto&& f) {
      const std::size_t parts = std::min(all, parts_of(points, few_points, 8 * crew.threads()));
      crew.spread(parts, guard, [&](std::size_t part, Guard& own) {
        f(all * part / parts, all * (part + 1) / parts, own);
      });
    };
    const std::size_t of_a = ceiling(a_length_, kTogether), of_b = ceiling(column_ - a_length_, kTogether);
    spread(of_a + of_b, [&](std::size_t from, std::size_t end, Guard& own) {
      Rows rows(*this);
      for (std::size_t i = from; i < end; ++i) {
        own.tick(kTickEach * std::uint32_t(digits_));
        if (i < of_a)
          enter(of_.a_, i * kTogether, 0, rows);
        else
          enter(of_.b_, (i - of_a) * kTogether, a_length_, rows);
      }
    });
    spread(kPrimes * digits_, [&](std::size_t from, std::size_t end, Guard& own) {
      Space<Word> x(by_power_[0].length()), y(x.size());
      for (std::size_t i = from; i < end; ++i) {
        own.tick(std::uint32_t(x.size()));
        multiply(i, x.data(), y.data());
      }
    });
    spread(ceiling(column_ - 1, kTogether), [&](std::size_t from, std::size_t end, Guard& own) {
      Rows rows(*this);
      for (std::size_t i = from; i < end; ++i) {
        own.tick(kTickEach * std::uint32_t(digits_));
        leave(i * kTogether, rows, to);
      }
    });
  }

 private:
  // The digits of some coefficients side by side, modulo each prime.
  struct Rows {
    explicit Rows(const Work& work) {
      for (auto& row : of) row.resize(work.by_digit_[0].length() * kTogether);
    }
    std::array<Space<Word>, kPrimes> of;
  };

  // Digits so long that sums of their products are below the product of the primes.
  std::size_t bits_of_digits() const {
    const std::size_t terms = std::min(a_length_, column_ - a_length_), bits = std::min(of_.a_bits_, of_.b_bits_);
    const Double most = Double(primes_[0].prime()) * primes_[1].prime();
    std::size_t d = kMostDigitBits;
    while (terms * ceiling(bits, d) > most >> (2 * d)) --d;
    return d;
  }

  Word* column(std::size_t prime, std::size_t digit) { return table_.data() + (prime * digits_ + digit) * column_; }

  // Some coefficients of a factor from one on: their digits at points.
  void enter(const LongPolynomial& f, std::size_t first, std::size_t offset, Rows& rows) {
    const std::size_t some = std::min(kTogether, f.length() - first);
    const std::size_t digits = offset == 0 ? a_digits_ : digits_ + 1 - a_digits_;
    const Word mask = (Word(1) << digit_bits_) - 1;
    Space<Word>& x = rows.of[0];
    if (some < kTogether) std::fill(x.begin(), x.end(), 0);
    for (std::size_t k = 0; k < some; ++k) {
      const std::uint8_t* const number = f.bytes.data() + (first + k) * f.size;
      for (std::size_t i = 0; i < digits; ++i) {
        const std::size_t at = i * digit_bits_;
        x[i * kTogether + k] = (read_word(number + at / 8, f.size - at / 8) >> (at % 8)) & mask;
      }
    }
    std::fill(x.begin() + std::ptrdiff_t(digits * kTogether), x.end(), 0);
    std::copy(x.begin(), x.end(), rows.of[1].begin());
    for (std::size_t prime = 0; prime < kPrimes; ++prime) {
      const Word p = primes_[prime].prime();
      const Word* from = rows.of[prime].data();
      by_digit_[prime].to_points_lazily(rows.of[prime].data());
      for (std::size_t i = 0; i < digits_; ++i, from += kTogether) {
        Word* const to = column(prime, i) + offset + first;
        for (std::size_t k = 0; k < some; ++k) to[k] = lowered(lowered(from[k], 4 * p), 2 * p);
      }
    }
  }

  // A digit of both factors becomes that of the product, which has one coefficient less than they.
  void multiply(std::size_t i, Word* x, Word* y) {
    const std::size_t prime = i / digits_;
    const Residues a = primes_[prime];
    const Transform& t = by_power_[prime];
    Word* const here = column(prime, i % digits_);
    std::fill(std::copy_n(here, a_length_, x), x + t.length(), 0);
    std::fill(std::copy(here + a_length_, here + column_, y), y + t.length(), 0);
    t.to_points_lazily(x);
    t.to_points_lazily(y);
    // Below 8 p times below 4 p: below 3 p.
    for (std::size_t j = 0; j < t.points(); ++j) x[j] = a.multiply_lazily(x[j], lowered(y[j], 4 * a.prime()));
    t.from_points_lazily(x);
    std::copy_n(x, column_ - 1, here);
  }

  // Some coefficients of the product.
  void leave(std::size_t first, Rows& rows, std::uint8_t* to) {
    const std::size_t some = std::min(kTogether, column_ - 1 - first);
    for (std::size_t prime = 0; prime < kPrimes; ++prime) {
      Word* x = rows.of[prime].data();
      for (std::size_t i = 0; i < digits_; ++i, x += kTogether) {
        const Word* const from = column(prime, i) + first;
        for (std::size_t k = 0; k < some; ++k) x[k] = from[k];
        std::fill(x + some, x + kTogether, 0);
      }
      by_digit_[prime].from_points_lazily(rows.of[prime].data());
    }
    const Residues a = primes_[0], b = primes_[1];
    const Word p = b.prime(), mask = (Word(1) << digit_bits_) - 1;
    std::array<Double, kTogether> over{};
    std::array<Word, kTogether> words{};
    const Word *x = rows.of[0].data(), *y = rows.of[1].data();
    std::uint8_t* const out = to + first * of_.size_;
    for (std::size_t i = 0, filled = 0, at = 0; at < of_.size_; ++i, filled += digit_bits_) {
      // A word of each is written when it is full.
      const bool full = filled + digit_bits_ >= 64;
      for (std::size_t k = 0; k < kTogether; ++k) {
        Double sum = over[k];
        if (i < digits_) {
          // The number below both primes' product with these residues: the first, and the first prime some times.
          const Word rest = lowered(a.multiply_lazily(*x++, first_), a.prime());
          const Word times = b.multiply_lazily(*y++, second_) + 2 * p - b.multiply_lazily(rest, minus_);
          sum += Double(a.prime()) * lowered(lowered(times, 2 * p), p) + rest;
        }
        const Word digit = Word(sum) & mask;
        over[k] = sum >> digit_bits_;
        words[k] |= digit << filled;
        if (!full) continue;
        if (k < some) write_word(words[k], out + k * of_.size_ + at, of_.size_ - at);
        words[k] = filled == 0 ? 0 : digit >> (64 - filled);
      }
      if (full) {
        filled -= 64;
        at += 8;
      }
    }
  }

  const LongProduct& of_;
  TransformPrimes sequence_;
  std::array<Residues, kPrimes> primes_;
  std::size_t a_length_, column_, digit_bits_, a_digits_, digits_;
  std::array<Transform, kPrimes> by_digit_, by_power_;
  Factor first_, second_, minus_;  // what residues are multiplied by
  Space<Word> table_;              // by prime and digit: the coefficients of both factors, then of the product
};

void LongProduct::write(std::uint8_t* to, Crew& crew, Guard& guard, double few_points) const {
  Work(*this).run(to, crew, few_points, guard);
}

}  // namespace sapper
