#include "passes/center.hpp"

#include <algorithm>

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

  std::int32_t run() const {
    // From a level to one below it there is one step less up, and one more down.
    const std::size_t n = d_.levels.size();
    Vector<double> work(n, 0);
    std::size_t best = n - 1;
    double least = 0;
    for (std::size_t i = n; i-- > 0;) {
      const auto& level = d_.levels[i];
      if (i + 1 < n && work[i] + meeting(i) < least) {
        least = work[i] + meeting(i);
        best = i;
      }
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
    return std::int32_t(best);
  }

 private:
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

std::int32_t center_of(const Diagram& d, const MineRanges& m, Guard& guard) { return Finder(d, m, guard).run(); }

Centered turn(const Diagram& d, std::int32_t center, Guard& guard) { return Turner(d, guard).run(center); }

}  // namespace sapper
