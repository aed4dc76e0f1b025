#include "play/outlook.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sapper {

namespace {

// Pairs with more tellers hardly ever become coin tosses, nor do those whose tellers are all mines
// with less than this chance.
constexpr std::size_t kMostTellers = 6;
constexpr double kUnlikely = 0.005;
// Cells with more neighbours than this are in no pair: to find their tellers would take too long.
constexpr std::size_t kMostNeighbours = 32;
constexpr double kCertainMine = 0.999999;
constexpr std::size_t kLowest = 8;
// A field with more cells that have the fewest neighbours has no corners.
constexpr std::size_t kMostCorners = 8;
constexpr double kMostRegions = 8;

// What one unit adds to the logarithm of the odds, without and with a safe cell.
enum Term {
  constant, safe_cells, one_safe_cell, cells_to_open, least, least_squared, second, fourth,
  covered, share, density, density_squared, density_share, floats, floating_chance, doubt,
  doubt_share, regions, worlds, worlds_density, tosses_sum, tosses_root, corners_left, eighth,
  worlds_per_cell, cells_to_tell, zero_chance
};
constexpr std::array<std::array<double, 2>, Outlook::kTerms> kWeights{{
    {5.36817, 7.00187},       // constant
    {0, 0.294605},            // log(1 + safe cells)
    {0, -0.0661151},          // just one of them
    {0, 0.0535612},           // log(1 + floating cells beside them)
    {-3.26046, -1.58583},     // least chance of a mine that is not zero
    {7.97469, 4.68056},       // its square
    {-1.36708, -0.285555},    // second least
    {-0.920443, -0.839221},   // fourth least
    {-0.214111, -0.623796},   // log(covered cells)
    {1.08551, 4.18629},       // covered cells, as a share of the board
    {-12.5388, -17.851},      // mines to a covered cell
    {12.9441, 18.7254},       // its square
    {-0.435182, -15.8602},    // it, times the share covered
    {-0.112198, 0.0859669},   // log(1 + floating cells)
    {0.520306, 0.162609},     // chance of a floating cell
    {-0.100041, -0.0956232},  // sum of p (1 - p) along the edge
    {0.136518, 0.149471},     // it, times the share covered
    {-0.0800306, -0.121083},  // regions
    {0.101232, -0.0171276},   // square root of log(worlds)
    {-0.170831, 0.571096},    // it, times the mines to a covered cell
    {-1.11751, -0.569029},    // expected deaths by coin tosses
    {-0.972438, -1.84908},    // square root of it
    {-0.0651261, -0.11815},   // corners that float, with all around them
    {-0.974247, -0.690659},   // eighth least chance of a mine
    {-4.57919, -4.09243},     // log(worlds) to a cell of the board
    {0, 0.0281161},           // log(1 + cells of the edge beside safe ones)
    {0, -0.0456328},          // chance that a safe cell shows no mine
}};

}  // namespace

void Outlook::prepare(const Adjacency& field, Guard& guard) {
  field_ = &field;
  pairs_.clear();
  tellers_.clear();
  corners_.clear();
  std::size_t fewest = kMostNeighbours;
  for (std::int32_t a = 0; a < field.cells(); ++a) fewest = std::min(fewest, field.of(a).size());
  for (std::int32_t a = 0; a < field.cells() && corners_.size() <= kMostCorners; ++a)
    if (field.of(a).size() == fewest) corners_.push_back(a);
  if (corners_.size() > kMostCorners) corners_.clear();
  chances_.assign(std::size_t(field.cells()), 0);
  std::vector<std::uint8_t> beside(std::size_t(field.cells()));
  for (std::int32_t a = 0; a < field.cells(); ++a) {
    if (field.of(a).size() > kMostNeighbours) continue;
    for (const std::int32_t b : field.of(a)) {
      if (b < a || field.of(b).size() > kMostNeighbours) continue;
      guard.tick();
      const std::size_t first = tellers_.size();
      for (const std::int32_t d : field.of(b)) beside[d] = 1;
      for (const std::int32_t d : field.of(a)) {
        if (!beside[d] && d != b) tellers_.push_back(d);
        beside[d] = 0;
      }
      for (const std::int32_t d : field.of(b)) {
        if (beside[d] && d != a) tellers_.push_back(d);
        beside[d] = 0;
      }
      if (tellers_.size() - first > kMostTellers)
        tellers_.resize(first);
      else
        pairs_.push_back({a, b, std::uint32_t(first), std::uint32_t(tellers_.size())});
    }
  }
}

std::uint64_t Outlook::bytes() const {
  return pairs_.capacity() * 2 * sizeof(Pair) + tellers_.capacity() * sizeof(std::int32_t) +
         chances_.capacity() * sizeof(double);
}

void Outlook::watch(const Sight& sight, const std::vector<double>& chances) {
  watched_.clear();
  for (const Pair& p : pairs_) {
    if (!sight.is_covered(p.a) || !sight.is_covered(p.b)) continue;
    double all = 1;
    for (std::uint32_t i = p.first; i < p.last && all >= kUnlikely; ++i) {
      const std::int32_t d = tellers_[i];
      if (sight.state(d) == Sight::shown) all = 0;
      if (sight.state(d) == Sight::covered) all *= chances[d];
    }
    if (all >= kUnlikely && can_toss(sight, p)) watched_.push_back(p);
  }
}

// Whether each number around allows that all tellers are mines, and one of the two.
bool Outlook::can_toss(const Sight& sight, const Pair& p) {
  numbers_.clear();
  const auto is_beside = [&](std::int32_t number, std::int32_t c) {
    const auto around = field_->of(number);
    return std::find(around.begin(), around.end(), c) != around.end();
  };
  const auto can_all = [&](std::int32_t c) {
    for (const std::int32_t n : field_->of(c)) {
      if (sight.state(n) != Sight::shown) continue;
      if (std::find(numbers_.begin(), numbers_.end(), n) != numbers_.end()) continue;
      numbers_.push_back(n);
      std::int32_t mines = 0, cells = 0;
      for (std::uint32_t i = p.first; i < p.last; ++i)
        mines += sight.is_covered(tellers_[i]) && is_beside(n, tellers_[i]);
      cells = mines;
      // A number beside one of the two is beside both, or a teller that is no mine.
      if (is_beside(n, p.a)) {
        mines += 1;
        cells += 2;
      }
      if (sight.need(n) < mines || sight.need(n) - mines > sight.open(n) - cells) return false;
    }
    return true;
  };
  if (!can_all(p.a)) return false;
  for (std::uint32_t i = p.first; i < p.last; ++i)
    if (!can_all(tellers_[i])) return false;
  return true;
}

double Outlook::chance(const Sight& sight, const Frontier& frontier, std::int32_t c) const {
  if (sight.state(c) == Sight::shown) return 0;
  if (sight.state(c) == Sight::mine) return 1;
  return frontier.is_floating(sight, c) ? frontier.floating_chance() : chances_[c];
}

// Cells are taken as independent: this is an estimate.
double Outlook::tosses(const Sight& sight, const Frontier& frontier) {
  double sum = 0;
  for (const Pair& p : watched_) {
    if (!sight.is_covered(p.a) || !sight.is_covered(p.b)) continue;
    double all = 1;
    for (std::uint32_t i = p.first; i < p.last && all > 0; ++i) all *= chance(sight, frontier, tellers_[i]);
    if (all <= 0) continue;
    const double mine = (chance(sight, frontier, p.a) + chance(sight, frontier, p.b)) / 2;
    sum += all * std::max(0.0, std::min(mine, 1 - mine));  // chances are rounded: it may be below 0
  }
  return sum;
}

double Outlook::corners(const Sight& sight, const Frontier& frontier) const {
  const auto floats = [&](std::int32_t c) { return frontier.is_floating(sight, c); };
  return double(std::count_if(corners_.begin(), corners_.end(), [&](std::int32_t c) {
    const auto around = field_->of(c);
    return floats(c) && std::all_of(around.begin(), around.end(), floats);
  }));
}

double Outlook::opening(const Sight& sight, const Frontier& frontier) const {
  double none = 1;
  for (const std::int32_t c : safe_) {
    double zero = 1;
    for (const std::int32_t d : field_->of(c)) zero *= 1 - chance(sight, frontier, d);
    none *= 1 - zero;
  }
  return 1 - none;
}

double Outlook::of(const Sight& sight, const Frontier& frontier) {
  if (sight.is_won()) return 1;
  const Terms x = terms(sight, frontier);
  double odds = 0;
  for (std::size_t i = 0; i < kTerms; ++i) odds += kWeights[i][x[safe_cells] > 0] * x[i];
  return 1 / (1 + std::exp(-odds));
}

Outlook::Terms Outlook::terms(const Sight& sight, const Frontier& frontier) {
  std::array<double, kLowest> low;
  low.fill(1);
  const auto meet = [&](double chance, std::int32_t cells) {
    for (std::size_t i = 0; i < kLowest && cells > 0; ++i) {
      if (chance >= low[i]) continue;
      std::copy_backward(low.begin() + std::ptrdiff_t(i), low.end() - 1, low.end());
      low[i] = chance;
      --cells;
    }
  };
  double safe = 0, doubt_sum = 0, open = 0, tell = 0;
  safe_.clear();
  for (std::size_t i = 0; i < frontier.regions().size(); ++i) {
    const Region& r = *frontier.regions()[i];
    for (std::int32_t g = 0; g < r.groups(); ++g) {
      const double p = frontier.chance(i, g);
      for (const std::int32_t c : r.group(g)) chances_[c] = p;
      if (p == 0) {
        safe += r.size(g);
        for (const std::int32_t c : r.group(g)) {
          safe_.push_back(c);
          for (const std::int32_t d : field_->of(c))
            if (sight.is_covered(d)) (frontier.is_floating(sight, d) ? open : tell) += 1;
        }
      } else if (p <= kCertainMine) {
        doubt_sum += r.size(g) * p * (1 - p);
        meet(p, r.size(g));
      }
    }
  }
  const double floating = frontier.floating() > 0 ? frontier.floating_chance() : 1;
  if (floating == 0)
    safe += frontier.floating();
  else if (frontier.floating() > 0)
    meet(floating, frontier.floating());

  const double unknown = sight.unknown();
  const double x_share = unknown / sight.cells(), x_density = sight.mines_left() / unknown;
  const double x_worlds = std::sqrt(std::max(0.0, frontier.log_worlds()));
  const double x_tosses = tosses(sight, frontier);
  Terms x;
  x[constant] = 1;
  x[safe_cells] = std::log1p(safe);
  x[one_safe_cell] = safe == 1;
  x[cells_to_open] = std::log1p(open);
  x[least] = low[0];
  x[least_squared] = low[0] * low[0];
  x[second] = low[1];
  x[fourth] = low[3];
  x[covered] = std::log(unknown);
  x[share] = x_share;
  x[density] = x_density;
  x[density_squared] = x_density * x_density;
  x[density_share] = x_density * x_share;
  x[floats] = std::log1p(frontier.floating());
  x[floating_chance] = floating;
  x[doubt] = doubt_sum;
  x[doubt_share] = doubt_sum * x_share;
  x[regions] = std::min(kMostRegions, double(frontier.regions().size()));
  x[worlds] = x_worlds;
  x[worlds_density] = x_worlds * x_density;
  x[tosses_sum] = x_tosses;
  x[tosses_root] = std::sqrt(x_tosses);
  x[corners_left] = corners(sight, frontier);
  x[eighth] = low[7];
  x[worlds_per_cell] = std::max(0.0, frontier.log_worlds()) / sight.cells();
  x[cells_to_tell] = std::log1p(tell);
  x[zero_chance] = opening(sight, frontier);
  return x;
}

}  // namespace sapper
