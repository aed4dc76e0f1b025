// Compiling and the passes over what was compiled, again after limits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <set>

#include "base/memory.hpp"
#include "passes/cheapest.hpp"
#include "passes/counts.hpp"
#include "classes.hpp"
#include "passes/enumerate.hpp"
#include "passes/lottery.hpp"
#include "diagram/build_diagram.hpp"
#include "diagram/order.hpp"
#include "passes.hpp"
#include "diagram/fewest_nodes.hpp"
#include "diagram/sift.hpp"
#include "diagram/state_layout.hpp"
#include "diagram/zdd.hpp"

namespace sapper::tests {

namespace {

using Mines = Vector<std::uint8_t>;

Options random_options(Random& random, bool path_only = false) {
  const OrderKind orders[] = {OrderKind::automatic, OrderKind::path, OrderKind::tree, OrderKind::given};
  Options o;
  o.certainty = random.below(2) == 0;
  o.grouping = random.below(2) == 0;
  o.look_ahead = random.below(2) == 0;
  o.path_only = path_only;
  o.order = orders[random.below(path_only ? 2 : 4)];
  o.threads = unsigned(1 + random.below(3));
  o.few_clues = 0;
  return o;
}

// To the last bit, except for how many nodes it took.
void check_same(const Compiled& a, const Compiled& b) {
  const auto same = [](const Piece& x, const Piece& y) {
    return x.part.variables == y.part.variables && x.diagram->arcs == y.diagram->arcs &&
           x.diagram->nodes == y.diagram->nodes;
  };
  if (a.consistent != b.consistent || !std::ranges::equal(a.pieces, b.pieces, same) ||
      (a.consistent && (a.values != b.values || a.free != b.free || a.bytes != b.bytes)))
    throw Wrong("compiled otherwise on several threads");
}

// Compiled through a cache that sees every attempt.
std::shared_ptr<const Compiled> compiled(const System& s, const Options& options, Faults& faults,
                                         Cache* cache = nullptr) {
  return std::make_shared<const Compiled>(
      faults.insist([&](Guard& g) { return compile_system(s, options, g, cache); }));
}

std::uint32_t mask_of(const Mines& mines) {
  std::uint32_t mask = 0;
  for (std::size_t v = 0; v < mines.size(); ++v) mask |= std::uint32_t(mines[v]) << v;
  return mask;
}

// Of the solutions under the total.
Vector<std::uint32_t> under_total(const System& s, const Truth& truth) {
  Vector<std::uint32_t> masks;
  for (const std::uint32_t mask : truth.solutions)
    if (!s.has_total || std::popcount(mask) == s.total) masks.push_back(mask);
  return masks;
}

// Are the frequencies of equally likely outcomes further from each other than chance ever makes
// them: seven standard deviations, by Wilson and Hilferty's normal approximation of chi-square?
bool is_uneven(const Vector<std::uint64_t>& seen) {
  const auto n = double(seen.size());
  if (n < 2) return false;
  double all = 0, square = 0;
  for (const std::uint64_t x : seen) all += double(x);
  for (const std::uint64_t x : seen) square += (double(x) - all / n) * (double(x) - all / n);
  const double freedom = n - 1, a = 2 / (9 * freedom);
  const double z = (std::cbrt(square / (all / n) / freedom) - (1 - a)) / std::sqrt(a);
  return z > 7;
}

}  // namespace

void check_compiled(const System& s, Random& random, Faults& faults) {
  const Truth truth(s);
  Cache cache;
  for (int i = 0; i < 2; ++i) {
    Options options = random_options(random);
    const auto c = compiled(s, options, faults, &cache);
    Guard guard;
    const Compiled crowd = *compiled(s, options, faults);
    options.threads = 1;
    check_same(crowd, compile_system(s, options, guard, nullptr));
    check_counts_and_verdicts(*c, truth, guard);
    check_by_mines(*c, random, guard);
    // The same compiled system, whatever happened to it meanwhile.
    const Verdicts found = faults.insist([&](Guard& g) { return verdicts(*c, g); });
    if (found.of != verdicts(*c, guard).of) throw Wrong("verdicts after a limit");
    const Probabilities chances = faults.insist([&](Guard& g) { return probabilities(*c, g); });
    if (chances.of != probabilities(*c, guard).of) throw Wrong("probabilities after a limit");
    for (const Piece& piece : c->pieces) {
      const auto sums = faults.insist([&](Guard& g) { return marginal_residues(piece, 0, {}, g); });
      if (sums != marginal_residues(piece, 0, {}, guard)) throw Wrong("marginals after a limit");
      const auto counts = faults.insist([&](Guard& g) { return count_by_mines(piece, g); });
      if (counts.words != count_by_mines(piece, guard).words) throw Wrong("counts after a limit");
    }
    Vector<Costs::Number> costs;
    for (std::int32_t v = 0; v < s.variables; ++v) costs.push_back(Costs::Number(random.below(99)) - 40);
    const auto least = faults.insist([&](Guard& g) { return cheapest(*c, costs, g); });
    if (least != cheapest(*c, costs, guard)) throw Wrong("the cheapest after a limit");
  }
  Vector<std::int8_t> values;
  if (faults.insist([&](Guard& g) { return certain_values(s, values, g); }) != truth.consistent())
    throw Wrong("certain values after a limit");
  if (cache.trim(0) != 0 || cache.size() != 0 || cache.bytes() != 0)
    throw Wrong("a trimmed cache holds something");
}

void check_enumerator(const System& s, Random& random, Faults& faults) {
  const Truth truth(s);
  const auto c = compiled(s, random_options(random), faults);
  auto walk = faults.insist([&](Guard& g) { return Enumerator(c, g); });
  std::set<std::uint32_t> seen;
  // At most so many with a fault each: the rest is a walk as any other.
  for (std::uint64_t i = 0;; ++i) {
    Guard guard;
    const auto* mined = i < 40 ? faults.insist([&](Guard& g) { return walk.next(g); }) : walk.next(guard);
    if (!mined) break;
    std::uint32_t mask = 0;
    for (const std::int32_t v : *mined) mask |= 1u << v;
    if (!seen.insert(mask).second) throw Wrong("a solution is listed twice");
  }
  const auto expected = under_total(s, truth);
  if (!std::ranges::equal(seen, expected)) throw Wrong("other solutions are listed");
}

void check_sampler(const System& s, Random& random, Faults& faults) {
  const auto expected = under_total(s, Truth(s));
  const auto c = compiled(s, random_options(random), faults);
  const std::uint64_t seed = random();
  const bool exact = random.below(4) == 0;
  const std::uint64_t wide = random.below(2) == 0 ? 0 : 64 << 20;
  Guard guard;
  auto sampler = faults.insist([&](Guard& g) { return Sampler(c, seed, g, exact, wide); });
  Sampler calm(c, seed, guard, false, wide);
  if (sampler.has_solution() == expected.empty()) throw Wrong("is there a solution: yes or no");
  if (expected.empty()) return;
  Mines mines(std::size_t(s.variables)), same(std::size_t(s.variables));
  Vector<std::uint64_t> seen(expected.size(), 0);
  const bool few = expected.size() <= 16;
  const std::size_t draws = few ? 200 * expected.size() : 20;
  for (std::size_t i = 0; i < draws; ++i) {
    if (i < 20)
      faults.insist([&](Guard& g) { sampler.draw(mines.data(), g); });
    else
      sampler.draw(mines.data(), guard);
    calm.draw(same.data(), guard);
    if (mines != same) throw Wrong("a draw that was cut short changes the next");
    const auto at = std::ranges::lower_bound(expected, mask_of(mines));
    if (at == expected.end() || *at != mask_of(mines)) throw Wrong("a sample is no solution");
    ++seen[std::size_t(at - expected.begin())];
  }
  if (few && is_uneven(seen)) throw Wrong("samples are not uniform");
}

void check_zdd_and_sifting(const System& s, Random& random, Faults& faults) {
  const auto expected = under_total(s, Truth(s));
  const auto c = compiled(s, random_options(random, true), faults);
  const Zdd zdd = faults.insist([&](Guard& g) { return build_zdd(*c, g); });
  if (zdd_count(zdd, s.variables) != expected.size()) throw Wrong("count of the ZDD");
  for (const std::uint32_t mask : expected) {
    Mines mines(std::size_t(s.variables));
    for (std::int32_t v = 0; v < s.variables; ++v) mines[v] = mask >> v & 1;
    if (!in_zdd(zdd, mines)) throw Wrong("a solution is not in the ZDD");
  }
  Guard guard;
  for (const Piece& piece : c->pieces) {
    const Zdd own = build_zdd(*piece.diagram, guard);
    const Component& component = piece.part.component;
    Vector<std::int32_t> given;
    for (const Diagram::Level& level : piece.diagram->levels) given.push_back(level.group);
    // However many solutions are looked at, no bound is above the nodes.
    const auto bound_holds = [&](const Vector<std::int32_t>& order, std::size_t nodes) {
      return !faults.insist([&](Guard& g) {
        return surely_has_nodes(nodes + 1, component, *piece.diagram, order, 100, g);
      });
    };
    if (!bound_holds(given, own.nodes.size())) throw Wrong("a ZDD is said to have more nodes than it has");
    if (!in_zdd(own, Vector<std::uint8_t>(piece.part.variables.size(), 0)) &&
        !surely_has_nodes(1, component, *piece.diagram, given, 1, guard))
      throw Wrong("solutions with mines show no node");
    if (most_nodes(*piece.diagram, guard) < own.nodes.size()) throw Wrong("a ZDD has more nodes than it can have");
    const std::size_t patience = random.below(20);
    const auto better = faults.insist([&](Guard& g) { return sifted(*piece.diagram, own, patience, g); });
    if (!better) continue;
    Vector<std::int32_t> groups;
    for (const Diagram::Level& level : better->levels) groups.push_back(level.group);
    const auto cells = std::int32_t(piece.part.variables.size());
    const Zdd smaller = build_zdd(*better, guard);
    if (zdd_count(smaller, cells) != zdd_count(own, cells)) throw Wrong("sifting changes the set");
    // A reduced ZDD in a given order is the only one.
    const Shape shape(component);
    Plan plan = build_group_plan(shape, groups, guard);
    if (!lay_out(shape, plan, false, guard)) throw Wrong("a sifted order has no layout");
    const Zdd anew = build_zdd(compile(component, plan, guard), guard);
    const auto same = [](const Zdd::Node& a, const Zdd::Node& b) {
      return a.position == b.position && a.low == b.low && a.high == b.high;
    };
    if (anew.root != smaller.root || !std::ranges::equal(anew.nodes, smaller.nodes, same))
      throw Wrong("a sifted diagram is not that of its order");
    if (smaller.nodes.size() >= own.nodes.size()) throw Wrong("sifting made no smaller diagram");
    if (!bound_holds(groups, smaller.nodes.size())) throw Wrong("a bound of another order is too high");
  }
}

// Pieces that are nothing but numbers of ways.
void check_lottery(Random& random, Faults& faults) {
  Compiled c;
  c.has_total = true;
  c.free.resize(random.below(5));
  c.forced_mines = std::int64_t(random.below(3));
  Vector<std::int64_t> least;
  Vector<Vector<std::uint64_t>> ways(random.below(4));
  Vector<Vector<BigNat>> long_ways;
  c.total = c.forced_mines + std::int64_t(random.below(c.free.size() + 1));
  for (auto& row : ways) {
    least.push_back(std::int64_t(random.below(3)));
    row.resize(1 + random.below(4));
    for (auto& x : row) x = random.below(5);
    row.front() += row.back() == 0;  // not all of them nothing
    c.total += least.back() + std::int64_t(random.below(row.size()));
    long_ways.emplace_back();
    for (const std::uint64_t x : row) long_ways.back().push_back(BigNat(x));
  }
  // Every distribution of the mines, as often as there are ways.
  Vector<Vector<std::int64_t>> outcomes;
  Vector<std::int64_t> mines(ways.size());
  const auto spread = [&](auto&& self, std::size_t i, std::int64_t left, std::uint64_t times) -> void {
    if (i == ways.size()) {
      std::uint64_t binomial = 1;
      const auto free = std::int64_t(c.free.size());
      if (left < 0 || left > free) return;
      for (std::int64_t x = 0; x < left; ++x) binomial = binomial * std::uint64_t(free - x) / std::uint64_t(x + 1);
      outcomes.insert(outcomes.end(), times * binomial, mines);
      return;
    }
    for (std::size_t y = 0; y < ways[i].size(); ++y) {
      mines[i] = least[i] + std::int64_t(y);
      if (ways[i][y] > 0) self(self, i + 1, left - mines[i], times * ways[i][y]);
    }
  };
  spread(spread, 0, c.total - c.forced_mines, 1);
  const std::uint64_t seed = random();
  const auto lottery = [&](bool exact) {
    return faults.insist([&](Guard& g) { return MineLottery(c, least, long_ways, exact, g); });
  };
  MineLottery quick = lottery(false), exact = lottery(true);
  if (quick.has_solution() == outcomes.empty()) throw Wrong("is there a solution: yes or no");
  if (outcomes.empty()) return;
  Random one(seed), one_tail(~seed), two(seed), two_tail(~seed);
  Vector<std::int64_t> again;
  Vector<std::uint64_t> seen(outcomes.size(), 0);
  Guard guard;
  for (std::size_t i = 0; i < 100 * outcomes.size() && i < 4000; ++i) {
    const std::int64_t rest = quick.draw(one, one_tail, mines, guard);
    if (exact.draw(two, two_tail, again, guard) != rest || mines != again)
      throw Wrong("a draw by floats differs from the exact one");
    const auto [begin, end] = std::ranges::equal_range(outcomes, mines);
    if (begin == end) throw Wrong("mines that cannot be");
    // Equal outcomes stand side by side: spread the draws over them.
    ++seen[std::size_t(begin - outcomes.begin()) + random.below(std::uint64_t(end - begin))];
  }
  if (outcomes.size() <= 40 && is_uneven(seen)) throw Wrong("the lottery is not fair");
}

}  // namespace sapper::tests
