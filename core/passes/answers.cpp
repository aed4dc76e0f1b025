#include "passes/answers.hpp"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "passes/at_points.hpp"
#include "passes/by_mines.hpp"
#include "passes/on_circles.hpp"
#include "passes/pieces.hpp"
#include "passes/under_total.hpp"

namespace sapper {

namespace {

constexpr std::int32_t kFewVariables = 1000;  // whose counts, in most cases, floats can hold

bool float_trouble() {
  return std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID) != 0;
}

double quotient(double a, double b) { return a / b; }
double quotient(Wide a, Wide b) { return WideFloats::ratio(a, b); }
bool is_zero(double x) { return x == 0; }
bool is_zero(const Wide& x) { return x.mantissa == 0; }

// One probability per group from its shares. Rounding must not produce a certainty.
double clamp_uncertain(double p, std::uint8_t verdict) {
  if (verdict == kSafe) return 0.0;
  if (verdict == kMined) return 1.0;
  return std::clamp(p, std::numeric_limits<double>::min(), 1.0 - 0x1p-53);
}

// Of each group of a piece.
template <Approximate A>
struct Shares {
  using T = typename A::T;
  Vector<T> mines, whole, free;

  Shares(const A& a, const Piece& piece)
      : mines(std::size_t(piece.part.component.groups()), a.zero()), whole(mines), free(mines) {}

  // Dividing by the group's own sum of shares makes complementary probabilities add up to one.
  void take(const A& a, std::int32_t group, std::int32_t value, T worth) {
    a.add(whole[group], worth);
    if (value > 0) a.add(mines[group], a.multiply(worth, a.from(double(value))));
  }
  void settle(const Piece& piece, std::span<const std::uint8_t> verdicts, std::span<double> chances) const {
    for (std::int32_t g = 0; g < piece.part.component.groups(); ++g) {
      const double p = quotient(mines[g], whole[g]) / double(piece.part.component.sizes[g]);
      for (const std::int32_t x : piece.part.group(g)) chances[x] = clamp_uncertain(p, verdicts[x]);
    }
  }
};

// What is forced; all else lies in a piece or is free, and gets its chance later.
Probabilities forced_chances(const Compiled& c) {
  Probabilities result;
  result.consistent = true;
  result.of.assign(c.values.begin(), c.values.end());
  return result;
}

template <Approximate A>
Probabilities without_total(const Compiled& c, const A& a, const Verdicts& v, Crew* crew, Guard& guard) {
  Probabilities result = forced_chances(c);
  Vector<double> bits(c.pieces.size());
  each_piece(c, crew, guard, [&](std::size_t i, Guard& own) {
    const Piece& piece = c.pieces[i];
    const auto up = upward(*piece.diagram, a, own);
    bits[i] = a.log2(up.back());
    Shares<A> shares(a, piece);
    downward(*piece.diagram, a, up, a.one(), own, [&](std::int32_t group, std::int32_t value, auto worth) {
      shares.take(a, group, value, worth);
    });
    shares.settle(piece, v.of, result.of);
  });
  for (const std::int32_t x : c.free) result.of[x] = 0.5;
  result.log2_count = std::accumulate(bits.begin(), bits.end(), double(c.free.size()));
  return result;
}

// If the verdicts are not known they are made here, from the worths under the total: only what is
// positive is ever added and multiplied, so a worth is zero exactly if it is that of no solution.
// Plain floats can lose some on the way; who passes them looks for trouble.
template <Approximate A, class Total>
Probabilities with_total(const Compiled& c, const A& a, const Total& total, Verdicts& v, bool known, Guard& guard) {
  using T = typename A::T;
  Probabilities result = forced_chances(c);
  result.log2_count = total.log2_whole();
  total.for_pieces(guard, [&](std::size_t i, auto&& pass) {
    const Piece& piece = c.pieces[i];
    const auto& sizes = piece.part.component.sizes;
    Shares<A> shares(a, piece);
    pass([&](std::int32_t group, std::int32_t value, T worth) {
      shares.take(a, group, value, worth);
      if (value < sizes[group]) a.add(shares.free[group], worth);
    });
    for (std::int32_t g = 0; g < piece.part.component.groups() && !known; ++g)
      for (const std::int32_t x : piece.part.group(g))
        v.of[x] = verdict_if(!is_zero(shares.mines[g]), !is_zero(shares.free[g]));
    shares.settle(piece, v.of, result.of);
  });
  if (c.free.empty()) return result;
  T all = a.zero(), mined = a.zero(), some_free = a.zero();
  total.for_free([&](std::int64_t n, T worth) {
    a.add(all, worth);
    if (n < std::int64_t(c.free.size())) a.add(some_free, worth);
    a.add(mined, a.multiply(worth, a.from(double(n))));
  });
  const double p = quotient(mined, all) / double(c.free.size());
  // They are all alike; verdicts that are known leave them undecided.
  const std::uint8_t verdict = known ? v.of[c.free[0]] : verdict_if(!is_zero(mined), !is_zero(some_free));
  const double chance = clamp_uncertain(p, verdict);
  std::uint8_t* const verdict_of = v.of.data();
  double* const chance_of = result.of.data();
  for (const std::int32_t x : c.free) {
    verdict_of[x] = verdict;
    chance_of[x] = chance;
  }
  return result;
}

template <Approximate A>
Probabilities probabilities_in(const Compiled& c, const A& a, Verdicts& v, bool known, Crew* crew, Guard& guard) {
  if (!c.has_total) return without_total(c, a, v, crew, guard);
  const UnderTotal<A> total(c, [&](std::size_t) { return a; }, guard, crew);
  if (std::is_same_v<A, Floats> && float_trouble()) return {};  // the caller starts again
  if (is_zero(total.whole())) {
    v = {};
    return {};
  }
  return with_total(c, a, total, v, known, guard);
}

}  // namespace

namespace {

// Are circles quicker than polynomials, and would they not take much memory? Then, for some piece, polynomials take more
// than this for each node, region by region; circles take about as much for all.
bool are_circles_quicker(const Compiled& c, std::span<const Span> spans, Crew* crew, Guard& guard) {
  constexpr std::int32_t kShort = 100;
  constexpr double kWork = 80;
  constexpr std::uint64_t kMostNodes = 1'000'000;
  std::atomic<bool> found = false;
  if (std::ranges::any_of(c.pieces, [](const Piece& piece) { return piece.diagram->nodes > kMostNodes; })) return false;
  each(spans.size(), crew, guard, [&](std::size_t i, Guard& own) {
    const Diagram& d = *c.pieces[i].diagram;
    if (found || spans[i].most - spans[i].least < kShort) return;
    if (work_in_regions(d, ByRegions<WideFloats>::costs(), own) > kWork * double(d.nodes)) found = true;
  });
  return found;
}

// If they are, and can be trusted. Then the total decides nothing: whatever is possible without it has a chance that is
// too large to be an error.
std::optional<Probabilities> on_circles(const Compiled& c, std::span<const Span> spans, Verdicts& v, Crew* crew,
                                        Guard& guard) {
  if (c.variables <= kFewVariables || !are_circles_quicker(c, spans, crew, guard)) return {};
  try {
    const OnCircles total(c, crew, guard);
    if (!total.trusted()) return {};
    Verdicts found(v);
    for (const Piece& piece : c.pieces) verdicts_from_arcs(piece, found.of);
    auto chances = with_total(c, Floats{}, total, found, true, guard);
    if (!total.trusted()) return {};
    v = std::move(found);
    return chances;
  } catch (const LimitHit& hit) {
    // Other ways take less memory, and so does one thread.
    if (hit.kind != LimitKind::bytes || crew) throw;
    return {};
  }
}

}  // namespace

Probabilities probabilities(const Compiled& c, Guard& guard, unsigned threads) {
  Verdicts v;
  return with_crew(c, threads, [&](Crew* crew) { return probabilities(c, v, guard, crew); });
}

namespace {

// Could plain floats do? Under a total the counts of all pieces are multiplied.
bool fits_floats(const Compiled& c, Crew* crew, Guard& guard) {
  if (!c.has_total || c.variables <= kFewVariables) return true;
  Vector<double> bits(c.pieces.size());
  each_piece(c, crew, guard, [&](std::size_t i, Guard& own) { bits[i] = log2_count(c.pieces[i], own); });
  return std::accumulate(bits.begin(), bits.end(), double(c.free.size())) <= kFewVariables;
}

}  // namespace

Probabilities probabilities(const Compiled& c, Verdicts& v, Guard& guard, Crew* crew) {
  v = forced_verdicts(c);
  if (!v.consistent) return {};
  const auto read_off = [&] {
    each_piece(c, crew, guard, [&](std::size_t i, Guard&) { verdicts_from_arcs(c.pieces[i], v.of); });
    return true;
  };
  const bool has_many = c.has_total && c.variables > kFewVariables;
  const auto spans = has_many ? spans_of(c, crew, guard) : Vector<Span>();
  if (auto chances = on_circles(c, spans, v, crew, guard)) return *std::move(chances);
  // Under a total they come with the worths, of which plain floats lose none without saying so.
  bool known = !c.has_total && read_off();
  if (fits_floats(c, crew, guard)) {
    std::feclearexcept(FE_ALL_EXCEPT);
    Verdicts found(v);
    const auto fast = probabilities_in(c, Floats{}, found, known, crew, guard);
    if (!float_trouble()) {
      v = std::move(found);
      return fast;
    }
  }
  known = known || (has_many && total_has_slack(c, spans) && read_off());
  return probabilities_in(c, WideFloats{}, v, known, crew, guard);
}

namespace {

// Runs f with the algebra for a modulus; results leave it as ordinary integers.
template <class F>
auto with_modulus(std::uint64_t modulus, F&& f) {
  if (modulus == 0) return f(Words{}, [](std::uint64_t x) { return x; }, [](std::uint64_t x) { return x; });
  if (modulus % 2 == 0 || modulus >= (std::uint64_t(1) << 62))
    throw std::invalid_argument("modulus must be odd and below 2^62");
  const Residues a(modulus);
  return f(a, [&a](std::uint64_t x) { return a.enter(x); },
           [&a](std::uint64_t x) { return a.leave(x); });
}

// By number of mines: the polynomial of the root, or up and down again with a worth for each of its
// coefficients, whichever way is quicker.
template <Algebra A>
Vector<std::uint64_t> root_polynomial(const Diagram& d, const MineRanges& m, const A& a, Guard& guard) {
  if constexpr (std::is_same_v<A, Residues>)
    if (points_are_quicker(d, m)) return polynomial_at_points(d, m, a, guard);
  const Checkpoints<A> up(d, m, a, false, guard);
  return {up.polynomial().begin(), up.polynomial().end()};
}
template <Algebra A, class Share>
void both_ways(const Diagram& d, const MineRanges& m, const A& a, std::span<const std::uint64_t> root,
               Guard& guard, Share&& share) {
  if constexpr (std::is_same_v<A, Residues>)
    if (points_are_quicker(d, m)) return both_ways_at_points(d, m, a, root, guard, share);
  both_ways_by_mines(d, m, a, root, guard, share);
}

}  // namespace

std::uint64_t count_residue(const Piece& piece, std::uint64_t modulus, Guard& guard) {
  return with_modulus(modulus, [&](const auto& a, auto, auto leave) {
    return leave(upward(*piece.diagram, a, guard).back());
  });
}

Vector<std::uint64_t> count_by_mines_residues(const Piece& piece, std::uint64_t modulus,
                                                   Guard& guard) {
  const MineRanges ranges(*piece.diagram);
  return with_modulus(modulus, [&](const auto& a, auto, auto leave) {
    Vector<std::uint64_t> result = root_polynomial(*piece.diagram, ranges, a, guard);
    for (auto& x : result) x = leave(x);
    return result;
  });
}

Vector<std::uint64_t> marginal_residues(const Piece& piece, std::uint64_t modulus,
                                             const Vector<std::uint64_t>& outside,
                                             Guard& guard) {
  return with_modulus(modulus, [&](const auto& a, auto enter, auto leave) {
    Vector<std::uint64_t> sums(piece.part.component.groups(), a.zero());
    auto take = [&](std::int32_t g, std::int32_t value, std::uint64_t worth) {
      if (value > 0) a.add(sums[g], a.multiply(worth, enter(std::uint64_t(value))));
    };
    if (outside.empty()) {
      const auto up = upward(*piece.diagram, a, guard);
      downward(*piece.diagram, a, up, a.one(), guard, take);
    } else {
      const MineRanges ranges(*piece.diagram);
      Vector<std::uint64_t> root(outside);
      if (root.size() != std::size_t(ranges.length(piece.diagram->nodes - 1)))
        throw std::invalid_argument("one outside weight per number of mines is needed");
      for (auto& x : root) x = enter(x);
      both_ways(*piece.diagram, ranges, a, std::span<const std::uint64_t>(root), guard, take);
    }
    for (auto& x : sums) x = leave(x);
    return sums;
  });
}

Vector<std::uint64_t> marginal_residues_under_total(const Compiled& c, std::uint64_t modulus,
                                                         Guard& guard) {
  return with_modulus(modulus, [&](const auto& a, auto enter, auto leave) {
    using A = std::decay_t<decltype(a)>;
    const UnderTotal<A> total(c, [&](std::size_t) { return a; }, guard);
    Vector<std::uint64_t> sums{total.whole()};
    total.for_pieces(guard, [&](std::size_t i, auto&& pass) {
      const std::size_t first = sums.size();
      sums.resize(first + std::size_t(c.pieces[i].part.component.groups()), a.zero());
      pass([&](std::int32_t g, std::int32_t value, std::uint64_t worth) {
        if (value > 0) a.add(sums[first + g], a.multiply(worth, enter(std::uint64_t(value))));
      });
    });
    sums.push_back(a.zero());
    total.for_free([&](std::int64_t mines, std::uint64_t worth) {
      a.add(sums.back(), a.multiply(worth, enter(std::uint64_t(mines))));
    });
    for (auto& x : sums) x = leave(x);
    return sums;
  });
}

double log2_count(const Piece& piece, Guard& guard) {
  std::feclearexcept(FE_ALL_EXCEPT);
  const double fast = upward(*piece.diagram, Floats{}, guard).back();
  if (!float_trouble() && fast > 0) return std::log2(fast);
  return upward(*piece.diagram, WideFloats{}, guard).back().log2();
}

PieceCounts piece_counts(const Compiled& c, Guard& guard, unsigned threads) {
  return with_crew(c, threads, [&](Crew* crew) {
    PieceCounts found{Vector<double>(c.pieces.size()), Vector<std::uint64_t>(c.pieces.size())};
    each_piece(c, crew, guard, [&](std::size_t i, Guard& own) {
      found.bits[i] = log2_count(c.pieces[i], own);
      found.words[i] = count_residue(c.pieces[i], 0, own);
    });
    return found;
  });
}

}  // namespace sapper
