#include "play/look_ahead.hpp"

#include <algorithm>
#include <cmath>

namespace sapper {

namespace {

// Candidates are as safe as the safest, or nearly: this much of it beside numbers, this much of it
// elsewhere.
constexpr double kNear = 0.9, kNearElsewhere = 0.95;
// Of the floating cells so many are looked at.
constexpr double kFloating = 8;
// What a free dig next is worth.
constexpr double kProgress = 0.1;

}  // namespace

LookAhead::LookAhead(const Adjacency& field, std::int32_t mines)
    : field_(&field), trial_(field, mines), frontier_(field) {}

std::int32_t LookAhead::choose(const Sight& sight, const Frontier& now,
                               const std::vector<double>& chances, double effort, Guard& guard) {
  collect(sight, now, chances, effort);
  std::int32_t best = candidates_.front().cell;
  if (candidates_.size() == 1) return best;
  double most = -1;
  for (const Candidate& c : candidates_) {
    if (c.safety * (1 + kProgress) <= most) break;
    const double s = score(sight, now, c.cell, guard);
    if (s <= most) continue;
    most = s;
    best = c.cell;
  }
  return best;
}

// The safest first. Of the floating cells those with the fewest covered neighbours, which open most
// often; cells of the frontier among them count for less, for their numbers tell about it.
void LookAhead::collect(const Sight& sight, const Frontier& now, const std::vector<double>& chances,
                        double effort) {
  candidates_.clear();
  floating_.clear();
  double safest = now.floating() > 0 ? 1 - now.floating_chance() : 0;
  for (const Region* r : now.regions())
    for (const std::int32_t c : r->cells) safest = std::max(safest, 1 - chances[c]);
  for (const Region* r : now.regions())
    for (const std::int32_t c : r->cells)
      if (1 - chances[c] >= kNear * safest) candidates_.push_back({c, 1 - chances[c]});
  const double floating = 1 - now.floating_chance();
  if (now.floating() > 0 && floating >= kNearElsewhere * safest) {
    for (std::int32_t c = 0; c < sight.cells(); ++c) {
      if (!now.is_floating(sight, c)) continue;
      double around = 0;
      for (const std::int32_t d : field_->of(c))
        if (sight.is_covered(d)) around += now.is_floating(sight, d) ? 1 : 0.6;
      floating_.push_back({around, c});
    }
    // With any effort at least one: there must be a candidate.
    const std::size_t n = std::min(floating_.size(), std::size_t(std::max(1.0, kFloating * effort)));
    std::partial_sort(floating_.begin(), floating_.begin() + std::ptrdiff_t(n), floating_.end());
    for (std::size_t i = 0; i < n; ++i) candidates_.push_back({floating_[i].second, floating});
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.safety > b.safety; });
}

double LookAhead::score(const Sight& sight, const Frontier& now, std::int32_t cell, Guard& guard) {
  std::int32_t known = 0, unknown = 0;
  for (const std::int32_t d : field_->of(cell)) {
    known += sight.state(d) == Sight::mine;
    unknown += sight.is_covered(d);
  }
  double sum = 0;
  for (std::int32_t n = known; n <= known + unknown; ++n) {
    trial_ = sight;
    trial_.show(cell, n);
    if (trial_.is_broken()) continue;
    if (!frontier_.look(trial_)) continue;
    guard.tick(64);
    const double chance = std::exp(frontier_.log_worlds() - now.log_worlds());
    if (!(chance > 0)) continue;
    double least = frontier_.floating() > 0 ? frontier_.floating_chance() : 1;
    for (std::size_t i = 0; i < frontier_.regions().size(); ++i)
      for (std::int32_t g = 0; g < frontier_.regions()[i]->groups(); ++g)
        least = std::min(least, frontier_.chance(i, g));
    if (trial_.is_won()) least = 0;
    sum += chance * (1 - least + (least == 0 ? kProgress : 0));
  }
  return sum;
}

}  // namespace sapper
