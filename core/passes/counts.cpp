#include "passes/counts.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>

#include "base/crew.hpp"
#include "passes/by_mines.hpp"
#include "passes/center.hpp"
#include "passes/incoming.hpp"
#include "passes/pieces.hpp"
#include "passes/top_at_points.hpp"

namespace sapper {

namespace {

using Word = std::uint64_t;
__extension__ using Double = unsigned __int128;
using Row = Vector<Word>;

constexpr Word kMask = (Word(1) << Counts::kBits) - 1;
constexpr unsigned kMostAdded = 255;     // numbers in a sum that was not carried
constexpr std::uint64_t kMostProducts = 1 << 15;  // products of limbs in one sum of 128 bits
constexpr std::uint64_t kFewNodes = 500;          // of a diagram that is passed as it is

// By level: no value has more bits, and one more is to spare.
template <class Log>
Vector<double> bits_of(const Diagram& d, Log&& log2_of_largest) {
  Vector<double> bits;
  bits.reserve(d.levels.size());
  for (const auto& level : d.levels) bits.push_back(log2_of_largest(level) + 1);
  return bits;
}

Vector<double> bits_of(const Diagram& d, double cells, Guard& guard) {
  // With so few cells there is nothing to find out.
  if (cells < Counts::kBits - 1) return bits_of(d, [&](auto&) { return cells; });
  {
    std::feclearexcept(FE_ALL_EXCEPT);
    const auto value = upward(d, Floats{}, guard);
    if (std::isfinite(value.back()) && !std::fetestexcept(FE_OVERFLOW))
      return bits_of(d, [&](const Diagram::Level& level) {
        const auto first = value.begin() + std::ptrdiff_t(level.first_node);
        return std::log2(*std::max_element(first, first + level.nodes));
      });
  }
  const auto value = upward(d, WideFloats{}, guard);
  return bits_of(d, [&](const Diagram::Level& level) {
    double most = 0;
    for (std::uint64_t n = level.first_node; n < level.first_node + level.nodes; ++n)
      most = std::max(most, value[n].log2());
    return most;
  });
}

void carry(Word* number, std::size_t limbs) {
  Word over = 0;
  for (std::size_t i = 0; i + 1 < limbs; ++i) {
    number[i] += over;
    over = number[i] >> Counts::kBits;
    number[i] &= kMask;
  }
  number[limbs - 1] += over;
}

// to[i] += from[i] * weight for rows of numbers. The sum must have room.
void add(Word* __restrict to, std::size_t limbs, const Word* __restrict from, std::size_t fewer,
         std::int32_t numbers, Word weight) {
  if (limbs != fewer) {
    for (std::int32_t i = 0; i < numbers; ++i, to += limbs, from += fewer)
      for (std::size_t k = 0; k < fewer; ++k) to[k] += from[k] * weight;
    return;
  }
  const std::size_t words = std::size_t(numbers) * limbs;
  if (weight == 1)
    for (std::size_t k = 0; k < words; ++k) to[k] += from[k];
  else
    for (std::size_t k = 0; k < words; ++k) to[k] += from[k] * weight;
}

// The sum of products of numbers, one row forth and one back: short ones stay in registers.
template <std::size_t X, std::size_t Y>
void sum_short(const Word* x, const Word* y, std::int32_t terms, Double* to) {
  Double sums[X + Y - 1] = {};
  for (std::int32_t i = 0; i < terms; ++i) {
    const Word* a = x + std::ptrdiff_t(i) * std::ptrdiff_t(X);
    const Word* b = y - std::ptrdiff_t(i) * std::ptrdiff_t(Y);
    for (std::size_t p = 0; p < X; ++p)
      for (std::size_t q = 0; q < Y; ++q) sums[p + q] += Double(a[p]) * b[q];
  }
  std::copy_n(sums, X + Y - 1, to);
}

using SumShort = void (*)(const Word*, const Word*, std::int32_t, Double*);
constexpr std::size_t kShort = 3;
constexpr SumShort kSumShort[kShort][kShort] = {
    {sum_short<1, 1>, sum_short<1, 2>, sum_short<1, 3>},
    {sum_short<2, 1>, sum_short<2, 2>, sum_short<2, 3>},
    {sum_short<3, 1>, sum_short<3, 2>, sum_short<3, 3>},
};

// The values of a level, node by node: how long each number is, and how much was added to them.
class Sums {
 public:
  Sums(const MineRanges& m, const Diagram::Level& level, std::size_t limbs, Space<Word>& row)
      : m_(m), level_(level), limbs_(limbs), row_(row) {}

  void begin(std::uint32_t node) {
    node_ = level_.first_node + node;
    added_ = 0;
    std::fill_n(at(m_.low[node_]), std::size_t(m_.length(node_)) * limbs_, Word(0));
  }
  void end() {
    if (added_ > 1) carry_all();
  }

  // Numbers of `fewer` limbs times a small weight.
  void add_row(std::int32_t low, const Word* from, std::size_t fewer, std::int32_t numbers, Word weight) {
    make_room(unsigned(weight));
    add(at(low), limbs_, from, fewer, numbers, weight);
  }

  // The product of two polynomials. Adds up all that belongs to a power before it carries.
  void add_product(std::int32_t low, const Word* x, std::size_t x_limbs, std::int32_t nx, const Word* y,
                   std::size_t y_limbs, std::int32_t ny, Guard& guard) {
    if (ny == 1 && y[0] <= kMostAdded / 2 && std::all_of(y + 1, y + y_limbs, [](Word limb) { return limb == 0; }))
      return add_row(low, x, x_limbs, nx, y[0]);
    make_room(1);
    const std::uint64_t each = std::min(x_limbs, y_limbs);
    const bool is_short =
        std::max(x_limbs, y_limbs) <= kShort && each * std::uint64_t(std::min(nx, ny)) <= kMostProducts;
    for (std::int32_t c = 0; c < nx + ny - 1; ++c) {
      sums_.assign(x_limbs + y_limbs + 1, 0);
      const std::int32_t first = std::max(0, c - ny + 1), last = std::min(c, nx - 1);
      const Word* a = x + std::size_t(first) * x_limbs;
      const Word* b = y + std::size_t(c - first) * y_limbs;
      if (is_short) {
        guard.tick(std::uint32_t(std::size_t(last - first + 1) * x_limbs * y_limbs));
        kSumShort[x_limbs - 1][y_limbs - 1](a, b, last - first + 1, sums_.data());
      } else {
        add_long(a, x_limbs, b, y_limbs, last - first + 1, guard);
      }
      carry_sums();
      Word* to = at(low + c);
      // What is beyond is zero, for the sum fits.
      for (std::size_t k = 0; k < std::min(limbs_, sums_.size()); ++k) to[k] += Word(sums_[k]);
    }
  }

 private:
  void add_long(const Word* x, std::size_t x_limbs, const Word* y, std::size_t y_limbs, std::int32_t terms,
                Guard& guard) {
    const std::uint64_t each = std::min(x_limbs, y_limbs);
    std::uint64_t products = 0;
    for (std::int32_t i = 0; i < terms; ++i) {
      const Word* a = x + std::ptrdiff_t(i) * std::ptrdiff_t(x_limbs);
      const Word* b = y - std::ptrdiff_t(i) * std::ptrdiff_t(y_limbs);
      guard.tick(std::uint32_t(x_limbs * y_limbs));
      if ((products += each) > kMostProducts) {
        carry_sums();
        products = each;
      }
      for (std::size_t p = 0; p < x_limbs; ++p)
        for (std::size_t q = 0; q < y_limbs; ++q) sums_[p + q] += Double(a[p]) * b[q];
    }
  }

  Word* at(std::int32_t mines) {
    const std::uint64_t entry =
        m_.begin[node_] - m_.begin[level_.first_node] + std::uint64_t(mines - m_.low[node_]);
    return row_.data() + entry * limbs_;
  }

  void make_room(unsigned numbers) {
    if (added_ + numbers > kMostAdded) {
      carry_all();
      added_ = 1;
    }
    added_ += numbers;
  }

  void carry_all() {
    Word* number = at(m_.low[node_]);
    for (std::int32_t i = 0; i < m_.length(node_); ++i, number += limbs_) carry(number, limbs_);
  }

  void carry_sums() {
    for (std::size_t k = 0; k + 1 < sums_.size(); ++k) {
      sums_[k + 1] += sums_[k] >> Counts::kBits;
      sums_[k] &= kMask;
    }
  }

  const MineRanges& m_;
  const Diagram::Level& level_;
  std::size_t limbs_;
  Space<Word>& row_;
  std::uint64_t node_ = 0;
  unsigned added_ = 0;
  Vector<Double> sums_;
};

// value * factor / divisor, which is a whole number.
void scale(Row& value, Word factor, Word divisor) {
  Double over = 0;
  for (Word& limb : value) {
    over += Double(limb) * factor;
    limb = Word(over) & kMask;
    over >>= Counts::kBits;
  }
  if (over) value.push_back(Word(over));
  Double rest = 0;
  for (std::size_t j = value.size(); j-- > 0;) {
    rest = (rest << Counts::kBits) | value[j];
    value[j] = Word(rest / divisor);
    rest %= divisor;
  }
  while (value.size() > 1 && value.back() == 0) value.pop_back();
}

// C(n, low), C(n, low + 1), ... in limbs.
Vector<Row> binomials(std::int32_t n, std::int32_t low, std::int32_t numbers, Guard& guard) {
  Vector<Row> rows(std::size_t(numbers), Row{1});
  Row& first = rows.front();
  for (std::int32_t i = 0; i < std::min(low, n - low); ++i) {
    guard.tick(std::uint32_t(first.size()));
    scale(first, Word(n - i), Word(i + 1));
  }
  for (std::int32_t i = 1; i < numbers; ++i) {
    guard.tick(std::uint32_t(rows[std::size_t(i - 1)].size()));
    rows[std::size_t(i)] = rows[std::size_t(i - 1)];
    scale(rows[std::size_t(i)], Word(n - low - i + 1), Word(low + i));
  }
  return rows;
}

class Pass {
 public:
  // `targets` are the levels that may be found at points from levels below, the root as the last one.
  Pass(const Diagram& d, double cells, std::span<const std::int32_t> targets, const CountingWays& ways, Guard& guard)
      : d_(d), m_(d), bits_(bits_of(d, cells, guard)), rows_(d.levels.size()), ways_(ways),
        crew_(ways.threads), guard_(guard) {
    limbs_.reserve(bits_.size());
    for (const double bits : bits_) limbs_.push_back(std::size_t(bits / Counts::kBits) + 1);
    const auto at_points = levels_at_points(d, m_, bits_, targets, ways.limbs, guard);
    auto target = targets.begin();
    for (std::size_t i = 0; i < d_.levels.size(); ++i) {
      if (!at_points[i])
        raise(i);
      else if (std::int32_t(i) == *target)
        rows_[i] = TopAtPoints(d, m_, at_points, targets, target, guard)
                       .run(rows_, limbs_, bits_[i], crew_, ways.few_products, guard);
      if (std::int32_t(i) == *target) ++target;
    }
  }

  Counts of(std::int32_t level) const {
    const Space<Word>& row = rows_[std::size_t(level)];
    return {m_.low[d_.levels[level].first_node], limbs_[std::size_t(level)], Row(row.begin(), row.end())};
  }

 private:
  void raise(std::size_t i) {
    const auto& level = d_.levels[i];
    rows_[i].resize(m_.entries_of(level) * limbs_[i]);
    guard_.tick(arcs_of(level));
    if (level.is_start()) {
      std::ranges::fill(rows_[i], Word(0));
      for (std::size_t n = 0; n < level.nodes; ++n) rows_[i][n * limbs_[i]] = 1;
      return;
    }
    if (level.is_join())
      join(i);
    else
      choose(i);
    drop(level.left);
    if (level.is_join()) drop(level.right);
  }

  void choose(std::size_t i) {
    const auto& level = d_.levels[i];
    const auto weights = binomials(d_.sizes[level.group], level.value_low, level.values, guard_);
    static constexpr Word kOne = 1;
    const bool first = level.left < 0;
    const std::uint64_t l0 = first ? 0 : d_.levels[level.left].first_node;
    const std::size_t fewer = first ? 1 : limbs_[std::size_t(level.left)];
    const double work = double(level.arc_end - level.arc_begin) * (20 + (first ? 1 : words_of(level.left)));
    for_nodes(i, work, [&](Sums& here, ArcInto arc, Guard& guard) {
      const std::int32_t numbers = first ? 1 : m_.length(l0 + arc.a);
      const std::int32_t low = (first ? 0 : m_.low[l0 + arc.a]) + level.value_low + std::int32_t(arc.b);
      const Word* from = first ? &kOne : values(level.left, arc.a);
      guard.tick(std::uint32_t(std::size_t(numbers) * fewer / 2 + 1));
      const Row& w = weights[arc.b];
      if (w.size() == 1 && w[0] <= kMostAdded / 2)
        here.add_row(low, from, fewer, numbers, w[0]);
      else
        here.add_product(low, from, fewer, numbers, w.data(), w.size(), 1, guard);
    });
  }

  void join(std::size_t i) {
    const auto& level = d_.levels[i];
    const std::uint64_t l0 = d_.levels[level.left].first_node, r0 = d_.levels[level.right].first_node;
    const double products = double(level.arc_end - level.arc_begin) / 3 * (20 + words_of(level.left) * words_of(level.right));
    for_nodes(i, products, [&](Sums& here, ArcInto arc, Guard& guard) {
      here.add_product(m_.low[l0 + arc.a] + m_.low[r0 + arc.b], values(level.left, arc.a),
                       limbs_[std::size_t(level.left)], m_.length(l0 + arc.a), values(level.right, arc.b),
                       limbs_[std::size_t(level.right)], m_.length(r0 + arc.b), guard);
    });
  }

  // f(sums, arc, guard) for each arc of a level, which takes so many products of limbs. Part k has the nodes k,
  // k + parts, ...
  template <class F>
  void for_nodes(std::size_t i, double products, F&& f) {
    const auto& level = d_.levels[i];
    const auto arcs = arcs_into(d_, level);
    const auto most = ways_.threads < 2 ? 1 : std::min(level.nodes, 4 * ways_.threads);
    const std::size_t parts = parts_of(products, ways_.few_products, most);
    crew_.spread(parts, guard_, [&](std::size_t part, Guard& guard) {
      Sums here(m_, level, limbs_[i], rows_[i]);
      for (std::size_t n = part; n < level.nodes; n += parts) {
        here.begin(std::uint32_t(n));
        for (const ArcInto arc : arcs[n]) f(here, arc, guard);
        here.end();
      }
    });
  }

  // Of a node, on average.
  double words_of(std::int32_t level) const {
    return double(rows_[std::size_t(level)].size()) / d_.levels[level].nodes;
  }

  const Word* values(std::int32_t level, std::uint32_t node) const {
    const std::uint64_t first = d_.levels[level].first_node;
    return rows_[std::size_t(level)].data() +
           (m_.begin[first + node] - m_.begin[first]) * limbs_[std::size_t(level)];
  }

  void drop(std::int32_t level) {
    if (level < 0) return;
    Space<Word>().swap(rows_[std::size_t(level)]);  // gives the memory back
  }

  const Diagram& d_;
  MineRanges m_;
  Vector<double> bits_;         // by level: no value has more,
  Vector<std::size_t> limbs_;   // and so many limbs are enough
  Vector<Space<Word>> rows_;
  const CountingWays& ways_;
  Crew crew_;
  Guard& guard_;
};

}  // namespace

BigNat Counts::operator[](std::size_t i) const {
  BigNat number;
  for (std::size_t k = limbs; k-- > 0;) {
    number.scale(Word(1) << kBits);
    number += BigNat(words[i * limbs + k]);
  }
  return number;
}

Counts count_by_mines(const Piece& piece, Guard& guard, const CountingWays& ways) {
  const Diagram& d = *piece.diagram;
  const auto cells = double(piece.part.variables.size());
  const auto root = std::int32_t(d.levels.size()) - 1;
  std::int32_t center = ways.center < 0 ? root : ways.center;
  if (ways.center < 0 && d.nodes > kFewNodes) center = center_of(d, MineRanges(d), guard);
  if (center == root) return Pass(d, cells, std::span(&root, 1), ways, guard).of(root);
  const Centered c = turn(d, center, guard);
  const std::int32_t targets[] = {c.up, c.down, std::int32_t(c.turned.levels.size()) - 1};
  return Pass(c.turned, cells, targets, ways, guard).of(targets[2]);
}

Vector<Counts> counts_by_mines(const Compiled& c, Guard& guard, unsigned threads) {
  return with_crew(c, threads, [&](Crew* crew) {
    Vector<Counts> found(c.pieces.size());
    share_pieces(c, crew, guard, [&](std::size_t i, const Crew* together, Guard& own) {
      found[i] = count_by_mines(c.pieces[i], own, {.threads = together ? together->threads() : 1});
    });
    return found;
  });
}

}  // namespace sapper
