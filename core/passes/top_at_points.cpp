#include "passes/top_at_points.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace sapper {

namespace {

using Word = std::uint64_t;
using Double = Residues::Double;
__extension__ using Signed = __int128;

constexpr Word kMask = (Word(1) << kLimbBits) - 1;
constexpr std::size_t kAtOnce = 4;         // points whose sums stay in registers
constexpr std::size_t kMostPrimes = 1024;  // so that sums of products of limbs fit into 128 bits

// Numbers far below the product of the primes.
std::size_t primes_for(double bits) { return std::size_t((bits + 4) / TransformPrimes::kBits) + 1; }

std::size_t longest_of(const Diagram::Level& level, const MineRanges& m) {
  std::int32_t longest = 1;
  for (std::uint64_t n = level.first_node; n < level.first_node + level.nodes; ++n)
    longest = std::max(longest, m.length(n));
  return std::size_t(longest);
}

// Points that are enough for all values of a level.
std::size_t points_for(const Diagram::Level& level, const MineRanges& m) {
  return (longest_of(level, m) + kAtOnce - 1) / kAtOnce * kAtOnce;
}

// What passes take, in nanoseconds, about; measured on grids of 60 x 60 to 100 x 100 cells.
class Work {
 public:
  Work(const Diagram& d, const MineRanges& m, const Vector<double>& bits, double cost, Guard& guard)
      : d_(d), m_(m), bits_(bits), cost_(cost), limbs_(d.levels.size(), 0), length_(d.levels.size(), 0) {
    for (std::size_t i = 0; i < d.levels.size(); ++i) {
      const auto& level = d.levels[i];
      guard.tick(level.nodes);
      for (std::uint64_t n = level.first_node; n < level.first_node + level.nodes; ++n) length_[i] += m.length(n);
      length_[i] /= level.nodes;
    }
  }

  // Marks the levels from `first` up to a target that are quicker at points. What lies below is done.
  void mark(std::int32_t first, std::int32_t target, Vector<std::uint8_t>& at_points) {
    for (std::int32_t i = first; i <= target; ++i) {
      const auto& level = d_.levels[i];
      limbs_[std::size_t(i)] = cost_ * in_limbs(level);
      for (const std::int32_t below : {level.left, level.is_join() ? level.right : -1})
        if (below >= first) limbs_[std::size_t(i)] += limbs_[std::size_t(below)];
    }
    const std::size_t each_prime = points_for(d_.levels[target], m_), primes = primes_for(bits_[std::size_t(target)]);
    if (each_prime > TransformPrimes::kOrder || primes > kMostPrimes) return;
    const double points = double(each_prime) * double(primes);
    // What a level takes with all below it if it is at points, and if it is transformed.
    Vector<double> there(d_.levels.size(), std::numeric_limits<double>::infinity());
    const auto enter = [&](std::int32_t i) {
      const double each = 1.3 * std::log2(double(each_prime)) + 4;
      return (i < first ? 0 : limbs_[std::size_t(i)]) +
             d_.levels[i].nodes * (each * points + length_[std::size_t(i)] * words(i) * double(primes));
    };
    for (std::int32_t i = first; i <= target; ++i) {
      const auto& level = d_.levels[i];
      if (level.left < 0) continue;  // made of nothing: only transformed
      const double arcs = double(level.arc_end - level.arc_begin) / (level.is_join() ? 3 : 1);
      there[std::size_t(i)] = (0.7 * arcs + 1.5 * level.nodes) * points;
      if (!level.is_join()) there[std::size_t(i)] += 4.0 * level.values * points;
      for (const std::int32_t below : {level.left, level.is_join() ? level.right : -1})
        if (below >= 0) there[std::size_t(i)] += std::min(there[std::size_t(below)], enter(below));
    }
    if (there[std::size_t(target)] + d_.levels[target].nodes * 12 * points > limbs_[std::size_t(target)]) return;
    Vector<std::int32_t> open{target};
    while (!open.empty()) {
      const auto& level = d_.levels[open.back()];
      at_points[std::size_t(open.back())] = 1;
      open.pop_back();
      for (const std::int32_t below : {level.left, level.is_join() ? level.right : -1})
        if (below >= 0 && there[std::size_t(below)] < enter(below)) open.push_back(below);
    }
  }

 private:
  double words(std::int32_t i) const { return bits_[std::size_t(i)] / kLimbBits + 1; }

  double in_limbs(const Diagram::Level& level) const {
    const double arcs = double(level.arc_end - level.arc_begin);
    if (level.left < 0) return arcs;
    const double x = length_[std::size_t(level.left)], v = words(level.left);
    if (!level.is_join()) return arcs * (8 + 0.5 * x * v);
    const double y = length_[std::size_t(level.right)], w = words(level.right);
    if (y < 1.01 && w < 2) return arcs / 3 * (10 + 0.5 * x * v);
    return arcs / 3 * (20 + (x + y) * (v + w) * 3 + 1.2 * x * v * y * w);
  }

  const Diagram& d_;
  const MineRanges& m_;
  const Vector<double>& bits_;
  double cost_;
  Vector<double> limbs_;   // by level: what it takes with all below it that is not done
  Vector<double> length_;  // by level, of its polynomials
};

// The values of a node at all points: sums of products of two values. Most nodes have few arcs, so that each number of
// them has a loop by itself, in which nothing leaves the registers.
struct Factors {
  const Word *x, *y;
};
template <std::size_t N>
void sum_of(const Factors* factors, std::size_t points, const Residues a, Word* __restrict to) {
  Factors f[N];
  std::copy_n(factors, N, f);
  for (std::size_t at = 0; at < points; ++at) {
    Double sum = Double(f[0].x[at]) * f[0].y[at];
    for (std::size_t k = 1; k < N; ++k) sum += Double(f[k].x[at]) * f[k].y[at];
    to[at] = a.reduce_low(sum);
  }
}

constexpr std::size_t kFew = 16;          // products below 2^120 that are below p * 2^64 together
constexpr std::size_t kMostAdded = 239;  // that fit into a sum, with one whose high half was reduced

void sum_of_more(std::span<const Factors> factors, std::size_t points, const Residues a, Word* __restrict to) {
  for (std::size_t at = 0; at < points; at += kAtOnce) {
    Double sum[kAtOnce] = {};
    for (std::size_t first = 0; first < factors.size(); first += kMostAdded) {
      if (first > 0)
        for (Double& one : sum) one = Double(Word(one >> 64) % a.prime()) << 64 | Word(one);
      for (const auto [x, y] : factors.subspan(first, std::min(kMostAdded, factors.size() - first)))
        for (std::size_t i = 0; i < kAtOnce; ++i) sum[i] += Double(x[at + i]) * y[at + i];
    }
    for (std::size_t i = 0; i < kAtOnce; ++i)
      to[at + i] = factors.size() <= kFew ? a.reduce_low(sum[i]) : a.reduce_sum(sum[i]);
  }
}

void sum_up(std::span<const Factors> factors, std::size_t points, const Residues& a, Word* to) {
  switch (factors.size()) {
    case 1: return sum_of<1>(factors.data(), points, a, to);
    case 2: return sum_of<2>(factors.data(), points, a, to);
    case 3: return sum_of<3>(factors.data(), points, a, to);
    case 4: return sum_of<4>(factors.data(), points, a, to);
    default: return sum_of_more(factors, points, a, to);
  }
}

// Numbers from their residues, as multiples of the products of all primes but one.
class Remainders {
 public:
  Remainders(TransformPrimes& primes, std::size_t count, std::size_t limbs, Guard& guard) : limbs_(limbs) {
    all_ = product(primes, count, count, guard);
    for (std::size_t k = 0; k < count; ++k) {
      others_.push_back(product(primes, count, k, guard));
      const Residues& a = primes[k];
      Word rest = a.one();
      for (std::size_t j = 0; j < count; ++j)
        if (j != k) rest = a.multiply(rest, a.enter(primes[j].prime()));
      inverse_.push_back(a.leave(a.divide(a.one(), rest)));
      share_.push_back(1.0 / double(a.prime()));
    }
  }

  // A residue in Montgomery form is multiplied by it before it is given to `number`.
  Word inverse(std::size_t k) const { return inverse_[k]; }

  // The number that has these residues, `stride` apart. It is far below the product of all primes, so
  // that doubles tell how often that goes into the sum.
  void number(const Word* residues, std::size_t stride, Word* to, Vector<Signed>& sums) const {
    double times = 1.0 / 16;
    sums.assign(limbs_, 0);
    for (std::size_t k = 0; k < others_.size(); ++k, residues += stride) {
      times += double(*residues) * share_[k];
      const Word* other = others_[k].data();
      for (std::size_t j = 0; j < limbs_; ++j) sums[j] += Signed(Double(*residues) * other[j]);
    }
    const auto whole = Word(times);
    Signed over = 0;
    for (std::size_t j = 0; j < limbs_; ++j) {
      over += sums[j] - Signed(Double(whole) * all_[j]);
      to[j] = Word(over) & kMask;
      over >>= kLimbBits;
    }
  }

 private:
  // The lowest limbs of the product of all primes but one.
  Vector<Word> product(TransformPrimes& primes, std::size_t count, std::size_t but, Guard& guard) const {
    Vector<Word> result(limbs_, 0);
    result[0] = 1;
    for (std::size_t k = 0; k < count; ++k) {
      if (k == but) continue;
      guard.tick(std::uint32_t(limbs_));
      Double over = 0;
      for (Word& limb : result) {
        over += Double(limb) * primes[k].prime();
        limb = Word(over) & kMask;
        over >>= kLimbBits;
      }
    }
    return result;
  }

  std::size_t limbs_;
  Vector<Word> all_;
  Vector<Vector<Word>> others_;
  Vector<Word> inverse_;
  Vector<double> share_;
};

// Tables that were used, for the next ones: on several threads, memory that goes back to the system and is taken again
// costs a tenth of the time.
class Tables {
 public:
  Space<Word> take(std::uint64_t size) {
    auto best = used_.end();
    for (auto table = used_.begin(); table != used_.end(); ++table)
      if (table->capacity() >= size && (best == used_.end() || table->capacity() < best->capacity())) best = table;
    // Never more of them than are needed at once: a new one replaces one that is too small.
    const bool fits = best != used_.end();
    if (!fits && !used_.empty()) best = used_.end() - 1;
    Space<Word> table;
    if (best != used_.end()) {
      std::swap(*best, used_.back());
      if (fits) table = std::move(used_.back());
      used_.pop_back();
    }
    table.resize(size);
    return table;
  }
  void give(Space<Word>&& table) { used_.push_back(std::move(table)); }

 private:
  Vector<Space<Word>> used_;
};

// The polynomials of a level at all points, node by node: `each(nodes, work, f)` calls f(node, guard) for all of them.
template <class Each>
Space<Word> transformed(const Diagram::Level& level, const MineRanges& m, const Space<Word>& row, std::size_t limbs,
                        const Residues& a, const Transform& t, Tables& tables, Each&& each) {
  const std::size_t n = t.length(), points = t.points();
  // What a limb is worth, such that a product with it is in Montgomery form.
  Vector<Word> worth(limbs, a.enter(a.one()));
  const Word shift = a.enter(Word(1) << kLimbBits);
  for (std::size_t k = 1; k < limbs; ++k) worth[k] = a.multiply(worth[k - 1], shift);
  Space<Word> values = tables.take(std::uint64_t(level.nodes) * points);
  each(level.nodes, double(row.size() + values.size()), [&](std::size_t node, Guard& guard) {
    guard.tick(std::uint32_t(n));
    Vector<Word> to(n, 0);
    const std::uint64_t place = level.first_node + node;
    const Word* from = row.data() + (m.begin[place] - m.begin[level.first_node]) * limbs;
    std::size_t power = std::size_t(m.low[place]) % n;
    for (std::int32_t i = 0; i < m.length(place); ++i, from += limbs) {
      Double sum = 0;
      for (std::size_t k = 0; k < limbs; ++k) sum += Double(from[k]) * worth[k];
      to[power] = a.reduce_sum(sum);
      if (++power == n) power = 0;
    }
    t.to_points(to.data());
    std::copy_n(to.data(), points, values.data() + node * points);
  });
  return values;
}

// The same of a group: so many mines, one row for each number of them.
Space<Word> transformed(const Diagram& d, const Diagram::Level& level, const Residues& a, const Transform& t,
                        Tables& tables, Guard& guard) {
  const std::size_t n = t.points();
  Space<Word> values = tables.take(std::uint64_t(n) * std::uint64_t(level.values));
  for (std::int32_t v = 0; v < level.values; ++v) {
    guard.tick(std::uint32_t(2 * n) + std::uint32_t(d.sizes[level.group]));
    const Word weight = a.weight(level.group, d.sizes[level.group], level.value_low + v);
    for (std::size_t i = 0; i < n; ++i)
      values[std::size_t(v) * n + i] = a.multiply(weight, t.power(i, std::size_t(level.value_low + v)));
  }
  return values;
}

}  // namespace

Vector<std::uint8_t> levels_at_points(const Diagram& d, const MineRanges& m, const Vector<double>& bits,
                                      std::span<const std::int32_t> targets, double limbs, Guard& guard) {
  Vector<std::uint8_t> at_points(d.levels.size(), 0);
  if (!d.has_joins) return at_points;
  Work work(d, m, bits, limbs, guard);
  std::int32_t first = 0;
  for (const std::int32_t target : targets) {
    work.mark(first, target, at_points);
    first = target + 1;
  }
  return at_points;
}

TopAtPoints::TopAtPoints(const Diagram& d, const MineRanges& m, const Vector<std::uint8_t>& at_points, Targets targets,
                         Targets::iterator target, Guard& guard)
    : d_(d), m_(m), target_(*target) {
  const std::int32_t first = target == targets.begin() ? 0 : *(target - 1) + 1;
  for (std::int32_t i = first; i <= target_; ++i) {
    if (!at_points[std::size_t(i)]) continue;
    const auto& level = d.levels[i];
    guard.tick(arcs_of(level));
    levels_.push_back({i, arcs_into(d, level)});
  }
}

Space<Word> TopAtPoints::run(const Vector<Space<Word>>& below, const Vector<std::size_t>& limbs, double bits,
                             Crew& crew, double few_products, Guard& all) const {
  const auto& target = d_.levels[target_];
  const std::size_t points = points_for(target, m_), primes = primes_for(bits);
  const std::size_t numbers = m_.entries_of(target), own = limbs[std::size_t(target_)];
  TransformPrimes sequence;
  const Remainders remainders(sequence, primes, own, all);
  Space<Word> residues(numbers * primes);
  const auto modulo = [&](std::size_t k, Tables& tables, Guard& all_nodes, auto&& each) {
    const Residues& a = sequence[k];
    const Transform t(a, points);
    Vector<Space<Word>> values(std::size_t(target_) + 1);
    const auto of = [&](std::int32_t i) {
      if (!values[std::size_t(i)].empty()) return std::move(values[std::size_t(i)]);
      return transformed(d_.levels[i], m_, below[std::size_t(i)], limbs[std::size_t(i)], a, t, tables, each);
    };
    for (const auto& [index, arcs] : levels_) {
      const auto& level = d_.levels[index];
      Space<Word> left = of(level.left),
                  right = level.is_join() ? of(level.right) : transformed(d_, level, a, t, tables, all_nodes);
      Space<Word>& here = values[std::size_t(index)] = tables.take(std::uint64_t(level.nodes) * points);
      each(level.nodes, double(level.arc_end - level.arc_begin) * double(points), [&](std::size_t n, Guard& guard) {
        const auto row = arcs[n];
        guard.tick(std::uint32_t(std::min<std::uint64_t>(row.size() * points, 1 << 30)));
        Vector<Factors> factors;
        factors.reserve(row.size());
        for (const auto [l, r] : row) factors.push_back({left.data() + l * points, right.data() + r * points});
        sum_up(factors, points, a, here.data() + n * points);
      });
      tables.give(std::move(left));
      tables.give(std::move(right));
    }
    Space<Word>& top = values[std::size_t(target_)];
    each(target.nodes, double(top.size()), [&](std::size_t n, Guard& guard) {
      guard.tick(std::uint32_t(t.length()));
      // From the fewest mines on.
      const std::uint64_t place = target.first_node + n;
      Vector<Word> value(t.length());
      const std::size_t back = std::size_t(m_.low[place]) % t.length();
      for (std::size_t i = 0; i < points; ++i)
        value[i] = a.multiply(top[n * points + i], t.power(i, t.length() - back));
      t.from_points(value.data());
      Word* out = residues.data() + k * numbers + (m_.begin[place] - m_.begin[target.first_node]);
      for (std::int32_t i = 0; i < m_.length(place); ++i) *out++ = a.multiply(value[std::size_t(i)], remainders.inverse(k));
    });
    tables.give(std::move(top));
  };
  // Each thread takes the next prime when it has done one. If few are left when all have had as many, all do them
  // together, node by node.
  const std::size_t left_over = primes % crew.threads();
  const std::size_t apart = primes - (2 * left_over > crew.threads() ? 0 : left_over);
  std::atomic<std::size_t> next = 0;
  crew.spread(std::min<std::size_t>(crew.threads(), apart), all, [&](std::size_t, Guard& guard) {
    Tables tables;
    for (std::size_t k = next++; k < apart; k = next++)
      modulo(k, tables, guard, [&](std::size_t nodes, double, auto&& f) {
        for (std::size_t n = 0; n < nodes; ++n) f(n, guard);
      });
  });
  Tables tables;
  for (std::size_t k = apart; k < primes; ++k)
    modulo(k, tables, all, [&](std::size_t nodes, double work, auto&& f) {
      const std::size_t parts = std::min(nodes, parts_of(work, few_products, 4 * crew.threads()));
      crew.spread(parts, all, [&](std::size_t part, Guard& guard) {
        for (std::size_t n = part; n < nodes; n += parts) f(n, guard);
      });
    });
  Space<Word> result(numbers * own);
  const double products = double(numbers) * double(primes) * double(own);
  const std::size_t parts = parts_of(products, few_products, 4 * crew.threads());
  crew.spread(parts, all, [&](std::size_t part, Guard& guard) {
    Vector<Signed> sums;
    for (std::size_t i = numbers * part / parts; i < numbers * (part + 1) / parts; ++i) {
      guard.tick(std::uint32_t(primes * own));
      remainders.number(residues.data() + i, numbers, result.data() + i * own, sums);
    }
  });
  return result;
}

}  // namespace sapper
