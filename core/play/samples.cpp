#include "play/samples.hpp"

#include <algorithm>
#include <cmath>

namespace sapper {

namespace {

// With more worlds than this, or more ways to lay the mines of one region, nothing is drawn.
constexpr double kDrawnFrom = 1e8, kMostWays = 20'000;
// So many worlds are drawn; if perfect play on them takes more than this work, fewer, once.
constexpr double kDrawn = 1000, kFewer = 0.3, kWorkOnDrawn = 500'000;
// Digs this close to the best score are tried, so many of them; of their score so much counts beside the chance to
// win the worlds drawn.
constexpr double kNotFar = 0.03;
constexpr std::size_t kMostDigs = 8;
constexpr double kScore = 0.5;
// With less effort than allows for so many there is nothing to learn from them.
constexpr double kFewest = 300;
// Bounds that are whole but for rounding are taken as whole.
constexpr double kRounding = 1e-6;

}  // namespace

std::int32_t Samples::choose(const Sight& sight, const Frontier& frontier, std::span<const LookAhead::Dig> digs,
                             double effort, Guard& guard) {
  const double many = kDrawn * effort;
  if (digs.size() < 2 || many < kFewest || frontier.log_worlds() > std::log(kDrawnFrom)) return -1;
  digs_.assign(digs.begin(), digs.end());
  std::stable_sort(digs_.begin(), digs_.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  std::erase_if(digs_, [most = digs_.front().score](const auto& d) { return d.score < most - kNotFar; });
  digs_.resize(std::min(digs_.size(), kMostDigs));
  if (digs_.size() < 2) return -1;
  double listed = many * double(sight.unknown() + 64);
  for (const Region* r : frontier.regions()) {
    double ways = 0;
    for (const double w : r->whole) ways += w;
    if (ways > kMostWays) return -1;
    listed += ways * double(r->cells.size() + 2) * sizeof(std::int32_t);
  }
  const Charge memory(guard, std::uint64_t(listed));
  for (const double share : {1.0, kFewer}) {
    worlds_.draw(sight, frontier, std::size_t(many * share));
    if (const std::int32_t c = best(sight, kWorkOnDrawn * effort, guard); c >= 0) return c;
  }
  return -1;
}

// The chance to survive each dig is known; what is estimated is the chance to win after it.
std::int32_t Samples::best(const Sight& sight, double work, Guard& guard) {
  index_.resize(std::size_t(sight.cells()));
  for (std::size_t i = 0; i < worlds_.cells.size(); ++i) index_[worlds_.cells[i]] = std::int32_t(i);
  endgame_.begin(worlds_, {}, guard, std::uint64_t(work), false);
  double most = -1;
  std::int32_t cell = -1;
  for (const LookAhead::Dig& d : digs_) {
    const auto at = std::size_t(index_[d.cell]);
    std::uint32_t survive = 0;
    for (std::size_t w = 0; w < worlds_.count; ++w) survive += worlds_.of(w)[at] != Worlds::kMine;
    if (survive == 0) continue;
    const double least = (most - kScore * d.score) / d.safety * survive + kRounding;
    const std::uint32_t wins = endgame_.wins_from(at, std::uint32_t(std::max(0.0, least)));
    if (endgame_.stopped()) {
      cell = -1;
      break;
    }
    const double much = LookAhead::settled(d.safety * wins / survive + kScore * d.score);
    if (much <= most) continue;
    most = much;
    cell = d.cell;
  }
  endgame_.end();
  return cell;
}

}  // namespace sapper
