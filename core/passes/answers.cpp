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
#include "passes/pieces.hpp"
#include "passes/under_total.hpp"

namespace sapper {

namespace {

// The least and the most mines of each piece.
struct Bounds {
  std::int32_t least, most;
};
Vector<Bounds> bounds_of(const Compiled& c, Crew* crew, Guard& guard) {
  Vector<Bounds> bounds(c.pieces.size());
  each_piece(c, crew, guard, [&](std::size_t i, Guard&) {
    const MineRanges ranges(*c.pieces[i].diagram);
    bounds[i] = {ranges.low.back(), ranges.high.back()};
  });
  return bounds;
}

// Can the total decide anything that the clues alone do not? Not if there is room both ways.
bool total_has_slack(const Compiled& c, std::span<const Bounds> bounds) {
  std::int64_t least = c.forced_mines, most = c.forced_mines;
  for (const Bounds& piece : bounds) {
    least += piece.least;
    most += piece.most;
  }
  // Strictly between, so that free cells stay undecided too.
  return most < c.total && c.total - least < std::int64_t(c.free.size());
}

// What may be a mine, may be free, or both.
std::uint8_t verdict_if(bool mine, bool free) {
  return mine && free ? kUndecided : mine ? kMined : kSafe;
}

// For each group of a piece: may it have a mine, may it have a free cell? Straight off the arcs.
void verdicts_from_arcs(const Piece& piece, Vector<std::uint8_t>& of) {
  const Diagram& d = *piece.diagram;
  for (const auto& level : d.levels) {
    if (level.is_join()) continue;
    bool mine = false, free = false;
    for_choice_arcs(d, level, [&](auto, auto v, auto) {
      mine = mine || level.value_low + v > 0;
      free = free || level.value_low + v < d.sizes[level.group];
    });
    for (const std::int32_t v : piece.part.group(level.group)) of[v] = verdict_if(mine, free);
  }
}

bool float_trouble() {
  return std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID) != 0;
}

double quotient(double a, double b) { return a / b; }
double quotient(Wide a, Wide b) { return WideFloats::ratio(a, b); }
double log2_of(double x) { return std::log2(x); }
double log2_of(const Wide& x) { return x.log2(); }
bool is_zero(double x) { return x == 0; }
bool is_zero(const Wide& x) { return x.mantissa == 0; }

// One probability per group from its shares. Rounding must not produce a certainty.
double clamp_uncertain(double p, std::uint8_t verdict) {
  if (verdict == kSafe) return 0.0;
  if (verdict == kMined) return 1.0;
  return std::clamp(p, std::numeric_limits<double>::min(), 1.0 - 0x1p-53);
}

// If the verdicts are not known they are made here, from the worths under the total: only what is
// positive is ever added and multiplied, so a worth is zero exactly if it is that of no solution.
// Plain floats can lose some on the way; who passes them looks for trouble. Scaled ones tell by themselves: then there is
// no result.
template <Approximate A>
std::optional<Probabilities> probabilities_in(const Compiled& c, const A& a, Verdicts& v, bool known,
                                              Crew* crew, Guard& guard) {
  using T = typename A::T;
  bool scaled = false;
  std::atomic<bool> trusted = true;
  if constexpr (std::is_same_v<A, WideFloats>) scaled = a.scaled;
  Probabilities result;
  result.consistent = true;
  // What is forced; all else lies in a piece or is free, and gets its chance below.
  result.of.assign(c.values.begin(), c.values.end());
  // Possible, but too rare for scaled doubles?
  const auto is_rare = [&](const T& worth, const T& all) {
    return scaled && !is_zero(worth) && quotient(worth, all) < std::ldexp(1.0, kTrustedBits);
  };
  // Of each group of a piece.
  struct Shares {
    Vector<T> mines, whole, free;
    Shares(const A& a, const Piece& piece)
        : mines(std::size_t(piece.part.component.groups()), a.zero()), whole(mines), free(mines) {}
    // Dividing by the group's own sum of shares makes complementary probabilities add up to one.
    void take(const A& a, std::int32_t group, std::int32_t value, T worth) {
      a.add(whole[group], worth);
      if (value > 0) a.add(mines[group], a.multiply(worth, a.from(double(value))));
    }
  };
  auto settle = [&](const Piece& piece, const Shares& shares) {
    const auto& [mines, whole, free] = shares;
    for (std::int32_t g = 0; g < piece.part.component.groups(); ++g) {
      if (is_rare(mines[g], whole[g]) || is_rare(free[g], whole[g])) trusted = false;
      if (!known)
        for (const std::int32_t x : piece.part.group(g))
          v.of[x] = verdict_if(!is_zero(mines[g]), !is_zero(free[g]));
      const double n = piece.part.component.sizes[g];
      const double p = quotient(mines[g], whole[g]) / n;
      for (const std::int32_t x : piece.part.group(g)) result.of[x] = clamp_uncertain(p, v.of[x]);
    }
  };
  if (!c.has_total) {
    Vector<double> bits(c.pieces.size());
    each_piece(c, crew, guard, [&](std::size_t i, Guard& own) {
      const Piece& piece = c.pieces[i];
      const auto up = upward(*piece.diagram, a, own);
      bits[i] = log2_of(up.back());
      Shares shares(a, piece);
      downward(*piece.diagram, a, up, a.one(), own, [&](std::int32_t group, std::int32_t value, T worth) {
        shares.take(a, group, value, worth);
      });
      settle(piece, shares);
    });
    for (const std::int32_t x : c.free) result.of[x] = 0.5;
    result.log2_count = std::accumulate(bits.begin(), bits.end(), double(c.free.size()));
  } else {
    const UnderTotal<A> total(c, [&](std::size_t) { return a; }, guard, crew);
    if (std::is_same_v<A, Floats> && float_trouble()) return result;  // the caller starts again
    if (is_zero(total.whole())) {
      v = {};
      return Probabilities{};
    }
    result.log2_count = log2_of(total.whole());
    total.for_pieces(guard, [&](std::size_t i, auto&& pass) {
      if (!trusted) return;
      const auto& sizes = c.pieces[i].part.component.sizes;
      Shares shares(a, c.pieces[i]);
      const bool passed = pass([&](std::int32_t group, std::int32_t value, T worth) {
        shares.take(a, group, value, worth);
        if (value < sizes[group]) a.add(shares.free[group], worth);
      });
      if (passed)
        settle(c.pieces[i], shares);
      else
        trusted = false;
    });
    if (!trusted) return {};
    if (!c.free.empty()) {
      T all = a.zero(), mined = a.zero(), some_free = a.zero();
      total.for_free([&](std::int64_t n, T worth) {
        a.add(all, worth);
        if (n < std::int64_t(c.free.size())) a.add(some_free, worth);
        a.add(mined, a.multiply(worth, a.from(double(n))));
      });
      if (is_rare(mined, all) || is_rare(some_free, all)) return {};
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
    }
  }
  return result;
}

}  // namespace

namespace {

// What was forced before anything was compiled; the rest is undecided.
Verdicts forced_verdicts(const Compiled& c) {
  Verdicts result;
  if (!c.consistent) return result;
  result.consistent = true;
  result.of.resize(std::size_t(c.variables));
  // Unknown is -1, and as a number without a sign larger than all others.
  static_assert(kSafe == 0 && kMined == 1 && kUndecided == 2);
  const std::int8_t* __restrict values = c.values.data();
  std::uint8_t* __restrict of = result.of.data();
  // Bytes may be part of anything: their number must not be read again after each of them.
  const std::int32_t n = c.variables;
  for (std::int32_t x = 0; x < n; ++x)
    of[x] = std::min(std::uint8_t(values[x]), std::uint8_t(kUndecided));
  return result;
}

}  // namespace

Verdicts verdicts(const Compiled& c, Guard& guard) {
  Verdicts result = forced_verdicts(c);
  if (!result.consistent) return result;
  if (!c.has_total || total_has_slack(c, bounds_of(c, nullptr, guard))) {
    for (const Piece& piece : c.pieces) verdicts_from_arcs(piece, result.of);
    return result;
  }
  const UnderTotal<Booleans> total(c, [](std::size_t) { return Booleans{}; }, guard);
  if (!total.whole()) {
    result.consistent = false;
    result.of.clear();
    return result;
  }
  total.for_pieces(guard, [&](std::size_t i, auto&& pass) {
    const Piece& piece = c.pieces[i];
    Vector<std::uint8_t> mine(piece.part.component.groups(), 0), free(mine);
    pass([&](std::int32_t g, std::int32_t value, std::uint8_t possible) {
      if (!possible) return;
      if (value > 0) mine[g] = 1;
      if (value < piece.part.component.sizes[g]) free[g] = 1;
    });
    for (std::int32_t g = 0; g < piece.part.component.groups(); ++g)
      for (const std::int32_t x : piece.part.group(g))
        result.of[x] = verdict_if(mine[g], free[g]);
  });
  bool mine = false, free = false;
  total.for_free([&](std::int64_t n, std::uint8_t possible) {
    if (!possible) return;
    mine = mine || n > 0;
    free = free || n < std::int64_t(c.free.size());
  });
  for (const std::int32_t x : c.free) result.of[x] = verdict_if(mine, free);
  return result;
}

Probabilities probabilities(const Compiled& c, Guard& guard, unsigned threads) {
  Verdicts v;
  return with_crew(c, threads, [&](Crew* crew) { return probabilities(c, v, guard, crew); });
}

namespace {

// Are there pieces whose polynomials pass the range of doubles? Short ones are passed in plain doubles, which is quicker.
bool has_long_pieces(std::span<const Bounds> bounds) {
  return std::ranges::any_of(bounds, [](const Bounds& piece) {
    return piece.most - piece.least >= ByRegions<WideFloats>::kDoublesLast;
  });
}

// With mines that weigh more, or less.
struct TiltedWide : WideFloats {
  T weight(std::int32_t group, std::int32_t size, std::int32_t value) const {
    return multiply(WideFloats::weight(group, size, value), wide_of(1, std::int64_t(tilt) * value));
  }
};

// The bits by which a mine should weigh more than none, such that the total is the likely one. How many mines are to be
// expected follows from how much more all is worth if mines weigh a bit more.
std::int32_t likely_tilt(const Compiled& c, Crew* crew, Guard& guard) {
  constexpr std::int32_t kMost = 16;
  const auto worth = [&](std::int32_t tilt) {
    const TiltedWide a{{false, tilt}};
    Vector<double> bits(c.pieces.size());
    each_piece(c, crew, guard, [&](std::size_t i, Guard& own) {
      bits[i] = upward(*c.pieces[i].diagram, a, own).back().log2();
    });
    return std::accumulate(bits.begin(), bits.end(), double(c.free.size()) * std::log2(1 + std::ldexp(1.0, tilt)));
  };
  const auto mines = double(c.total - c.forced_mines);
  const double plain = worth(0);
  // Between two tilts a step apart it is the difference.
  const auto search = [&](std::int32_t step) {
    std::int32_t tilt = 0;
    for (double here = plain; std::abs(tilt) < kMost; tilt += step) {
      const double next = worth(tilt + step);
      if (next - here - step * mines >= 0) break;
      here = next;
    }
    return tilt;
  };
  const std::int32_t down = search(-1);
  return down < 0 ? down : search(1);
}

// Could plain floats do? Under a total the counts of all pieces are multiplied.
bool fits_floats(const Compiled& c, Crew* crew, Guard& guard) {
  constexpr std::int32_t kMost = 1000;
  if (!c.has_total || c.variables <= kMost) return true;
  Vector<double> bits(c.pieces.size());
  each_piece(c, crew, guard, [&](std::size_t i, Guard& own) { bits[i] = log2_count(c.pieces[i], own); });
  return std::accumulate(bits.begin(), bits.end(), double(c.free.size())) <= kMost;
}

}  // namespace

Probabilities probabilities(const Compiled& c, Verdicts& v, Guard& guard, Crew* crew) {
  v = forced_verdicts(c);
  if (!v.consistent) return {};
  auto read_off = [&] {
    for (const Piece& piece : c.pieces) verdicts_from_arcs(piece, v.of);
    return true;
  };
  // Under a total they come with the worths, of which plain floats lose none without saying so.
  bool known = !c.has_total && read_off();
  if (fits_floats(c, crew, guard)) {
    std::feclearexcept(FE_ALL_EXCEPT);
    Verdicts found(v);
    const auto fast = probabilities_in(c, Floats{}, found, known, crew, guard);
    if (!float_trouble()) {
      v = std::move(found);
      return *fast;
    }
  }
  const auto bounds = c.has_total ? bounds_of(c, crew, guard) : Vector<Bounds>();
  known = known || (total_has_slack(c, bounds) && read_off());
  if (c.has_total && has_long_pieces(bounds)) {
    Verdicts found(v);
    if (auto quick = probabilities_in(c, WideFloats{true, likely_tilt(c, crew, guard)}, found, known, crew, guard)) {
      v = std::move(found);
      return *std::move(quick);
    }
  }
  return *probabilities_in(c, WideFloats{}, v, known, crew, guard);
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
