#include "passes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "diagram/build_diagram.hpp"
#include "diagram/fewer_joins.hpp"
#include "diagram/order.hpp"
#include "diagram/state_layout.hpp"
#include "diagram/zdd.hpp"
#include "passes/at_points.hpp"
#include "passes/by_regions.hpp"
#include "passes/cheapest.hpp"
#include "passes/enumerate.hpp"
#include "passes/counts.hpp"
#include "passes/under_total.hpp"

namespace sapper::tests {

using Mines = Vector<std::uint8_t>;

std::uint64_t zdd_count(const Zdd& z, std::int32_t variables) {
  Vector<std::int32_t> order = z.order;
  std::sort(order.begin(), order.end());
  for (std::int32_t v = 0; v < variables; ++v)
    if (std::int32_t(order.size()) != variables || order[v] != v)
      throw Wrong("the order of the ZDD is no permutation");
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> unique;
  Vector<std::uint64_t> ways(z.nodes.size());
  Vector<std::uint8_t> used(z.nodes.size(), 0);
  auto below = [&](std::size_t node, std::int32_t child) -> std::uint64_t {
    if (child == Zdd::kBottom) return 0;
    if (child == Zdd::kTop) return 1;
    if (child < 0 || std::size_t(child) >= node) throw Wrong("a ZDD child comes late");
    if (z.nodes[child].position <= z.nodes[node].position) throw Wrong("the ZDD is not ordered");
    used[child] = 1;
    return ways[child];
  };
  for (std::size_t i = 0; i < z.nodes.size(); ++i) {
    const Zdd::Node& n = z.nodes[i];
    if (n.high == Zdd::kBottom || !unique.insert({n.position, n.low, n.high}).second)
      throw Wrong("the ZDD is not reduced");
    ways[i] = below(i, n.low) + below(i, n.high);
  }
  if (z.root < 0) {
    if (!z.nodes.empty()) throw Wrong("a ZDD without root has nodes");
    return z.root == Zdd::kTop ? 1 : 0;
  }
  if (std::size_t(z.root) + 1 != z.nodes.size()) throw Wrong("the root of the ZDD is not last");
  for (std::size_t i = 0; i + 1 < used.size(); ++i)
    if (!used[i]) throw Wrong("a ZDD node is not reached");
  return ways[z.root];
}

bool in_zdd(const Zdd& z, const Mines& mines) {
  std::int32_t at = z.root;
  std::size_t left = std::size_t(std::accumulate(mines.begin(), mines.end(), 0));
  while (at >= 0) {
    const Zdd::Node& n = z.nodes[at];
    const bool mined = mines[z.order[n.position]];
    left -= mined;
    at = mined ? n.high : n.low;
  }
  return at == Zdd::kTop && left == 0;
}

namespace {

using Number = Costs::Number;

constexpr double kNeverHopeless = std::numeric_limits<double>::infinity();

Mines bits(const Vector<std::int32_t>& mined, std::int32_t variables) {
  Mines out(variables, 0);
  for (const std::int32_t v : mined) {
    if (v < 0 || v >= variables || out[v]) throw Wrong("a mine is listed twice");
    out[v] = 1;
  }
  return out;
}

std::uint32_t mask_of(const Mines& mines) {
  std::uint32_t mask = 0;
  for (std::size_t v = 0; v < mines.size(); ++v) mask |= std::uint32_t(mines[v]) << v;
  return mask;
}

void check_probabilities(const Compiled& c, const Truth& truth, Guard& guard) {
  Verdicts beside;
  const Probabilities found = probabilities(c, beside, guard);
  const Verdicts known = verdicts(c, guard);
  if (beside.consistent != known.consistent || beside.of != known.of)
    throw Wrong("verdicts beside the probabilities differ");
  const std::uint64_t all = truth.count(c.has_total, c.total);
  if (found.consistent != (all > 0)) throw Wrong("consistency of probabilities differs");
  if (all == 0) return;
  if (std::abs(found.log2_count - std::log2(double(all))) > 1e-9) throw Wrong("log2 of the count");
  for (std::int32_t v = 0; v < c.variables; ++v) {
    const std::uint64_t mined = truth.mined_in(v, c.has_total, c.total);
    const double p = found.of[v];
    if (!(std::abs(p - double(mined) / double(all)) <= 1e-12))
      throw Wrong("probability of " + std::to_string(v));
    if ((p <= 0) != (mined == 0) || (p >= 1) != (mined == all))
      throw Wrong("certainty of the probability of " + std::to_string(v));
  }
}

// Sums over solutions of each group's mines, without a total.
void check_marginals(const Compiled& c, const Truth& truth, Guard& guard) {
  if (c.has_total || !c.consistent) return;
  for (const std::uint64_t modulus : {std::uint64_t(0), (std::uint64_t(1) << 61) - 1})
    for (const Piece& piece : c.pieces) {
      const auto sums = marginal_residues(piece, modulus, {}, guard);
      const std::uint64_t others = truth.solutions.size() / count_residue(piece, modulus, guard);
      for (std::int32_t g = 0; g < piece.part.component.groups(); ++g) {
        std::uint64_t expected = 0;
        for (const std::int32_t v : piece.part.group(g)) expected += truth.mined_in(v, false, 0);
        if (sums[g] * others != expected) throw Wrong("marginal of a group differs");
      }
    }
}

// What is worth how much: by piece, group and value.
using Shares = std::map<std::array<std::int64_t, 3>, std::uint64_t>;

void check_listing(const System& s, const std::shared_ptr<const Compiled>& c, const Truth& truth,
                   Guard& guard) {
  Enumerator walk(c, guard), again(c, guard);
  std::set<std::uint32_t> seen;
  while (const auto* mined = walk.next(guard)) {
    const Mines mines = bits(*mined, s.variables);
    const auto* repeated = again.next(guard);
    if (!repeated || bits(*repeated, s.variables) != mines) throw Wrong("the order is not fixed");
    if (!is_solution(s, mines)) throw Wrong("what is listed is no solution");
    if (!seen.insert(mask_of(mines)).second) throw Wrong("a solution is listed twice");
  }
  if (walk.next(guard)) throw Wrong("listing goes on after its end");
  if (seen.size() != truth.count(s.has_total, s.total)) throw Wrong("solutions are missing");
}

void check_cheapest(const System& s, const Compiled& c, const Truth& truth, Random& random,
                    Guard& guard) {
  Vector<Number> costs(s.variables);
  const std::uint64_t range = std::uint64_t(1) << (1 + random.below(60));
  for (auto& cost : costs) {
    cost = Number(random.below(range)) - Number(random.below(range));
    if (range > 1u << 20) cost *= Number(1) << 55;
  }
  const auto found = cheapest(c, costs, guard);
  if (found.has_value() != (truth.count(s.has_total, s.total) > 0))
    throw Wrong("there is a cheapest solution of none, or none of some");
  if (!found) return;
  const Mines mines = bits(*found, s.variables);
  if (!is_solution(s, mines)) throw Wrong("the cheapest is no solution");
  auto price = [&](std::uint32_t mask) {
    Number sum = 0;
    for (std::int32_t v = 0; v < s.variables; ++v)
      if ((mask >> v) & 1) sum += costs[v];
    return sum;
  };
  const Number paid = price(mask_of(mines));
  for (const std::uint32_t mask : truth.solutions)
    if ((!s.has_total || std::popcount(mask) == s.total) && price(mask) < paid)
      throw Wrong("a solution is cheaper than the cheapest");
}

void check_zdd(const System& s, const Truth& truth, OrderKind order, Guard& guard) {
  const Compiled c = compile_system(s, {true, true, true, true, order}, guard, nullptr);
  const Zdd z = build_zdd(c, guard);
  if (zdd_count(z, s.variables) != truth.count(s.has_total, s.total)) throw Wrong("count of the ZDD");
  for (const std::uint32_t mask : truth.solutions) {
    if (s.has_total && std::popcount(mask) != s.total) continue;
    Mines mines(s.variables);
    for (std::int32_t v = 0; v < s.variables; ++v) mines[v] = (mask >> v) & 1;
    if (!in_zdd(z, mines)) throw Wrong("a solution is not in the ZDD");
  }
}

}  // namespace

void check_orders(const System& s, Random& random, Guard& guard) {
  Knowledge knowledge(s);
  if (!knowledge.propagate(guard)) return;
  for (const bool group : {true, false}) {
    Splitter splitter(knowledge, group);
    Splitter::Scratch scratch;
    splitter.find({}, guard, [&](const Splitter::Found& found) {
      const Part part = splitter.build(found, scratch);
      const Shape shape(part.component);
      const std::int32_t clues = part.component.clues();
      Vector<std::int32_t> shuffled(clues);
      std::iota(shuffled.begin(), shuffled.end(), 0);
      for (std::int32_t i = clues - 1; i > 0; --i)
        std::swap(shuffled[i], shuffled[random.below(std::uint64_t(i) + 1)]);
      const auto start = std::int32_t(random.below(std::uint64_t(clues)));
      bool have = false;
      Vector<std::uint64_t> expected;
      for (const auto& order : {path_order(shape, -1, 0, 0, kNeverHopeless, guard).clues,
                                path_order(shape, start, 0.7, random(), kNeverHopeless, guard).clues,
                                tree_order(shape, 0, 0, guard), tree_order(shape, 3, random(), guard),
                                shuffled})
        for (const bool pairs : {false, true}) {
          Plan plan = build_plan(shape, order, guard);
          if (pairs && plan.has_joins) plan = with_fewer_joins(shape, std::move(plan), guard, 0);
          if (!lay_out(shape, plan, pairs, guard)) continue;
          auto diagram = std::make_shared<Diagram>(compile(shape.component(), plan, guard));
          Piece piece{part, diagram};
          Vector<std::uint64_t> counts;
          if (diagram->consistent()) {
            counts = count_by_mines_residues(piece, 0, guard);
            const auto least = MineRanges(*diagram).low.back();
            counts.insert(counts.begin(), std::size_t(least), 0);
          }
          if (have && counts != expected)
            throw Wrong(std::string("orders differ") + (pairs ? " with look-ahead" : ""));
          expected = std::move(counts);
          have = true;
        }
    });
  }
}

namespace {

// At points there are the same polynomials, and the same shares of each choice.
void check_at_points(const Diagram& d, const MineRanges& m, Random& random, Guard& guard) {
  const Residues a((std::uint64_t(1) << 61) - 1);
  const auto up = upward_by_mines(d, m, a, guard);
  const Vector<std::uint64_t> root(up.begin() + std::ptrdiff_t(m.begin.back()), up.end());
  if (polynomial_at_points(d, m, a, guard) != root) throw Wrong("another polynomial at points");
  Vector<std::uint64_t> outside(root.size());
  for (auto& x : outside) x = a.enter(random());
  using Sums = std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t>;
  Sums shares, again;
  const auto into = [&a](Sums& sums) {
    return [&a, &sums](std::int32_t g, std::int32_t v, std::uint64_t worth) { a.add(sums[{g, v}], worth); };
  };
  downward_by_mines(d, m, a, up, std::span<const std::uint64_t>(outside), guard, into(shares));
  both_ways_at_points(d, m, a, outside, guard, into(again));
  if (shares != again) throw Wrong("other shares at points");
}

// Cut at some levels, wherever: no region may have more than two below it.
Regions random_regions(const Diagram& d, Random& random, Guard& guard) {
  Vector<std::uint8_t> cuts(d.levels.size(), 0);
  Vector<std::int32_t> below(d.levels.size(), 0);  // regions that end below a level and meet it
  const auto open = [&](std::int32_t level) { return level < 0 ? 0 : cuts[level] ? 1 : below[level]; };
  for (std::size_t i = 0; i < d.levels.size(); ++i) {
    const auto& level = d.levels[i];
    below[i] = open(level.left) + (level.is_join() ? open(level.right) : 0);
    if (below[i] > 2) {
      cuts[level.left] = cuts[level.right] = 1;
      below[i] = 2;
    }
    cuts[i] = random.below(3) == 0 || i + 1 == d.levels.size();
  }
  return cut_at(d, cuts, guard);
}

// The same in wide floats, with doubles in the regions.
void check_wide_regions(const Diagram& d, const MineRanges& m, const Vector<std::uint64_t>& up, Random& random,
                        Guard& guard) {
  const WideFloats wide;
  Vector<std::uint64_t> outside(std::size_t(m.length(d.nodes - 1)));
  Vector<Wide> worth;
  for (auto& x : outside) {
    x = random.below(5);
    worth.push_back(wide.multiply(wide.from(double(x)), {1.0, 3}));  // beyond what doubles can hold
  }
  std::map<std::pair<std::int32_t, std::int32_t>, std::pair<double, Wide>> shares;
  downward_by_mines(d, m, Words{}, up, std::span<const std::uint64_t>(outside), guard,
                    [&](std::int32_t g, std::int32_t v, std::uint64_t x) { shares[{g, v}].first += double(x); });
  const ByRegions<WideFloats> parts(d, random_regions(d, random, guard), wide, true, guard);
  parts.downward(worth, guard, [&](std::int32_t g, std::int32_t v, Wide x) { wide.add(shares[{g, v}].second, x); });
  for (const auto& [arc, both] : shares) {
    const Wide expected{both.first, 3};
    if (both.first == 0 ? both.second.mantissa != 0
                        : !(std::abs(WideFloats::ratio(both.second, Wide::normal(expected)) - 1) < 1e-12))
      throw Wrong("regions change the pass down in wide floats");
  }
}

// Whole numbers in floats: the products are exact, whatever the order of their terms.
void check_products(Random& random) {
  const auto nx = std::int32_t(1 + random.below(30)), ny = std::int32_t(1 + random.below(30));
  const auto row = [&](std::int32_t n) {
    Vector<double> numbers(std::size_t(n), 0.0);
    for (double& x : numbers) x = double(random.below(1000));
    return numbers;
  };
  const auto x = row(nx), y = row(ny), z = row(nx + ny - 1), before = row(ny);
  Vector<double> product = z, seen = before;
  add_product(Floats{}, product.data(), x.data(), nx, y.data(), ny);
  add_seen_through(Floats{}, seen.data(), ny, x.data(), nx, z.data());
  Vector<double> expected = z, view = before;
  for (std::int32_t i = 0; i < nx; ++i)
    for (std::int32_t j = 0; j < ny; ++j) {
      expected[i + j] += x[i] * y[j];
      view[j] += x[i] * z[i + j];
    }
  if (product != expected) throw Wrong("a product is wrong");
  if (seen != view) throw Wrong("what is seen through a factor is wrong");
}

}  // namespace

void check_by_mines(const Compiled& c, Random& random, Guard& guard) {
  check_products(random);
  if (!c.consistent) return;
  const Words a;
  for (const Piece& piece : c.pieces) {
    const Diagram& d = *piece.diagram;
    const MineRanges m(d);
    const auto up = upward_by_mines(d, m, a, guard);
    const Vector<std::uint64_t> root(up.begin() + std::ptrdiff_t(m.begin.back()), up.end());
    const Checkpoints<Words> some(d, m, a, true, guard), last(d, m, a, false, guard);
    if (!std::ranges::equal(some.polynomial(), root) || !std::ranges::equal(last.polynomial(), root))
      throw Wrong("checkpoints change the pass up");
    // In limbs and at points on several threads, however little there is to do.
    const auto center = std::int32_t(random.below(d.levels.size()));
    for (const CountingWays& ways :
         {CountingWays{}, {center, 1e9, 2}, {center, 1e9, 3, kSpreadAll}, {center, 0, 3, kSpreadAll}}) {
      const Counts counts = count_by_mines(piece, guard, ways);
      if (counts.limbs != 1 || counts.words != root || counts.least != m.low.back()) throw Wrong("limbs differ");
    }
    Vector<std::uint64_t> outside(root.size());
    for (auto& x : outside) x = random();
    Shares shares, again;
    const auto into = [](Shares& list) {
      return [&list](std::int32_t g, std::int32_t v, std::uint64_t worth) {
        if (worth != 0) list[{0, g, v}] += worth;
      };
    };
    downward_by_mines(d, m, a, up, std::span<const std::uint64_t>(outside), guard, into(shares));
    some.downward(outside, guard, into(again));
    if (shares != again) throw Wrong("checkpoints change the pass down");
    const ByRegions<Words> parts(d, random_regions(d, random, guard), a, true, guard);
    if (!std::ranges::equal(parts.polynomial(), root)) throw Wrong("regions change the pass up");
    again.clear();
    parts.downward(outside, guard, into(again));
    if (shares != again) throw Wrong("regions change the pass down");
    check_wide_regions(d, m, up, random, guard);
    check_at_points(d, m, random, guard);
  }
  check_under_total(c, guard);
  check_spans(random);
}

void check_passes(const System& s, const Truth& truth, Random& random, Guard& guard) {
  const OrderKind orders[] = {OrderKind::automatic, OrderKind::tree, OrderKind::given};
  const OrderKind order = orders[random.below(3)];
  const Options options{random.below(2) == 0, random.below(2) == 0, true, false, order};
  const auto c = std::make_shared<const Compiled>(compile_system(s, options, guard, nullptr));
  check_probabilities(*c, truth, guard);
  check_marginals(*c, truth, guard);
  check_by_mines(*c, random, guard);
  check_listing(s, c, truth, guard);
  check_cheapest(s, *c, truth, random, guard);
  const std::uint64_t seed = random();
  Sampler sampler(c, seed, guard), exact(c, seed, guard, true);
  if (sampler.has_solution() != (truth.count(s.has_total, s.total) > 0))
    throw Wrong("the sampler is wrong about consistency");
  Mines mines(s.variables), again(s.variables);
  for (int i = 0; i < 4 && sampler.has_solution(); ++i) {
    sampler.draw(mines.data(), guard);
    if (!is_solution(s, mines)) throw Wrong("a sample is no solution");
    exact.draw(again.data(), guard);
    if (mines != again) throw Wrong("a sample by floats differs from the exact one");
  }
  check_zdd(s, truth, order, guard);
}

void check_draws(const System& s, const Compiled& compiled, Random& random, Guard& guard) {
  const auto c = std::make_shared<const Compiled>(compiled);
  const Verdicts known = verdicts(*c, guard);
  const Probabilities chances = probabilities(*c, guard);
  if (chances.consistent != known.consistent) throw Wrong("consistency of probabilities differs");
  Crew crew(2);
  Verdicts beside;
  const Probabilities together = probabilities(*c, beside, guard, &crew);
  if (together.of != chances.of || together.log2_count != chances.log2_count || beside.of != known.of)
    throw Wrong("probabilities on two threads differ");
  Enumerator walk(c, guard);
  const std::uint64_t seed = random();
  Sampler sampler(c, seed, guard), exact(c, seed, guard, true);
  if (sampler.has_solution() != known.consistent) throw Wrong("the sampler on consistency differs");
  Mines mines(s.variables), again(s.variables);
  for (int i = 0; i < 3; ++i) {
    const auto* next = walk.next(guard);
    if (i == 0 && (next != nullptr) != known.consistent) throw Wrong("the walk on consistency");
    if (next && !is_solution(s, bits(*next, s.variables)))
      throw Wrong("what is listed is no solution");
    if (!known.consistent) continue;
    sampler.draw(mines.data(), guard);
    if (!is_solution(s, mines)) throw Wrong("a sample is no solution");
    exact.draw(again.data(), guard);
    if (mines != again) throw Wrong("a sample by floats differs from the exact one");
    for (std::int32_t v = 0; v < s.variables; ++v)
      if (known.of[v] != kUndecided && mines[v] != (known.of[v] == kMined))
        throw Wrong("a sample contradicts a verdict");
  }
  Vector<Number> costs(s.variables);
  for (auto& cost : costs) cost = Number(random.below(2001)) - 1000;
  const auto found = cheapest(*c, costs, guard);
  if (found.has_value() != known.consistent) throw Wrong("the cheapest on consistency differs");
  if (!found) return;
  if (!is_solution(s, bits(*found, s.variables))) throw Wrong("the cheapest is no solution");
  Number paid = 0, drawn = 0;
  for (const std::int32_t v : *found) paid += costs[v];
  for (std::int32_t v = 0; v < s.variables; ++v)
    if (mines[v]) drawn += costs[v];
  if (drawn < paid) throw Wrong("a sample is cheaper than the cheapest");
  double expected = 0;
  for (std::int32_t v = 0; v < s.variables; ++v) {
    const double p = chances.of[v];
    if (!(p >= 0 && p <= 1) || (p == 0) != (known.of[v] == kSafe) || (p == 1) != (known.of[v] == kMined))
      throw Wrong("a probability contradicts a verdict");
    expected += p;
  }
  if (s.has_total && std::abs(expected - double(s.total)) > 1e-9) throw Wrong("expected mines");
  for (const Piece& piece : c->pieces)
    if (piece.diagram->has_joins) return;
  const Zdd z = build_zdd(*c, guard);
  zdd_count(z, s.variables);
  if (!in_zdd(z, mines)) throw Wrong("a sample is not in the ZDD");
}

}  // namespace sapper::tests
