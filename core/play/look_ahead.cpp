#include "play/look_ahead.hpp"

#include <algorithm>
#include <cmath>

namespace sapper {

namespace {

// Candidates are as safe as the safest, or nearly: this much of it beside numbers, this much of it
// elsewhere.
constexpr double kNear = 0.9, kNearElsewhere = 0.95;
// What the terms of a dig weigh, by outlook. Of the difference between two digs the outlook tells little more than
// half, for estimates err; the safety of the next dig tells as much.
constexpr std::array<double, LookAhead::kTerms> kWeights{0.568, 0.588, 0.0077, 0.013, 0.46, -0.0131};
// Of the floating cells so many are looked at: those with few covered neighbours, and (by outlook)
// those beside the edge.
constexpr double kFloating = 8, kBesideEdge = 6;
// What a free dig next is worth.
constexpr double kProgress = 0.1;
// Digs this close to the best in their chance to win are compared by a second dig: so many of
// them, of which so many float.
constexpr double kClose = 0.01;
constexpr double kCompared = 5, kFloatingCompared = 3;
// As second digs are tried: one cell of each group this close to the safest, so many of them, and
// so many floating cells.
constexpr double kSecondNear = 0.04;
constexpr double kSecond = 4, kSecondFloating = 2;
// Numbers that are rarer than this are not followed.
constexpr double kRare = 0.004;

std::size_t scaled(double many, double effort) { return std::size_t(std::max(1.0, many * effort)); }

}  // namespace

LookAhead::LookAhead(const Adjacency& field, std::int32_t mines, Worth worth)
    : field_(&field), worth_(worth) {
  for (int depth = 0; depth < (worth == Worth::safety ? 1 : 2); ++depth)
    thoughts_.push_back({Sight(field, mines), Frontier(field), {}});
}

void LookAhead::clear() {
  for (Thought& t : thoughts_) t.frontier.clear();
}

std::uint64_t LookAhead::bytes() const {
  std::uint64_t sum = outlook_.bytes();
  for (const Thought& t : thoughts_) sum += t.frontier.bytes();
  return sum;
}

std::int32_t LookAhead::choose(const Sight& sight, const Frontier& now,
                               const std::vector<double>& chances, double effort, Guard& guard) {
  const bool learned = worth_ == Worth::outlook;
  if (learned) {
    if (!prepared_) outlook_.prepare(*field_, guard);
    prepared_ = true;
    outlook_.watch(sight, chances);
  }
  collect(sight, now, chances, effort);
  compared_.clear();
  if (digs_.size() == 1) return digs_.front().cell;
  if (learned) place(sight, now);
  const double close = learned ? kClose : 0, most_worth = 1 + kProgress;
  double most = -1;
  for (Dig& d : digs_) {
    if (!learned && d.safety * most_worth <= most) break;
    d.score = settled(score(sight, now, d, most - close, 0, 0, effort, guard));
    most = std::max(most, d.score);
  }
  std::stable_sort(digs_.begin(), digs_.end(), [](const Dig& a, const Dig& b) { return a.score > b.score; });
  if (!learned) return digs_.front().cell;
  std::size_t floating = 0;
  const std::size_t most_floating = scaled(kFloatingCompared, effort);
  for (const Dig& d : digs_) {
    if (d.score < most - close || compared_.size() == scaled(kCompared, effort)) break;
    if (d.floats && floating++ >= most_floating) continue;
    compared_.push_back(d);
  }
  std::int32_t best = digs_.front().cell;
  if (compared_.size() == 1) return best;
  most = -1;
  for (Dig& d : compared_) {
    d.score = settled(score(sight, now, d, -1, 0, 1, effort, guard));
    std::find_if(digs_.begin(), digs_.end(), [&](const Dig& o) { return o.cell == d.cell; })->score = d.score;
    if (d.score <= most) continue;
    most = d.score;
    best = d.cell;
  }
  return best;
}

// The safest first. By outlook also what is less safe because of a coin toss: who leaves it for later is
// not spared it, and a toss that is decided now may tell something.
void LookAhead::collect(const Sight& sight, const Frontier& now, const std::vector<double>& chances,
                        double effort) {
  digs_.clear();
  floating_.clear();
  const bool learned = worth_ == Worth::outlook;
  const double floating = now.floating() > 0 ? settled(1 - now.floating_chance()) : 0;
  double safest = floating;
  for (const Region* r : now.regions())
    for (const std::int32_t c : r->cells) safest = std::max(safest, settled(1 - chances[c]));
  for (const Region* r : now.regions())
    for (const std::int32_t c : r->cells)
      if (const double s = settled(1 - chances[c]), spared = learned ? std::min({outlook_.relief(c), s, 1 - s}) : 0;
          settled(s + spared) >= settled(kNear * safest))
        digs_.push_back({c, s});
  if (now.floating() > 0 && floating >= settled(kNearElsewhere * safest))
    collect_floating(sight, now, floating, effort);
  std::stable_sort(digs_.begin(), digs_.end(),
                   [](const Dig& a, const Dig& b) { return a.safety > b.safety; });
}

// Of the floating cells those with the fewest covered neighbours, which open most often; cells of the
// frontier among them count for less, for their numbers tell about it. By outlook also those with
// the most neighbours in the frontier.
void LookAhead::collect_floating(const Sight& sight, const Frontier& now, double safety,
                                 double effort) {
  nearby_.clear();
  for (std::int32_t c = 0; c < sight.cells(); ++c) {
    if (!now.is_floating(sight, c)) continue;
    double around = 0, edge = 0;
    for (const std::int32_t d : field_->of(c)) {
      if (!sight.is_covered(d)) continue;
      const bool floats = now.is_floating(sight, d);
      around += floats ? 1 : 0.6;
      edge += !floats;
    }
    floating_.push_back({around, c});
    if (edge > 0) nearby_.push_back({0.01 * around - edge, c});
  }
  // With any effort at least one: there must be a candidate.
  const std::size_t n = std::min(floating_.size(), scaled(kFloating, effort));
  std::partial_sort(floating_.begin(), floating_.begin() + std::ptrdiff_t(n), floating_.end());
  floating_.resize(n);
  for (const auto& [around, c] : floating_) digs_.push_back({c, safety, 0, true});
  if (worth_ == Worth::safety) return;
  std::sort(nearby_.begin(), nearby_.end());
  std::size_t left = scaled(kBesideEdge, effort);
  for (const auto& [order, c] : nearby_) {
    if (left == 0) break;
    if (std::any_of(floating_.begin(), floating_.end(), [c = c](const auto& f) { return f.second == c; }))
      continue;
    digs_.push_back({c, safety, 0, true});
    --left;
  }
}

double LookAhead::score(const Sight& sight, const Frontier& now, Dig& dig, double least,
                        std::size_t depth, std::size_t last, double effort, Guard& guard) {
  const bool learned = worth_ == Worth::outlook, first = learned && depth == 0;
  std::array<double, kTerms> weights{1};
  if (first) weights = kWeights;
  const double level = first ? level_ : 0;
  const double most_worth =
      learned ? weights[outlook_after] + level * (weights[safety_after] + weights[safe_after] + weights[no_mine])
              : 1 + kProgress;
  std::int32_t known = 0, unknown = 0;
  for (const std::int32_t d : field_->of(dig.cell)) {
    known += sight.state(d) == Sight::mine;
    unknown += sight.is_covered(d);
  }
  Thought& next = thoughts_[depth];
  for (std::size_t t = outlook_after; t < relief; ++t) dig.terms[t] = 0;
  double sum = weights[relief] * dig.terms[relief] + weights[touched] * dig.terms[touched], left = dig.safety;
  const auto add = [&](Term term, double much) {
    dig.terms[term] += much;
    sum += weights[term] * much;
  };
  for (std::int32_t n = known; n <= known + unknown && sum + left * most_worth > least; ++n) {
    next.sight = sight;
    next.sight.show(dig.cell, n);
    if (next.sight.is_broken() || !next.frontier.look(next.sight)) continue;
    guard.tick(64);
    const double chance = std::exp(next.frontier.log_worlds() - now.log_worlds());
    if (!(chance > 0)) continue;
    const double least_risk = learned              ? outlook_.least_risk(next.sight, next.frontier)
                              : next.sight.is_won() ? 0
                                                    : next.frontier.least_chance();
    const bool follow = depth < last && least_risk > 0 && chance > kRare;
    const double value = follow ? best_after(depth, least_risk, last, effort, guard) : worth(next, least_risk);
    add(outlook_after, chance * value);
    add(safety_after, chance * level * (1 - least_risk));
    if (least_risk == 0) add(safe_after, chance * level);
    if (n == known) add(no_mine, chance * level);
    left -= chance;
  }
  return sum;
}

void LookAhead::place(const Sight& sight, const Frontier& now) {
  level_ = outlook_.of(sight, now);
  region_of_.assign(std::size_t(sight.cells()), -1);
  for (std::size_t i = 0; i < now.regions().size(); ++i)
    for (const std::int32_t c : now.regions()[i]->cells) region_of_[c] = std::int32_t(i);
  for (Dig& dig : digs_) {
    touched_.clear();
    const auto meet = [&](std::int32_t c) {
      if (region_of_[c] >= 0 && std::find(touched_.begin(), touched_.end(), region_of_[c]) == touched_.end())
        touched_.push_back(region_of_[c]);
    };
    meet(dig.cell);
    for (const std::int32_t c : field_->of(dig.cell)) meet(c);
    dig.terms[relief] = level_ * outlook_.relief(dig.cell);
    dig.terms[touched] = level_ * double(touched_.size());
  }
}

// The best that a dig after a dig in thought is worth.
double LookAhead::best_after(std::size_t depth, double least_risk, std::size_t last, double effort,
                             Guard& guard) {
  Thought& here = thoughts_[depth];
  auto& digs = here.digs;
  digs.clear();
  const auto& regions = here.frontier.regions();
  const double least = settled(1 - least_risk - kSecondNear);
  for (std::size_t i = 0; i < regions.size(); ++i)
    for (std::int32_t g = 0; g < regions[i]->groups(); ++g)
      if (const double s = settled(1 - here.frontier.chance(i, g)); s >= least && here.frontier.chance(i, g) > 0)
        digs.push_back({regions[i]->group(g).front(), s});
  std::stable_sort(digs.begin(), digs.end(), [](const Dig& a, const Dig& b) { return a.safety > b.safety; });
  digs.resize(std::min(digs.size(), scaled(kSecond, effort)));
  const double floating = settled(1 - here.frontier.floating_chance());
  if (here.frontier.floating() > 0 && floating >= least) {
    std::size_t left = scaled(kSecondFloating, effort);
    for (const auto& [around, c] : floating_) {
      if (left == 0) break;
      if (!here.frontier.is_floating(here.sight, c)) continue;
      digs.push_back({c, floating});
      --left;
    }
  }
  if (digs.empty()) return worth(here, least_risk);
  double best = 0;
  for (Dig& d : digs)
    if (d.safety > best)
      best = std::max(best, score(here.sight, here.frontier, d, best, depth + 1, last, effort, guard));
  return best;
}

double LookAhead::worth(const Thought& thought, double least_risk) {
  if (worth_ == Worth::outlook) return outlook_.of(thought.sight, thought.frontier);
  return 1 - least_risk + (least_risk == 0 ? kProgress : 0);
}

}  // namespace sapper
