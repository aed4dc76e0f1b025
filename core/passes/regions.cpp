#include "passes/regions.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sapper {

namespace {

constexpr std::uint32_t kWidest = 12;   // nodes of a level at which is cut
constexpr double kMostSources = 64;     // of one region
constexpr std::size_t kMostWays = 8;    // that are followed at a level

// How to cut all that is below a level: what it takes, and what the open region is like.
struct Way {
  double work;
  double sources = 1;
  double length = 1;           // of the polynomials in the open region
  double below[2] = {0, 0};    // lengths of those that meet it from below
  std::int32_t regions = 0;    // how many do
  bool cut = false;            // right here: the region that ends here goes the way `left`
  std::int32_t left = -1, right = -1;  // which way of the levels below
};

class Cutter {
 public:
  Cutter(const Diagram& d, const MineRanges& m, const CuttingCosts& costs, Guard& guard)
      : d_(d), m_(m), costs_(costs), guard_(guard), ways_(d.levels.size()), length_(d.levels.size()) {}

  // What the best way takes, once it has run.
  double work() const { return ways_.back().back().work; }

  // By level: is there a cut?
  Vector<std::uint8_t> run() {
    const std::size_t n = d_.levels.size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto& level = d_.levels[i];
      std::uint64_t sum = 0;
      for (std::uint64_t node = level.first_node; node < level.first_node + level.nodes; ++node)
        sum += std::uint64_t(m_.length(node));
      length_[i] = double(sum) / level.nodes;
      guard_.tick(level.nodes);
      if (level.is_join())
        join(i);
      else
        choose(i);
      keep_best(i);
      if (level.nodes <= kWidest || i + 1 == n) close(i);
    }
    Vector<std::uint8_t> cuts(n, 0);
    Vector<std::pair<std::int32_t, std::int32_t>> open{{std::int32_t(n) - 1, std::int32_t(ways_[n - 1].size()) - 1}};
    while (!open.empty()) {
      const auto [level, place] = open.back();
      open.pop_back();
      if (level < 0) continue;
      const Way& way = ways_[std::size_t(level)][std::size_t(place)];
      if (way.cut) {
        cuts[std::size_t(level)] = 1;
        open.push_back({level, way.left});
        continue;
      }
      open.push_back({d_.levels[level].left, way.left});
      if (d_.levels[level].is_join()) open.push_back({d_.levels[level].right, way.right});
    }
    return cuts;
  }

 private:
  double choice(double length) const {
    return long_or_not(length) * (6 + (0.15 + costs_.product) * length);
  }
  double join_of(double x, double y) const {
    return long_or_not(x + y) * (10 + 0.6 * std::min(x, y) + costs_.product * x * y);
  }
  double product(double x, double y) const {
    return costs_.each + costs_.meeting * (x + y) + costs_.product_there * x * y;
  }
  double long_or_not(double length) const { return length > costs_.longest ? 10 : 1; }

  void choose(std::size_t i) {
    const auto& level = d_.levels[i];
    auto& ways = ways_[i];
    const double arcs = double(level.arc_end - level.arc_begin);
    if (level.left < 0) {
      ways.push_back({arcs});
      return;
    }
    const auto& before = ways_[std::size_t(level.left)];
    for (std::size_t k = 0; k < before.size(); ++k) {
      Way way = before[k];
      way.work += arcs * way.sources * choice(way.length);
      way.length += std::max(0.0, length_[i] - length_[std::size_t(level.left)]);
      way.cut = false;
      way.left = std::int32_t(k);
      way.right = -1;
      ways.push_back(way);
    }
  }

  void join(std::size_t i) {
    const auto& level = d_.levels[i];
    const auto& lefts = ways_[std::size_t(level.left)];
    const auto& rights = ways_[std::size_t(level.right)];
    const double arcs = double(level.arc_end - level.arc_begin) / 3;
    const double more = length_[i] - (length_[std::size_t(level.left)] + length_[std::size_t(level.right)] - 1);
    auto& ways = ways_[i];
    for (std::size_t k = 0; k < lefts.size(); ++k)
      for (std::size_t l = 0; l < rights.size(); ++l) {
        const Way &x = lefts[k], &y = rights[l];
        if (x.regions + y.regions > 2 || x.sources * y.sources > kMostSources) continue;
        Way way{x.work + y.work};
        way.sources = x.sources * y.sources;
        way.work += arcs * way.sources * join_of(x.length, y.length);
        way.length = std::max(1.0, x.length + y.length - 1 + more);
        for (const Way* side : {&x, &y})
          for (std::int32_t r = 0; r < side->regions; ++r) way.below[way.regions++] = side->below[r];
        way.left = std::int32_t(k);
        way.right = std::int32_t(l);
        ways.push_back(way);
      }
  }

  // Those that another one beats in every respect are left out, and those that will be dear soon.
  void keep_best(std::size_t i) {
    constexpr double kLevels = 20;  // to look ahead
    auto& ways = ways_[i];
    if (ways.size() == 1) return;
    const double nodes = kLevels * d_.levels[i].nodes;
    std::ranges::sort(ways, {}, [&](const Way& way) { return way.work + nodes * way.sources * choice(way.length); });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < ways.size(); ++k) {
      // Where nothing is cut, there is always a way on.
      const bool beaten =
          ways[k].regions > 0 &&
          (kept >= kMostWays ||
           std::any_of(ways.begin(), ways.begin() + std::ptrdiff_t(kept), [&](const Way& other) {
             return other.work <= ways[k].work && other.sources <= ways[k].sources &&
                    other.length <= ways[k].length && other.regions <= ways[k].regions;
           }));
      if (!beaten) ways[kept++] = ways[k];
    }
    ways.resize(kept);
  }

  // One more way: the region ends here.
  void close(std::size_t i) {
    auto& ways = ways_[i];
    const double nodes = d_.levels[i].nodes;
    Way best{std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const Way& way = ways[k];
      double work = way.work;
      double met = way.below[0] + way.below[1];
      if (way.regions == 2) work += way.sources * product(way.below[0], way.below[1]);
      if (way.regions > 0) work += way.sources * nodes * product(met, way.length);
      if (work < best.work) {
        best.work = work;
        best.left = std::int32_t(k);
      }
    }
    best.sources = nodes;
    best.below[0] = length_[i];
    best.regions = 1;
    best.cut = true;
    ways.push_back(best);
  }

  const Diagram& d_;
  const MineRanges& m_;
  CuttingCosts costs_;
  Guard& guard_;
  Vector<Vector<Way>> ways_;   // by level
  Vector<double> length_;      // by level, of its polynomials
};

// Makes the unrolled diagram, level by level.
class Unroller {
 public:
  Unroller(const Diagram& d, const Vector<std::uint8_t>& cuts, Guard& guard)
      : d_(d), cuts_(cuts), guard_(guard), done_(d.levels.size()) {}

  Regions run() {
    Diagram& u = regions_.unrolled;
    u.sizes = d_.sizes;
    u.has_joins = d_.has_joins;
    for (std::size_t i = 0; i < d_.levels.size(); ++i) {
      const auto& level = d_.levels[i];
      Level here;
      if (level.is_join())
        join(level, here);
      else
        choose(level, here);
      if (cuts_[i]) end_region(level, here);
      done_[i] = std::move(here);
    }
    return std::move(regions_);
  }

 private:
  // A level as it is unrolled.
  struct Level {
    std::int32_t index = -1;
    std::uint32_t sources = 1, nodes = 1;
    std::int32_t left = -1, right = -1;    // regions below
    Vector<std::uint32_t> place;           // by source and node
    Vector<Regions::Transfer> transfers;   // the way back
  };

  std::uint32_t at(Level& level, std::uint32_t source, std::uint32_t node) const {
    std::uint32_t& place = level.place[std::size_t(source) * level.nodes + node];
    if (place == Diagram::kNone) {
      place = std::uint32_t(level.transfers.size());
      level.transfers.push_back({source, node});
    }
    return place;
  }

  void begin(Level& here, std::uint32_t sources, std::uint32_t nodes) const {
    here.sources = sources;
    here.nodes = nodes;
    here.place.assign(std::size_t(sources) * nodes, Diagram::kNone);
    guard_.tick(sources * nodes);
  }

  // Once all its arcs are there.
  void end(Level& here, Diagram::Level level) {
    Diagram& u = regions_.unrolled;
    level.nodes = std::uint32_t(here.transfers.size());
    level.first_node = u.nodes;
    level.arc_end = u.arcs.size();
    here.index = std::int32_t(u.levels.size());
    u.nodes += level.nodes;
    u.levels.push_back(level);
  }

  void choose(const Diagram::Level& level, Level& here) {
    Diagram& u = regions_.unrolled;
    Level start;
    start.transfers.push_back({0, 0});
    const Level below = level.left < 0 ? std::move(start) : std::move(done_[std::size_t(level.left)]);
    begin(here, below.sources, level.nodes);
    here.left = below.left;
    here.right = below.right;
    Diagram::Level unrolled = level;
    unrolled.left = below.index;
    unrolled.arc_begin = u.arcs.size();
    for (const auto& from : below.transfers) {
      const std::uint32_t* arc = d_.arcs.data() + level.arc_begin + std::uint64_t(from.node) * std::uint64_t(level.values);
      for (std::int32_t v = 0; v < level.values; ++v)
        u.arcs.push_back(arc[v] == Diagram::kNone ? arc[v] : at(here, from.source, arc[v]));
      guard_.tick(std::uint32_t(level.values));
    }
    end(here, unrolled);
  }

  void join(const Diagram::Level& level, Level& here) {
    Diagram& u = regions_.unrolled;
    const Level left = std::move(done_[std::size_t(level.left)]);
    const Level right = std::move(done_[std::size_t(level.right)]);
    begin(here, left.sources * right.sources, level.nodes);
    here.left = left.left >= 0 ? left.left : right.left;
    here.right = left.left >= 0 && right.left >= 0 ? right.left : left.left >= 0 ? left.right : right.right;
    Diagram::Level unrolled = level;
    unrolled.left = left.index;
    unrolled.right = right.index;
    unrolled.arc_begin = u.arcs.size();
    for_join_arcs(d_, level, [&](auto l, auto r, auto n) {
      guard_.tick(left.sources * right.sources);
      for (std::uint32_t x = 0; x < left.sources; ++x) {
        const std::uint32_t a = left.place[std::size_t(x) * left.nodes + l];
        if (a == Diagram::kNone) continue;
        for (std::uint32_t y = 0; y < right.sources; ++y) {
          const std::uint32_t b = right.place[std::size_t(y) * right.nodes + r];
          if (b == Diagram::kNone) continue;
          u.arcs.insert(u.arcs.end(), {a, b, at(here, x * right.sources + y, n)});
        }
      }
    });
    end(here, unrolled);
  }

  void end_region(const Diagram::Level& level, Level& here) {
    Diagram& u = regions_.unrolled;
    Regions::Region region{here.index, here.left, here.right, level.nodes, std::move(here.transfers)};
    // The next one begins with these nodes, each by itself.
    here = {};
    here.left = std::int32_t(regions_.list.size());
    begin(here, level.nodes, level.nodes);
    for (std::uint32_t n = 0; n < level.nodes; ++n) at(here, n, n);
    regions_.list.push_back(std::move(region));
    if (&level == &d_.levels.back()) return;
    Diagram::Level start{};
    start.left = start.right = -1;
    start.group = Diagram::Level::kStart;
    start.arc_begin = u.arcs.size();
    end(here, start);
  }

  const Diagram& d_;
  const Vector<std::uint8_t>& cuts_;
  Guard& guard_;
  Vector<Level> done_;  // by level of the diagram, until the one above is made
  Regions regions_;
};

}  // namespace

Regions cut(const Diagram& d, const MineRanges& m, const CuttingCosts& costs, Guard& guard) {
  if (d.has_joins || m.length(d.nodes - 1) > costs.longest) {
    Cutter cutter(d, m, costs, guard);
    return cut_at(d, cutter.run(), guard);
  }
  Vector<std::uint8_t> last(d.levels.size(), 0);
  last.back() = 1;
  return cut_at(d, last, guard);
}

double work_in_regions(const Diagram& d, const CuttingCosts& costs, Guard& guard) {
  const MineRanges m(d);
  Cutter cutter(d, m, costs, guard);
  cutter.run();
  return cutter.work();
}

Regions cut_at(const Diagram& d, const Vector<std::uint8_t>& cuts, Guard& guard) {
  if (std::ranges::count(cuts, 1) > 1) return Unroller(d, cuts, guard).run();
  Regions whole;
  whole.list.push_back({std::int32_t(d.levels.size()) - 1, -1, -1, 1, {{0, 0}}});
  return whole;
}

}  // namespace sapper
