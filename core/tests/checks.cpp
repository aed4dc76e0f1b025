#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "passes.hpp"
#include "passes/by_mines.hpp"

namespace sapper::tests {

namespace {

constexpr std::uint64_t kPrime = (std::uint64_t(1) << 61) - 1;
__extension__ using Double = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return modulus == 0 ? a * b : std::uint64_t(Double(a) * b % modulus);
}
std::uint64_t plus(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return modulus == 0 ? a + b : std::uint64_t((Double(a) + b) % modulus);
}

using Row = Vector<std::uint64_t>;

Row product(const Row& a, const Row& b, std::uint64_t modulus) {
  Row out(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      out[i + j] = plus(out[i + j], times(a[i], b[j], modulus), modulus);
  return out;
}

// The polynomial of a piece from 0 mines on.
Row piece_row(const Piece& piece, std::uint64_t modulus, Guard& guard) {
  const MineRanges ranges(*piece.diagram);
  Row row(std::size_t(ranges.low.back()), 0);
  const Row counted = count_by_mines_residues(piece, modulus, guard);
  row.insert(row.end(), counted.begin(), counted.end());
  return row;
}

// (1 + x)^cells, shifted by mines that are known.
Row loose_row(const Compiled& c, std::uint64_t modulus) {
  Row row(std::size_t(c.forced_mines), 0);
  row.push_back(1);
  for (std::size_t i = 0; i < c.free.size(); ++i) row = product(row, {1, 1}, modulus);
  return row;
}

std::string describe(const Options& o) {
  std::string text;
  if (!o.certainty) text += " certainty off";
  if (!o.grouping) text += " grouping off";
  if (!o.look_ahead) text += " look-ahead off";
  if (o.path_only) text += " path only";
  const char* names[] = {"", " order path", " order tree", " order given"};
  return text + names[int(o.order)];
}

Vector<Options> option_sets() {
  Vector<Options> all{{}};
  for (const OrderKind order : {OrderKind::path, OrderKind::tree, OrderKind::given}) {
    all.push_back({true, true, true, false, order});
    all.push_back({false, false, false, false, order});
  }
  all.push_back({false, true, true, false, OrderKind::automatic});
  all.push_back({true, false, true, false, OrderKind::automatic});
  all.push_back({true, true, false, false, OrderKind::automatic});
  all.push_back({true, true, true, true, OrderKind::automatic});
  all.push_back({false, false, true, true, OrderKind::path});
  return all;
}

std::uint8_t verdict_of(std::uint64_t mined, std::uint64_t all) {
  return mined == 0 ? kSafe : mined == all ? kMined : kUndecided;
}

void check_verdicts(const Compiled& c, const Truth& truth, Guard& guard) {
  const std::uint64_t all = truth.count(c.has_total, c.total);
  const Verdicts found = verdicts(c, guard);
  const std::string where = c.has_total ? " under total " + std::to_string(c.total) : "";
  if (found.consistent != (all > 0)) throw Wrong("consistency differs" + where);
  if (all == 0) {
    if (!found.of.empty()) throw Wrong("verdicts of an inconsistent system" + where);
    return;
  }
  for (std::int32_t v = 0; v < truth.variables; ++v)
    if (found.of[v] != verdict_of(truth.mined_in(v, c.has_total, c.total), all))
      throw Wrong("verdict of variable " + std::to_string(v) + " differs" + where);
}

// A limit ends the work or does not matter; it never changes the answer.
void check_limits(const System& s, const Truth& truth, Random& random) {
  Limits limits;
  limits.nodes = 1 + random.below(20);
  if (random.below(2)) limits.bytes = 1 + random.below(4000);
  Guard guard(limits);
  try {
    const Compiled c = compile_system(s, {}, guard, nullptr);
    if (c.consistent != truth.consistent()) throw Wrong("consistency differs under a limit");
    if (guard.nodes() > limits.nodes || guard.bytes() > limits.bytes)
      throw Wrong("a limit was passed unnoticed");
  } catch (const LimitHit& hit) {
    if (hit.spent <= hit.allowed) throw Wrong("a limit was hit that was not reached");
  }
}

}  // namespace

Vector<std::uint64_t> counts_by_mines(const Compiled& c, std::uint64_t modulus, Guard& guard) {
  if (!c.consistent) return {};
  Row row = loose_row(c, modulus);
  for (const Piece& piece : c.pieces) row = product(row, piece_row(piece, modulus, guard), modulus);
  row.resize(std::size_t(c.variables) + 1, 0);
  return row;
}

void check_counts_and_verdicts(const Compiled& c, const Truth& truth, Guard& guard) {
  if (c.consistent != truth.consistent()) throw Wrong("consistency differs");
  if (!c.consistent) return;
  for (std::int32_t v = 0; v < c.variables; ++v)
    if (c.values[v] >= 0 &&
        truth.mined_in(v, false, 0) != (c.values[v] == 1 ? truth.solutions.size() : 0))
      throw Wrong("variable " + std::to_string(v) + " is not forced");
  for (const std::uint64_t modulus : {std::uint64_t(0), kPrime}) {
    if (counts_by_mines(c, modulus, guard) != truth.by_mines) throw Wrong("counts by mines differ");
    std::uint64_t all = 1;
    for (const Piece& piece : c.pieces)
      all = times(all, count_residue(piece, modulus, guard), modulus);
    if (all << c.free.size() != truth.solutions.size()) throw Wrong("count differs");
  }
  Compiled under = c;
  under.has_total = false;
  check_verdicts(under, truth, guard);
  under.has_total = true;
  for (std::int64_t total = -1; total <= c.variables + 1; ++total) {
    under.total = total;
    check_verdicts(under, truth, guard);
  }
}

void check_certain_values(const System& s, const Truth& truth, Guard& guard) {
  Vector<std::int8_t> values;
  if (certain_values(s, values, guard) != truth.consistent())
    throw Wrong("search for certain values: consistency differs");
  if (!truth.consistent()) return;
  for (std::int32_t v = 0; v < s.variables; ++v) {
    const std::uint8_t expected =
        verdict_of(truth.mined_in(v, false, 0), truth.solutions.size());
    if (values[v] != (expected == kUndecided ? -1 : expected == kMined ? 1 : 0))
      throw Wrong("search for certain values: variable " + std::to_string(v) + " differs");
  }
}

void check_small(const System& s, Random& random, Cache& cache) {
  const Truth truth(s);
  for (const Options& options : option_sets()) {
    try {
      Guard guard;
      check_counts_and_verdicts(compile_system(s, options, guard, nullptr), truth, guard);
    } catch (const Wrong& wrong) {
      throw Wrong(wrong.what() + std::string(";") + describe(options));
    }
  }
  Guard guard;
  check_counts_and_verdicts(compile_system(s, {}, guard, &cache), truth, guard);
  check_certain_values(s, truth, guard);
  check_orders(s, random, guard);
  System under = s;
  under.has_total = false;
  check_passes(under, truth, random, guard);
  check_passes(s, truth, random, guard);
  if (s.variables > 0) {
    under.has_total = true;
    under.total = std::int64_t(random.below(std::uint64_t(s.variables) + 1));
    check_passes(under, truth, random, guard);
  }
  check_limits(s, truth, random);
}

void check_large(const System& s, Random& random) {
  constexpr Limits limits{2.0, 100'000, std::uint64_t(1) << 28};
  const auto start = Guard::Clock::now();
  bool have = false;
  bool consistent = false;
  Row expected;
  Verdicts verdict;
  Vector<std::int8_t> values;
  for (const Options& options : option_sets()) {
    try {
      Guard guard(limits, {}, start);
      const Compiled c = compile_system(s, options, guard, nullptr);
      const Row counts = counts_by_mines(c, 0, guard);
      const Verdicts found = verdicts(c, guard);
      if (!have) {
        have = true;
        consistent = c.consistent;
        expected = counts;
        verdict = found;
        if (certain_values(s, values, guard) != consistent)
          throw Wrong("search for certain values: consistency differs");
        System no_total = s;
        no_total.has_total = false;
        Compiled without = c;
        without.has_total = false;
        const Verdicts plain = verdicts(without, guard);
        for (std::int32_t v = 0; consistent && v < s.variables; ++v)
          if ((values[v] < 0) != (plain.of[v] == kUndecided))
            throw Wrong("certain values and verdicts differ at " + std::to_string(v));
      } else if (counts != expected || c.consistent != consistent ||
                 found.consistent != verdict.consistent || found.of != verdict.of) {
        throw Wrong("options differ:" + describe(options));
      }
      check_draws(s, c, random, guard);
    } catch (const LimitHit&) {
      continue;
    }
  }
  try {
    Guard guard(limits, {}, start);
    check_orders(s, random, guard);
  } catch (const LimitHit&) {
  }
}

void check(const System& s, std::uint64_t seed, Cache& cache) {
  Random random(seed);
  if (s.variables <= 14)
    check_small(s, random, cache);
  else
    check_large(s, random);
}

}  // namespace sapper::tests
