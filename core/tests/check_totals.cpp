// Pieces under a total: what is kept, circles and spans change nothing.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "passes.hpp"
#include "passes/on_circles.hpp"
#include "passes/under_total.hpp"
#include "passes/verdicts.hpp"

namespace sapper::tests {

namespace {

// What is worth how much: by piece, group and value.
template <class T>
using Shares = std::map<std::array<std::int64_t, 3>, T>;

template <Algebra A, class Total>
Shares<typename A::T> shares_of(const A& a, const Total& total, Guard& guard) {
  using T = typename A::T;
  Shares<T> shares;
  total.for_pieces(guard, [&](std::size_t i, auto&& pass) {
    pass([&](std::int32_t g, std::int32_t v, const T& worth) {
      if (worth != a.zero()) a.add(shares[{std::int64_t(i), g, v}], worth);
    });
  });
  return shares;
}

Shares<std::uint64_t> shares_if_kept(const Compiled& c, std::uint64_t keep, std::uint64_t keep_regions, Guard& guard) {
  const UnderTotal<Words> total(c, [](std::size_t) { return Words{}; }, guard, nullptr, keep, keep_regions);
  return shares_of(Words{}, total, guard);
}

}  // namespace

bool check_circles(const Compiled& c, Guard& guard) {
  const UnderTotal<WideFloats> wide(c, [](std::size_t) { return WideFloats{}; }, guard);
  Shares<Wide> expected;
  wide.for_pieces(guard, [&](std::size_t i, auto&& pass) {
    pass([&](std::int32_t g, std::int32_t v, const Wide& worth) {
      WideFloats{}.add(expected[{std::int64_t(i), g, v}], worth);
    });
  });
  const auto chance = [&](const Wide& x) { return WideFloats::ratio(x, wide.whole()); };
  const OnCircles total(c, nullptr, guard);
  if (!total.trusted()) return false;
  if (wide.whole().mantissa == 0) throw Wrong("circles trust a total that has no solution");
  if (!(std::abs(total.log2_whole() - wide.whole().log2()) <= 1e-12 * (1000 + wide.whole().log2())))
    throw Wrong("circles change the count");
  double all = 0, mined = 0, mined_expected = 0;
  total.for_free([&](std::int64_t n, double worth) {
    all += worth;
    mined += worth * double(n);
  });
  wide.for_free([&](std::int64_t n, const Wide& worth) { mined_expected += chance(worth) * double(n); });
  if (!(std::abs(mined / all - mined_expected) <= 1e-11 * (1 + mined_expected)))
    throw Wrong("circles change the chances of free cells");
  const auto found = shares_of(Floats{}, total, guard);
  if (!total.trusted()) return false;
  for (const auto& [arc, worth] : expected) {
    const auto here = found.find(arc);
    const double share = here == found.end() ? 0 : here->second / all;
    if (!(std::abs(share - chance(worth)) <= 1e-12)) throw Wrong("circles change a chance");
  }
  Crew crew(2);
  const OnCircles together(c, &crew, guard);
  if (together.log2_whole() != total.log2_whole() || shares_of(Floats{}, together, guard) != found)
    throw Wrong("circles on two threads differ");
  return true;
}

void check_under_total(const Compiled& c, Guard& guard) {
  if (!c.consistent || !c.has_total) return;
  const auto kept = shares_if_kept(c, UnderTotal<Words>::kKept, 0, guard);
  if (shares_if_kept(c, 0, UnderTotal<Words>::kKeptRegions, guard) != kept || shares_if_kept(c, 0, 0, guard) != kept)
    throw Wrong("shares under the total depend on what is kept");
  check_circles(c, guard);
  const Verdicts by_spans = verdicts(c, guard), by_mines = verdicts_by_mines(c, guard);
  if (by_spans.consistent != by_mines.consistent || by_spans.of != by_mines.of)
    throw Wrong("spans change a verdict under the total");
}

void check_spans(Random& random) {
  using Numbers = std::set<std::int32_t>;
  // Random sums and unions, each with all its numbers beside it.
  Vector<std::pair<Span, Numbers>> made;
  const Spans a;
  for (std::int32_t n = 0; n < 4; ++n) made.push_back({a.weight(0, 9, n * n), {n * n}});
  made.push_back({a.zero(), {}});
  for (int i = 0; i < 60; ++i) {
    const auto [x, in_x] = made[random.below(made.size())];
    const auto [y, in_y] = made[random.below(made.size())];
    Span z = x;
    Numbers numbers = in_x;
    if (random.below(2) == 0) {
      a.add(z, y);
      numbers.insert(in_y.begin(), in_y.end());
    } else {
      z = a.multiply(x, y);
      numbers.clear();
      for (const std::int32_t p : in_x)
        for (const std::int32_t q : in_y) numbers.insert(p + q);
    }
    if (z.empty() != numbers.empty()) throw Wrong("a span is empty, or is not");
    if (!numbers.empty() && (z.least != *numbers.begin() || z.most != *numbers.rbegin()))
      throw Wrong("a span has other ends");
    for (std::int32_t n = -1; n < 200; ++n)
      if ((z.surely_has(n) && !numbers.contains(n)) || (numbers.contains(n) && !z.may_have(n)))
        throw Wrong("a span has other numbers");
    const auto apart = std::ranges::adjacent_find(numbers, [&](auto p, auto q) { return q - p > z.gap; });
    if (apart != numbers.end()) throw Wrong("the gaps of a span are told too narrow");
    if (numbers.size() < 100) made[random.below(made.size())] = {z, numbers};
  }
}

}  // namespace sapper::tests
