#include "passes/center.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sapper {

namespace {

// What passes take from each level, in nanoseconds, about; measured on grids of 60 x 60 to 100 x 100 cells.
class Finder {
 public:
  Finder(const Diagram& d, const MineRanges& m, Guard& guard) : d_(d), lengths_(d.levels.size()) {
    const double whole = m.length(d.nodes - 1);
    for (std::size_t i = 0; i < d.levels.size(); ++i) {
      const auto& level = d.levels[i];
      std::uint64_t sum = 0;
      for (std::uint64_t n = level.first_node; n < level.first_node + level.nodes; ++n)
        sum += std::uint64_t(m.length(n));
      guard.tick(level.nodes);
      lengths_[i].up = double(sum) / level.nodes;
      lengths_[i].down = std::max(1.0, whole - lengths_[i].up + 1);
    }
  }

  // In limbs that is soon known of all levels; of those that seem best it is found out with points.
  std::int32_t run(Guard& guard) {
    constexpr std::size_t kBest = 8;
    const auto seems = in_limbs_from_all();
    Vector<std::size_t> best(seems.size());
    std::iota(best.begin(), best.end(), std::size_t(0));
    std::ranges::partial_sort(best, best.begin() + std::ptrdiff_t(std::min(kBest, best.size())), {},
                              [&](std::size_t i) { return seems[i]; });
    best.resize(std::min(kBest, best.size()));
    find_below();
    std::size_t found = seems.size() - 1;
    double least = from(found);
    for (const std::size_t i : best) {
      guard.tick(std::uint32_t(seems.size()));
      if (seems[i] >= seems.back()) break;
      const double work = from(i);
      if (work < least) {
        least = work;
        found = i;
      }
    }
    return std::int32_t(found);
  }

 private:
  // More than from the root, if all is in limbs.
  Vector<double> in_limbs_from_all() const {
    // From a level to one below it there is one step less up, and one more down.
    const std::size_t n = d_.levels.size();
    Vector<double> work(n, 0), seems(n, 0);
    for (std::size_t i = n; i-- > 0;) {
      const auto& level = d_.levels[i];
      if (i + 1 < n) seems[i] = work[i] + meeting(i);
      if (level.left < 0) continue;
      const double arcs = double(level.arc_end - level.arc_begin) / (level.is_join() ? 3 : 1);
      const Lengths& here = lengths_[i];
      const Lengths& left = lengths_[std::size_t(level.left)];
      if (!level.is_join()) {
        work[std::size_t(level.left)] = work[i] + arcs * (choice(here.down) - choice(left.up));
        continue;
      }
      const Lengths& right = lengths_[std::size_t(level.right)];
      const double up = product(left.up, right.up);
      work[std::size_t(level.left)] = work[i] + arcs * (product(here.down, right.up) - up);
      work[std::size_t(level.right)] = work[i] + arcs * (product(here.down, left.up) - up);
    }
    return seems;
  }

  // By level: what all below it takes in limbs, and which one is above it.
  void find_below() {
    below_.assign(d_.levels.size(), 0);
    above_.assign(d_.levels.size(), -1);
    for (std::size_t i = 0; i < d_.levels.size(); ++i) {
      const auto& level = d_.levels[i];
      if (level.left < 0) continue;
      const auto left = std::size_t(level.left);
      above_[left] = std::int32_t(i);
      below_[i] = below_[left] + arcs(level) * choice(lengths_[left].up);
      if (!level.is_join()) continue;
      const auto right = std::size_t(level.right);
      above_[right] = std::int32_t(i);
      below_[i] = below_[left] + below_[right] + arcs(level) * product(lengths_[left].up, lengths_[right].up);
    }
  }

  static constexpr double kBack = 12;  // for each point that becomes a coefficient
  // Values that make up a polynomial, at points modulo primes.
  struct Points {
    double primes, all, each;
    explicit Points(double length)
        : primes(std::floor((3 * length + 4) / 60) + 1), all(length * primes), each(1.3 * std::log2(length) + 4) {}
  };

  // All that is needed if the diagram is seen from a level; as `top_at_points` chooses what is at points.
  double from(std::size_t i) const {
    const Points up(lengths_[i].up);
    const double seen = at_points(0, i, up)[i];
    const double work = std::min(below_[i], seen + d_.levels[i].nodes * kBack * up.all);
    const std::size_t root = d_.levels.size() - 1;
    if (i == root) return work;
    Vector<std::size_t> path;
    for (std::size_t j = i; j != root; j = std::size_t(above_[j])) path.push_back(j);
    const Points down(lengths_[i].down);
    const auto aside = at_points(i + 1, root, down);
    double limbs = 0, points = std::numeric_limits<double>::infinity();
    for (std::size_t last = root; !path.empty(); path.pop_back()) {
      const auto& level = d_.levels[last];
      const std::size_t next = path.back();
      const double length = lengths_[last].down;
      points = std::min(points, limbs + enter(last, length, down)) + own_at_points(level, d_.levels[next].nodes, down);
      if (level.is_join()) {
        const auto side = std::size_t(std::size_t(level.left) == next ? level.right : level.left);
        points += aside[side];
        limbs += below_[side] + arcs(level) * product(length, lengths_[side].up);
      } else {
        limbs += arcs(level) * choice(length);
      }
      last = next;
    }
    return work + std::min(limbs, points + d_.levels[i].nodes * kBack * down.all) + meeting(i);
  }

  // By level: what it takes to have it at points, with all below it. Those before the first get there from limbs.
  Vector<double> at_points(std::size_t first, std::size_t last, const Points& points) const {
    Vector<double> there(last + 1);
    for (std::size_t j = 0; j <= last; ++j) {
      const auto& level = d_.levels[j];
      there[j] = below_[j] + enter(j, lengths_[j].up, points);
      if (level.left < 0 || j < first) continue;
      double passed = own_at_points(level, level.nodes, points) + there[std::size_t(level.left)];
      if (level.is_join()) passed += there[std::size_t(level.right)];
      there[j] = std::min(there[j], passed);
    }
    return there;
  }

  static double arcs(const Diagram::Level& level) {
    return double(level.arc_end - level.arc_begin) / (level.is_join() ? 3 : 1);
  }
  static double own_at_points(const Diagram::Level& level, double nodes, const Points& points) {
    return (0.7 * arcs(level) + 1.5 * nodes + (level.is_join() ? 0 : 4.0 * level.values)) * points.all;
  }
  double enter(std::size_t i, double length, const Points& points) const {
    return d_.levels[i].nodes * (points.each * points.all + length * limbs(length) * points.primes);
  }

  // Of the polynomials of a level, seen from below and from above.
  struct Lengths {
    double up = 1, down = 1;
  };

  // A coefficient more is three bits more, on grids.
  static double limbs(double length) { return 1 + 3.0 / 56 * length; }
  static double choice(double length) { return 8 + 0.5 * length * limbs(length); }
  // As if all were in limbs: at points it takes less, and as much less the shorter both are.
  static double product(double x, double y) { return 20 + 1.2 * x * limbs(x) * y * limbs(y); }
  // What is known from below and from above, multiplied.
  double meeting(std::size_t i) const {
    const auto [x, y] = lengths_[i];
    const double at_points = 30 * (x + y) * limbs(x + y);
    return d_.levels[i].nodes * std::min(1.2 * x * limbs(x) * y * limbs(y), at_points);
  }

  const Diagram& d_;
  Vector<Lengths> lengths_;
  Vector<double> below_;
  Vector<std::int32_t> above_;
};

class Turner {
 public:
  Turner(const Diagram& d, Guard& guard) : d_(d), guard_(guard), place_(d.levels.size(), -1) {}

  Centered run(std::int32_t center) {
    Vector<std::int32_t> path = from_root(center);
    Diagram& u = result_.turned;
    u.sizes = d_.sizes;
    u.has_joins = true;
    u.levels.reserve(d_.levels.size() + 2 * path.size());
    u.arcs.reserve(words_for(path));
    Vector<std::uint8_t> turned(d_.levels.size(), 0);
    for (const std::int32_t i : path) turned[std::size_t(i)] = i != center;
    for (std::size_t i = 0; i < d_.levels.size(); ++i)
      if (!turned[i]) copy(i);
    result_.up = place_[std::size_t(center)];
    Diagram::Level start{};
    start.left = start.right = -1;
    start.group = Diagram::Level::kStart;
    result_.down = add(start, 1);
    for (std::size_t k = 0; k + 1 < path.size(); ++k) step(d_.levels[path[k]], path[k + 1]);
    Diagram::Level root{};
    root.left = result_.up;
    root.right = result_.down;
    root.group = Diagram::Level::kJoin;
    root.arc_begin = u.arcs.size();
    for (std::uint32_t n = 0; n < d_.levels[center].nodes; ++n) u.arcs.insert(u.arcs.end(), {n, n, 0});
    add(root, 1);
    return std::move(result_);
  }

 private:
  // The levels from the root to the center, both included.
  Vector<std::int32_t> from_root(std::int32_t center) const {
    Vector<std::int32_t> above(d_.levels.size(), -1);
    for (std::size_t i = 0; i < d_.levels.size(); ++i) {
      const auto& level = d_.levels[i];
      if (level.left >= 0) above[std::size_t(level.left)] = std::int32_t(i);
      if (level.is_join()) above[std::size_t(level.right)] = std::int32_t(i);
    }
    Vector<std::int32_t> path;
    for (std::int32_t i = center; i >= 0; i = above[std::size_t(i)]) path.push_back(i);
    std::ranges::reverse(path);
    return path;
  }

  // A choice that is turned takes three words instead of one.
  std::size_t words_for(const Vector<std::int32_t>& path) const {
    std::size_t words = d_.arcs.size() + 3 * std::size_t(d_.levels[path.back()].nodes);
    for (const std::int32_t i : path) {
      const auto& level = d_.levels[i];
      if (!level.is_join()) words += 2 * std::size_t(level.arc_end - level.arc_begin) + std::size_t(level.values);
    }
    return words;
  }

  // The arcs of a level are there from `arc_begin` on.
  std::int32_t add(Diagram::Level level, std::uint32_t nodes) {
    Diagram& u = result_.turned;
    level.nodes = nodes;
    level.first_node = u.nodes;
    level.arc_end = u.arcs.size();
    if (level.is_start()) level.arc_begin = level.arc_end;
    u.nodes += nodes;
    u.levels.push_back(level);
    return std::int32_t(u.levels.size()) - 1;
  }

  void copy(std::size_t i) {
    Diagram& u = result_.turned;
    Diagram::Level level = d_.levels[i];
    guard_.tick(std::uint32_t(std::min<std::uint64_t>(level.arc_end - level.arc_begin, 1 << 30)));
    const auto arcs = d_.arcs.begin();
    const std::uint64_t begin = u.arcs.size();
    u.arcs.insert(u.arcs.end(), arcs + std::ptrdiff_t(level.arc_begin), arcs + std::ptrdiff_t(level.arc_end));
    level.arc_begin = begin;
    if (level.left >= 0) level.left = place_[std::size_t(level.left)];
    if (level.is_join()) level.right = place_[std::size_t(level.right)];
    place_[i] = add(level, level.nodes);
  }

  // From what the root says of a level to what it says of one below.
  void step(const Diagram::Level& above, std::int32_t below) {
    Diagram& u = result_.turned;
    guard_.tick(arcs_of(above));
    Diagram::Level level{};
    level.left = result_.down;
    level.group = Diagram::Level::kJoin;
    if (above.is_join()) {
      const bool is_left = above.left == below;
      level.right = place_[std::size_t(is_left ? above.right : above.left)];
      level.arc_begin = u.arcs.size();
      for_join_arcs(d_, above, [&](auto l, auto r, auto n) {
        u.arcs.insert(u.arcs.end(), {n, is_left ? r : l, is_left ? l : r});
      });
    } else {
      // Each number of mines in the group is a node of its own, and they meet.
      Diagram::Level values = above;
      values.left = values.right = -1;
      values.arc_begin = u.arcs.size();
      for (std::uint32_t v = 0; v < std::uint32_t(above.values); ++v) u.arcs.push_back(v);
      level.right = add(values, std::uint32_t(above.values));
      level.arc_begin = u.arcs.size();
      for_choice_arcs(d_, above, [&](auto s, auto v, auto n) {
        u.arcs.insert(u.arcs.end(), {n, std::uint32_t(v), s});
      });
    }
    result_.down = add(level, d_.levels[below].nodes);
  }

  const Diagram& d_;
  Guard& guard_;
  Vector<std::int32_t> place_;  // by level: where it is in the turned diagram
  Centered result_{};
};

}  // namespace

std::int32_t center_of(const Diagram& d, const MineRanges& m, Guard& guard) { return Finder(d, m, guard).run(guard); }

Centered turn(const Diagram& d, std::int32_t center, Guard& guard) { return Turner(d, guard).run(center); }

}  // namespace sapper
