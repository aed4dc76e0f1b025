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
// Cells with more neighbours than this are in no pair, and tell something: to find their tellers would take too long.
constexpr std::size_t kMostNeighbours = 32;
constexpr double kCertainMine = 0.999999;
constexpr double kRounding = 1e-7;
constexpr std::size_t kLowest = 4;
constexpr double kMostRegions = 8;

// What one unit adds to the logarithm of the odds, without and with a safe cell (when they were fitted, also one that
// tells nothing); the last is taken from the logarithm of the chance itself.
enum Term {
  constant, safe_cells, one_safe_cell, cells_to_open, least, least_squared, second, fourth,
  covered, share, density, density_squared, density_share, floats, floating_chance, doubt,
  doubt_share, regions, worlds, worlds_density, tosses_sum
};
constexpr std::array<std::array<double, 2>, Outlook::kTerms> kWeights{{
    {5.94811, 8.54426},  // constant
    {0, 0.410422},  // log(1 + safe cells)
    {0, -0.102672},  // just one of them
    {0, 0.0744889},  // log(1 + floating cells beside them)
    {-4.8001, -2.36607},  // least chance of a mine that is not zero
    {13.2675, 7.30185},  // its square
    {-1.5735, -0.458913},  // second least
    {-1.52579, -1.42591},  // fourth least
    {0.384765, -0.382949},  // log(covered cells)
    {-1.38427, 2.30318},  // covered cells, as a share of the board
    {-19.1883, -26.5547},  // mines to a covered cell
    {20.1059, 28.7329},  // its square
    {1.1755, -16.3004},  // it, times the share covered
    {-0.35663, -0.134749},  // log(1 + floating cells)
    {-0.564658, -0.48264},  // chance of a floating cell
    {-0.162377, -0.130118},  // sum of p (1 - p) along the edge
    {0.21147, 0.218914},  // it, times the share covered
    {-0.0477643, -0.0965472},  // regions
    {-0.0580094, -0.0843636},  // square root of log(worlds)
    {-0.0412132, 0.565877},  // it, times the mines to a covered cell
    {1.25259, 1.26714},  // expected deaths by coin tosses
}};

bool is_unsure(double chance) { return chance > 0 && chance <= kCertainMine; }

}  // namespace

void Outlook::prepare(const Adjacency& field, Guard& guard) {
  field_ = &field;
  pairs_.clear();
  tellers_.clear();
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
  relief_.assign(chances.size(), 0);
  for (const Pair& p : pairs_) {
    if (!sight.is_covered(p.a) || !sight.is_covered(p.b)) continue;
    double all = 1;
    for (std::uint32_t i = p.first; i < p.last && all >= kUnlikely; ++i) {
      const std::int32_t d = tellers_[i];
      if (sight.state(d) == Sight::shown) all = 0;
      if (sight.state(d) == Sight::covered) all *= chances[d];
    }
    if (all < kUnlikely) continue;
    watched_.push_back(p);
    const double mine = (chances[p.a] + chances[p.b]) / 2;
    const double death = all * std::max(0.0, std::min(mine, 1 - mine));
    relief_[p.a] += death;
    relief_[p.b] += death;
    for (std::uint32_t i = p.first; i < p.last; ++i)
      if (sight.is_covered(tellers_[i])) relief_[tellers_[i]] += death;
  }
}

double Outlook::chance(const Sight& sight, const Frontier& frontier, std::int32_t cell) const {
  if (sight.state(cell) == Sight::shown) return 0;
  if (sight.state(cell) == Sight::mine) return 1;
  return frontier.is_floating(sight, cell) ? frontier.floating_chance() : chances_[cell];
}

void Outlook::note(const Frontier& frontier) {
  for (std::size_t i = 0; i < frontier.regions().size(); ++i) {
    const Region& r = *frontier.regions()[i];
    for (std::int32_t g = 0; g < r.groups(); ++g)
      for (const std::int32_t c : r.group(g)) chances_[c] = frontier.chance(i, g);
  }
}

double Outlook::least_risk(const Sight& sight, const Frontier& frontier) {
  if (sight.is_won()) return 0;
  if (const double least = frontier.least_chance(); least > 0) return least;
  if (frontier.floating() > 0 && frontier.floating_chance() == 0) return 0;
  note(frontier);
  return goes_on(sight, frontier) ? 0 : frontier.least_chance(true);
}

// The chances of the regions were noted.
bool Outlook::goes_on(const Sight& sight, const Frontier& frontier) {
  bool decided = frontier.floating() == 0 || !is_unsure(frontier.floating_chance());
  for (std::size_t i = 0; i < frontier.regions().size(); ++i) {
    const Region& r = *frontier.regions()[i];
    for (std::int32_t g = 0; g < r.groups(); ++g) {
      decided = decided && !is_unsure(frontier.chance(i, g));
      if (frontier.chance(i, g) > 0) continue;
      for (const std::int32_t c : r.group(g))
        if (tells(sight, frontier, c)) return true;
    }
  }
  return decided;
}

// Whether a safe cell may show different numbers. What it is beside that is unsure, less all that other numbers say of
// it together: if nothing is left, it shows nothing new. (Clues that say so in a less direct way are passed over.)
bool Outlook::tells(const Sight& sight, const Frontier& frontier, std::int32_t cell) {
  if (field_->of(cell).size() > kMostNeighbours) return true;
  const auto matters = [&](std::int32_t c) { return sight.is_covered(c) && is_unsure(chance(sight, frontier, c)); };
  unsure_.clear();
  double sum = 0;
  for (const std::int32_t d : field_->of(cell))
    if (matters(d)) {
      if (frontier.is_floating(sight, d)) return true;
      unsure_.push_back(d);
      sum += chances_[d];
    }
  if (std::abs(sum - std::nearbyint(sum)) > kRounding) return true;
  while (!unsure_.empty()) {
    const std::size_t before = unsure_.size();
    for (const std::int32_t q : field_->of(unsure_.front())) {
      if (sight.state(q) != Sight::shown) continue;
      const auto inside = [&](std::int32_t d) {
        return !matters(d) || std::find(unsure_.begin(), unsure_.end(), d) != unsure_.end();
      };
      const auto around = field_->of(q);
      if (!std::all_of(around.begin(), around.end(), inside)) continue;
      std::erase_if(unsure_, [&](std::int32_t d) { return std::find(around.begin(), around.end(), d) != around.end(); });
      break;
    }
    if (unsure_.size() == before) return true;
  }
  return false;
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
    sum += all * std::max(0.0, std::min(mine, 1 - mine));  // rounded chances may be above 1
  }
  return sum;
}

double Outlook::of(const Sight& sight, const Frontier& frontier) {
  if (sight.is_won()) return 1;
  const Terms x = terms(sight, frontier);
  double odds = 0;
  const bool safe = x[safe_cells] > 0;
  for (std::size_t i = 0; i < tosses_sum; ++i) odds += kWeights[i][safe] * x[i];
  return std::exp(-kWeights[tosses_sum][safe] * x[tosses_sum]) / (1 + std::exp(-odds));
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
  note(frontier);
  double safe = 0, doubt_sum = 0, open = 0;
  for (std::size_t i = 0; i < frontier.regions().size(); ++i) {
    const Region& r = *frontier.regions()[i];
    for (std::int32_t g = 0; g < r.groups(); ++g) {
      const double p = frontier.chance(i, g);
      if (p == 0) {
        safe += r.size(g);
        for (const std::int32_t c : r.group(g))
          for (const std::int32_t d : field_->of(c)) open += frontier.is_floating(sight, d);
      } else if (p <= kCertainMine) {
        doubt_sum += r.size(g) * p * (1 - p);
        meet(p, r.size(g));
      }
    }
  }
  if (safe > 0 && !goes_on(sight, frontier)) safe = 0;
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
  return x;
}

}  // namespace sapper
