#include "diagram/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "base/random.hpp"
#include "diagram/fewer_joins.hpp"

namespace sapper {

namespace {

// A plan with joins that takes more work than this for each clue is looked through for joins that can go.
constexpr double kWorthRewriting = 1000;
// A clue that sums up to more than this is a hub. Without one, what the estimates leave out (bounds on
// pairs of clues) matters more than the joins: plans of grids became larger.
constexpr std::int64_t kHub = 32;
// More states than these are hopeless, whatever else is tried.
constexpr double kHopeless = 1e18;

}  // namespace

PathOrder path_order(const Shape& shape, std::int32_t start, double noise, std::uint64_t seed,
                     double most, Guard& guard) {
  const Component& comp = shape.component();
  const std::int32_t clues = comp.clues();
  if (clues == 1 && most >= 1) return {{0}, 1};
  struct Clue {
    std::int64_t done, extra;  // decided, and what one more clue would decide
    double spread;             // now
    bool placed;
  };
  Vector<Clue> state(clues);
  Vector<std::uint8_t> is_decided(comp.groups(), 0);
  Vector<std::int32_t> order, open, some(std::size_t(clues) + 1);
  order.reserve(clues);
  open.reserve(clues);
  // Plain pointers: nothing that is written below can move what they point at.
  Clue* const at = state.data();
  std::uint8_t* const decided = is_decided.data();
  std::int32_t* const touched = some.data();
  Jitter jitter{seed};  // orders never change answers, only cost
  double table = 0, states = 0;  // log2 of the estimated number of states; their sum so far

  auto is_closed = [&](std::int32_t c) { return at[c].done == shape.most(c); };
  // Change of the estimate (log2 of the table) if clue c were completed now.
  auto gain = [&](std::int32_t c) {
    std::int32_t* end = touched;
    for (const auto& e : comp.clue(c)) {
      if (decided[e.group]) continue;
      for (const auto& u : shape.uses(e.group)) {
        Clue& d = at[u.clue];
        *end = u.clue;
        end += d.extra == 0;
        d.extra += u.amount;
      }
    }
    double change = end == touched ? -at[c].spread : 0.0;
    for (const std::int32_t* i = touched; i != end; ++i) {
      Clue& d = at[*i];
      change += shape.spread(*i, d.done + d.extra) - d.spread;
      d.extra = 0;
    }
    return change;
  };
  auto place = [&](std::int32_t c) {
    order.push_back(c);
    at[c].placed = true;
    for (const auto& e : comp.clue(c)) {
      if (decided[e.group]) continue;
      decided[e.group] = 1;
      for (const auto& u : shape.uses(e.group)) {
        Clue& d = at[u.clue];
        if (d.done == 0 && !d.placed) open.push_back(u.clue);
        d.done += u.amount;
        table -= d.spread;
        d.spread = shape.spread(u.clue, d.done);
        table += d.spread;
      }
    }
  };

  std::int32_t next_start = 0;
  while (std::int32_t(order.size()) < clues) {
    std::erase_if(open, [&](std::int32_t c) {
      if (at[c].placed) return true;
      if (!is_closed(c)) return false;
      at[c].placed = true;
      order.push_back(c);
      return true;
    });
    if (std::int32_t(order.size()) == clues) break;
    std::int32_t best = -1;
    if (open.empty()) {
      if (order.empty() && start >= 0) {
        best = start;
      } else {
        double best_gain = 0;
        for (std::int32_t c = next_start; c < clues; ++c) {
          if (at[c].placed) continue;
          const double g = gain(c);
          if (best < 0 || g < best_gain) {
            best = c;
            best_gain = g;
          }
        }
      }
    } else if (open.size() == 1 && noise == 0) {
      guard.tick();
      best = open[0];  // whatever it gains
    } else {
      double best_gain = 0;
      for (const std::int32_t c : open) {
        guard.tick();
        double g = gain(c);
        if (noise > 0) g += noise * jitter();
        if (best < 0 || g < best_gain) {
          best = c;
          best_gain = g;
        }
      }
    }
    place(best);
    states += std::exp2(table);
    if (states > most) return {};
  }
  return {std::move(order), states};
}

Vector<std::int32_t> tree_order(const Shape& shape, double noise, std::uint64_t seed, Guard& guard) {
  const Component& comp = shape.component();
  const std::int32_t clues = comp.clues();
  // A factor is what one table of the plan knows: its open clues and how much of each is decided.
  struct Open {
    std::int32_t clue;
    std::int64_t done;
  };
  Vector<Vector<Open>> factors;
  Vector<Vector<std::int32_t>> factors_of(clues);
  Vector<std::uint8_t> decided(comp.groups(), 0), placed(clues, 0);
  Vector<std::uint32_t> version(clues, 0);
  Vector<std::int64_t> sum(clues, 0);
  Vector<std::int32_t> touched;
  Jitter jitter{seed};

  auto collect = [&](std::int32_t c) {
    touched.clear();
    auto add = [&](std::int32_t d, std::int64_t amount) {
      if (sum[d] == 0) touched.push_back(d);
      sum[d] += amount;
    };
    for (const std::int32_t f : factors_of[c])
      for (const Open& o : factors[f]) add(o.clue, o.done);
    for (const auto& e : comp.clue(c))
      if (!decided[e.group])
        for (const auto& u : shape.uses(e.group))
          add(u.clue, u.amount);
  };
  auto score = [&](std::int32_t c) {
    collect(c);
    double size = 0;
    for (const std::int32_t d : touched) {
      size += shape.spread(d, sum[d]);
      sum[d] = 0;
    }
    guard.tick(std::uint32_t(touched.size()));
    return noise > 0 ? size + noise * jitter() : size;
  };

  struct Candidate {
    double score;
    std::int32_t clue;
    std::uint32_t version;
    bool operator<(const Candidate& o) const {
      return score != o.score ? score > o.score : clue > o.clue;
    }
  };
  std::priority_queue<Candidate, Vector<Candidate>> heap;
  for (std::int32_t c = 0; c < clues; ++c) heap.push({score(c), c, 0});
  Vector<std::int32_t> order;
  order.reserve(clues);
  Vector<std::int32_t> result;
  while (!heap.empty()) {
    const Candidate top = heap.top();
    heap.pop();
    if (placed[top.clue] || version[top.clue] != top.version) continue;
    const std::int32_t c = top.clue;
    placed[c] = 1;
    order.push_back(c);
    collect(c);
    const Vector<std::int32_t> merged = factors_of[c];
    const auto fresh = std::int32_t(factors.size());
    factors.emplace_back();
    result = touched;
    for (const std::int32_t d : result) {
      const std::int64_t amount = sum[d];
      sum[d] = 0;
      std::erase_if(factors_of[d], [&](std::int32_t f) {
        return std::find(merged.begin(), merged.end(), f) != merged.end();
      });
      if (amount == shape.most(d)) {
        if (!placed[d]) {
          placed[d] = 1;
          order.push_back(d);
        }
        continue;
      }
      factors[fresh].push_back({d, amount});
      factors_of[d].push_back(fresh);
    }
    for (const auto& e : comp.clue(c)) decided[e.group] = 1;
    for (const std::int32_t f : merged) Vector<Open>().swap(factors[f]);
    const Vector<Open>& opened = factors[fresh];
    for (const Open& o : opened) heap.push({score(o.clue), o.clue, ++version[o.clue]});
  }
  return order;
}

Plan best_plan(const Shape& shape, OrderKind kind, bool path_only, Guard& guard) {
  const std::int32_t clues = shape.component().clues();
  if (kind == OrderKind::given) {
    Vector<std::int32_t> order(clues);
    std::iota(order.begin(), order.end(), 0);
    Plan plan = build_plan(shape, order, guard);
    // Clues that do not touch those before them need joins; then there is no such path.
    if (!path_only || !plan.has_joins) return plan;
  }
  const bool trees = !path_only && kind != OrderKind::path;
  const bool paths = path_only || kind != OrderKind::tree;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  Plan best;
  double best_path = kNever;
  bool have = false;
  auto rewrite = [&](Plan plan) {
    const bool worth = plan.has_joins && plan.expected_work > kWorthRewriting * clues;
    return worth ? with_fewer_joins(shape, std::move(plan), guard) : plan;
  };
  bool tree_is_best = false;
  auto consider = [&](const Vector<std::int32_t>& order) {
    Plan plan = build_plan(shape, order, guard);
    if (tree_is_best) plan = rewrite(std::move(plan));
    const bool better = !have || plan.expected_work < best.expected_work;
    if (better) best = std::move(plan);
    have = true;
    return better;
  };
  auto consider_path = [&](std::int32_t start, double noise, std::uint64_t seed, double most) {
    const PathOrder path = path_order(shape, start, noise, seed, most, guard);
    if (!path.clues.empty() && consider(path.clues)) best_path = path.states;
  };
  // A path through a large component may be hopeless, and finding that out is slow: trees first.
  if (trees && clues > 200) consider(tree_order(shape, 0, 0, guard));
  if (paths)
    consider_path(-1, 0, 0, have ? std::min(best.expected_work, kHopeless) : trees ? kHopeless : kNever);
  if (trees && clues <= 200 && (!have || best.expected_work > 2000))
    consider(tree_order(shape, 0, 0, guard));
  if (!have) throw std::logic_error("no order was found");
  // What nobody can compile is not worth a better order.
  if (best.expected_work > 1e15) return best;
  // Where a tree is best for hubs, others are tried: which of them stay open together hangs on small
  // differences. A tenth of the expected work, about, pays for them.
  bool hubs = false;
  for (std::int32_t c = 0; c < clues; ++c) hubs = hubs || shape.most(c) > kHub;
  tree_is_best = hubs && best.has_joins;
  if (tree_is_best) best = rewrite(std::move(best));
  const double tree_price = 4000.0 * clues;
  for (int i = 0; tree_is_best && i < 200 && i < best.expected_work / tree_price; ++i)
    consider(tree_order(shape, 1.0 + i % 5, std::uint64_t(i), guard));
  if (!paths) return best;
  // Restarts from other clues, as many as a fraction of the expected work pays for. A start is
  // left as soon as it is worse than the best path (or, if that is a tree, than all of its work).
  const double price = 2500.0 * clues;
  Jitter jitter{12345};
  for (int i = 0; i < 200 && i < best.expected_work / price; ++i) {
    const auto start = static_cast<std::int32_t>(jitter() * clues);
    const double noise = i % 2 == 0 ? 0.0 : 0.7;
    consider_path(start, noise, std::uint64_t(i), std::min(1.1 * best_path, best.expected_work));
  }
  return best;
}

}  // namespace sapper
