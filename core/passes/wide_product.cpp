#include "passes/wide_product.hpp"

#include <algorithm>
#include <cmath>

#include "passes/products.hpp"

namespace sapper {

namespace {

// Products of two numbers from blocks, and their sums, stay within the range of normal doubles.
constexpr std::int64_t kSpan = 400;

std::int64_t bits_of(const Wide& x) { return std::ilogb(x.mantissa) + 512 * x.exponent; }

struct Blocks {
  struct Block {
    std::size_t begin, end;
    std::int64_t bits;  // the largest coefficient is about 2^bits
  };
  Vector<double> values;  // of its block's largest
  Vector<Block> blocks;   // without those that are zero

  explicit Blocks(std::span<const Wide> p) : values(p.size(), 0.0) {
    Block open{0, 0, 0};
    std::int64_t least = 0;
    auto close = [&](std::size_t end) {
      if (open.begin == open.end) return;
      for (std::size_t i = open.begin; i < open.end; ++i)
        values[i] = std::ldexp(p[i].mantissa, int(512 * p[i].exponent - open.bits));
      blocks.push_back(open);
      open = {end, end, 0};
    };
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p[i].mantissa == 0) continue;
      const std::int64_t bits = bits_of(p[i]);
      if (open.begin != open.end && std::max(open.bits, bits) - std::min(least, bits) > kSpan) close(i);
      if (open.begin == open.end) {
        open = {i, i, bits};
        least = bits;
      }
      open.bits = std::max(open.bits, bits);
      least = std::min(least, bits);
      open.end = i + 1;
    }
    close(p.size());
  }
};

void add_product(const Blocks& a, const Blocks& b, std::int64_t shift, std::span<Wide> out, Guard& guard) {
  const auto size = std::int64_t(out.size());
  Vector<double> sums;
  for (const auto& p : a.blocks)
    for (const auto& q : b.blocks) {
      const std::int64_t first = std::int64_t(p.begin + q.begin) + shift;
      const std::int64_t low = std::max<std::int64_t>(first, 0);
      const std::int64_t high = std::min(std::int64_t(p.end + q.end) - 1 + shift, size);
      if (low >= high) continue;
      sums.assign(std::size_t(high - low), 0.0);
      for (std::size_t i = p.begin; i < p.end; ++i) {
        // Those j whose product has a place.
        const std::int64_t at = std::int64_t(i) + shift;
        const auto from = std::max(std::int64_t(q.begin), low - at);
        const auto to = std::min(std::int64_t(q.end), high - at);
        if (from >= to) continue;
        guard.tick(std::uint32_t(to - from) / 4 + 1);
        const double own = a.values[i];
        const double* other = b.values.data() + from;
        double* sum = sums.data() + (at + from - low);
        for (std::int64_t j = 0; j < to - from; ++j) sum[j] += own * other[j];
      }
      guard.tick(std::uint32_t(sums.size()));
      for (std::size_t k = 0; k < sums.size(); ++k)
        WideFloats{}.add(out[std::size_t(low) + k], wide_of(sums[k], p.bits + q.bits));
    }
}

}  // namespace

Wide wide_of(double x, std::int64_t bits) {
  if (x == 0) return {};
  int own;
  const double fraction = std::frexp(x, &own);
  bits += own;
  const std::int64_t units = (bits + 255) >> 9;
  return {std::ldexp(fraction, int(bits - 512 * units)), units};
}

void add_product(std::span<const Wide> x, std::span<const Wide> y, std::int64_t shift,
                 std::span<Wide> out, Guard& guard, Crew* crew) {
  const Blocks a(x), b(y);
  std::size_t parts = 1;
  if (crew) parts = parts_of(double(x.size()) * double(y.size()), kFewProducts, 4 * crew->threads());
  if (parts == 1) return add_product(a, b, shift, out, guard);
  crew->spread(parts, guard, [&](std::size_t part, Guard& own) {
    const std::size_t from = out.size() * part / parts, to = out.size() * (part + 1) / parts;
    add_product(a, b, shift - std::int64_t(from), out.subspan(from, to - from), own);
  });
}

}  // namespace sapper
