#include "play/frontier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace sapper {

namespace {

// Beyond this doubles could lose what is rare.
constexpr std::size_t kMostCells = 600;
constexpr double kRange = 1e100;

}  // namespace

Frontier::Frontier(const Adjacency& field)
    : field_(&field),
      marks_(std::size_t(field.cells())),
      met_(marks_.size()),
      clue_met_(marks_.size()),
      keys_(marks_.size()),
      group_of_(marks_.size()) {
  Random random(1);
  for (auto& m : marks_) m = random();
}

void Frontier::clear() {
  used_ = 0;
  known_.clear();
  regions_.clear();
}

bool Frontier::look(Sight& sight) {
  sight.tidy();
  ++round_;
  for (const std::int32_t c : sight.numbers())
    for (const std::int32_t d : field_->of(c)) {
      if (!sight.is_covered(d)) continue;
      if (met_[d] != round_) {
        met_[d] = round_;
        keys_[d] = 0;
        group_of_[d] = -1;
      }
      keys_[d] += marks_[c];
    }
  regions_.clear();
  floating_ = sight.unknown();
  bool fits = true, possible = true;
  for (const std::int32_t c : sight.numbers()) {
    if (clue_met_[c] == round_) continue;
    if (used_ == pool_.size()) pool_.push_back(std::make_unique<Region>());
    Region& fresh = *pool_[used_];
    build(sight, c, fresh);
    const auto [at, is_new] = known_.try_emplace(fresh.name, &fresh);
    Region* region = at->second;
    if (is_new) {
      ++used_;
      tally_.count(sight, fresh);
      region_bytes_ += fresh.bytes() - fresh.counted_bytes;
      fresh.counted_bytes = fresh.bytes();
    }
    fits = fits && region->fits;
    possible = possible && !region->whole.empty();
    floating_ -= std::int32_t(region->cells.size());
    regions_.push_back(region);
  }
  if (!fits || std::size_t(sight.unknown() - floating_) > kMostCells) return false;
  log_worlds_ = -std::numeric_limits<double>::infinity();
  return !possible || weigh(sight);
}

double Frontier::least_chance(bool above_zero) const {
  double least = 1;
  const auto meet = [&](double chance) {
    if (!above_zero || chance > 0) least = std::min(least, chance);
  };
  if (floating_ > 0) meet(floating_chance_);
  for (const double chance : chances_) meet(chance);
  return least;
}

// The region of a number.
void Frontier::build(const Sight& sight, std::int32_t number, Region& r) {
  r.clues.assign(1, number);
  r.clue_groups.clear();
  r.clue_offsets.assign(1, 0);
  clue_met_[number] = round_;
  r.name = 0;
  std::int32_t groups = 0;
  stack_.clear();  // the first cell of each group
  std::vector<std::int32_t>& size = r.cell_offsets;
  size.clear();
  for (std::size_t i = 0; i < r.clues.size(); ++i) {
    const std::int32_t c = r.clues[i];
    r.name += mixed(marks_[c] + (std::uint64_t(sight.need(c)) << 32) + std::uint64_t(sight.open(c)));
    const auto begin = r.clue_groups.size();
    for (const std::int32_t d : field_->of(c)) {
      if (!sight.is_covered(d)) continue;
      // Of two cells beside the same numbers either may be dug, in thought: the rest is alike, not the same.
      r.name += marks_[d];
      if (group_of_[d] < 0) {
        // Cells of one group are all beside this number.
        for (std::size_t k = begin; k < r.clue_groups.size(); ++k)
          if (keys_[stack_[r.clue_groups[k]]] == keys_[d]) group_of_[d] = r.clue_groups[k];
        if (group_of_[d] >= 0) {
          ++size[group_of_[d]];
          continue;
        }
        group_of_[d] = groups++;
        stack_.push_back(d);
        size.push_back(1);
        for (const std::int32_t e : field_->of(d))
          if (sight.state(e) == Sight::shown && clue_met_[e] != round_) {
            clue_met_[e] = round_;
            r.clues.push_back(e);
          }
      } else if (stack_[group_of_[d]] != d) {
        continue;  // its first cell stands for the group
      }
      r.clue_groups.push_back(group_of_[d]);
    }
    r.clue_offsets.push_back(std::int32_t(r.clue_groups.size()));
  }
  size.push_back(0);
  for (std::int32_t g = 0, at = 0; g <= groups; ++g) {
    const std::int32_t n = size[g];
    size[g] = at;
    at += n;
  }
  // Fill in the cells, by way of each group's first clue; offsets move along and are moved back.
  r.cells.assign(std::size_t(size[groups]), -1);
  for (const std::int32_t c : r.clues)
    for (const std::int32_t d : field_->of(c))
      if (sight.is_covered(d) && group_of_[d] >= 0) {
        r.cells[size[group_of_[d]]++] = d;
        group_of_[d] = -1 - group_of_[d] - 1;
      }
  for (std::int32_t g = groups; g > 0; --g) size[g] = size[g - 1];
  size[0] = 0;
}

// Regions before one and regions after it meet in its outside weights.
bool Frontier::weigh(const Sight& sight) {
  const std::size_t n = regions_.size();
  std::int64_t left = sight.mines_left();
  std::size_t span = 1;
  if (before_.size() < n + 1) before_.resize(n + 1);
  before_[0].assign(1, 1);
  first_group_.clear();
  std::size_t groups = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Region& r = *regions_[i];
    left -= r.low;
    span += std::size_t(r.span() - 1);
    first_group_.push_back(groups);
    groups += std::size_t(r.groups());
    before_[i + 1].assign(span, 0);
    for (std::size_t a = 0; a < before_[i].size(); ++a)
      for (std::size_t b = 0; b < r.whole.size(); ++b)
        before_[i + 1][a + b] += before_[i][a] * r.whole[b];
  }
  chances_.resize(groups);
  // C(floating, left - x) for x = 0, 1, ..., up to a common factor.
  rest_.assign(span, 0);
  const std::int64_t first = std::max<std::int64_t>(0, left - floating_);
  double f = 1;
  for (std::int64_t x = first; x < std::int64_t(span) && x <= left; ++x) {
    rest_[x] = f;
    f *= double(left - x) / double(floating_ - left + x + 1);
    if (x < left && (f > kRange || f < 1 / kRange)) return false;
  }
  double all = 0, mined = 0;
  for (std::size_t x = 0; x < span; ++x) {
    const double w = before_[n][x] * rest_[x];
    all += w;
    mined += w * double(left - std::int64_t(x));
  }
  const double k = double(left - first), free = floating_;
  log_worlds_ = std::log(all) + std::lgamma(free + 1) - std::lgamma(k + 1) - std::lgamma(free - k + 1);
  floating_chance_ = floating_ > 0 ? mined / all / floating_ : 1;
  for (std::size_t i = n; i-- > 0;) {
    const Region& r = *regions_[i];
    const std::size_t s = r.whole.size();
    others_.assign(s, 0);
    for (std::size_t a = 0; a < before_[i].size(); ++a)
      for (std::size_t b = 0; b < s; ++b) others_[b] += before_[i][a] * rest_[a + b];
    for (std::int32_t g = 0; g < r.groups(); ++g) {
      const auto m = r.mines_of(g);
      double sum = 0;
      for (std::size_t b = 0; b < s; ++b) sum += m[b] * others_[b];
      chances_[first_group_[i] + std::size_t(g)] = sum / all / r.size(g);
    }
    for (std::size_t a = 0; a < before_[i].size(); ++a) {
      double sum = 0;
      for (std::size_t b = 0; b < s; ++b) sum += r.whole[b] * rest_[a + b];
      rest_[a] = sum;
    }
    rest_.resize(before_[i].size());
  }
  return true;
}

}  // namespace sapper
