#include "play/optimal.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "base/random.hpp"
#include "play/endgame.hpp"
#include "play/worlds.hpp"

namespace sapper {

namespace {

constexpr double kMostLayouts = 1e7;

// Extends a partial map cell by cell, as long as neighbours go to neighbours.
class SymmetrySearch {
 public:
  SymmetrySearch(const Adjacency& field, std::size_t most, Guard& guard)
      : field_(field),
        most_(most),
        guard_(guard),
        image_(std::size_t(field.cells()), -1),
        taken_(image_.size(), 0) {
    // Cells after one of their neighbours, so that few images are left for each.
    std::vector<std::uint8_t> met(image_.size(), 0);
    for (std::int32_t c = 0; c < field.cells(); ++c) {
      if (met[c]) continue;
      met[c] = 1;
      order_.push_back(c);
      for (std::size_t i = order_.size() - 1; i < order_.size(); ++i)
        for (const std::int32_t d : field.of(order_[i]))
          if (!met[d]) {
            met[d] = 1;
            order_.push_back(d);
          }
    }
  }

  std::vector<std::vector<std::int32_t>> run() {
    extend(0);
    return std::move(found_);
  }

 private:
  bool adjacent(std::int32_t a, std::int32_t b) const {
    const auto around = field_.of(a);
    return std::find(around.begin(), around.end(), b) != around.end();
  }

  bool may_be(std::size_t at, std::int32_t image) const {
    const std::int32_t c = order_[at];
    if (taken_[image] || field_.of(c).size() != field_.of(image).size()) return false;
    std::size_t mapped = 0;
    for (const std::int32_t d : field_.of(c))
      if (image_[d] >= 0) {
        if (!adjacent(image, image_[d])) return false;
        ++mapped;
      }
    for (const std::int32_t d : field_.of(image)) mapped -= taken_[d];
    return mapped == 0;
  }

  void extend(std::size_t at) {
    guard_.tick(8);
    if (found_.size() == most_) return;
    if (at == order_.size()) {
      found_.push_back(image_);
      return;
    }
    const std::int32_t c = order_[at];
    // The cell itself first: the identity is found first.
    for (std::int32_t i = -1; i < field_.cells() && found_.size() < most_; ++i) {
      const std::int32_t image = i < 0 ? c : i;
      if (i == c || !may_be(at, image)) continue;
      image_[c] = image;
      taken_[image] = 1;
      extend(at + 1);
      image_[c] = -1;
      taken_[image] = 0;
    }
  }

  const Adjacency& field_;
  std::size_t most_;
  Guard& guard_;
  std::vector<std::int32_t> order_, image_;
  std::vector<std::uint8_t> taken_;
  std::vector<std::vector<std::int32_t>> found_;
};

// For each symmetry that keeps the worlds as a set, where it takes each world.
std::vector<std::vector<std::uint32_t>> images_of(
    const Worlds& worlds, std::int32_t cells,
    const std::vector<std::vector<std::int32_t>>& symmetries, Guard& guard) {
  Random random(1);
  std::vector<std::uint64_t> marks(static_cast<std::size_t>(cells));
  for (auto& m : marks) m = random();
  const auto name = [&](std::size_t w, const std::vector<std::int32_t>& symmetry) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < worlds.cells.size(); ++i)
      if (worlds.of(w)[i] == Worlds::kMine) sum += marks[symmetry[worlds.cells[i]]];
    return sum;
  };
  std::unordered_map<std::uint64_t, std::uint32_t> places(worlds.count);
  for (std::size_t w = 0; w < worlds.count; ++w) places[name(w, symmetries[0])] = std::uint32_t(w);
  std::vector<std::vector<std::uint32_t>> images;
  for (const auto& symmetry : symmetries) {
    std::vector<std::uint32_t> to;
    to.reserve(worlds.count);
    for (std::size_t w = 0; w < worlds.count; ++w) {
      guard.tick(std::uint32_t(worlds.cells.size()));
      const auto at = places.find(name(w, symmetry));
      if (at == places.end()) break;
      to.push_back(at->second);
    }
    if (to.size() == worlds.count) images.push_back(std::move(to));
  }
  return images;
}

}  // namespace

std::vector<std::vector<std::int32_t>> symmetries(const Adjacency& field, std::size_t most,
                                                  Guard& guard) {
  return SymmetrySearch(field, most, guard).run();
}

Optimal optimal_wins(const Adjacency& field, std::int32_t mines, StartRule rule, std::int32_t start,
                     Guard& guard) {
  if (!Worlds::can_show(field)) throw std::invalid_argument("a cell has too many neighbours");
  const auto group = symmetries(field, Endgame::kMostSymmetries, guard);
  Optimal best;
  std::optional<Charge> listed;
  Endgame endgame;
  Worlds worlds;
  std::vector<std::uint8_t> tried(std::size_t(field.cells()), 0);
  for (std::int32_t s = 0; s < field.cells(); ++s) {
    if ((start >= 0 && s != start) || tried[s]) continue;
    for (const auto& symmetry : group) tried[symmetry[s]] = 1;
    std::vector<std::uint8_t> free(std::size_t(field.cells()), 0);
    if (rule != StartRule::any) free[s] = 1;
    if (rule == StartRule::zero)
      for (const std::int32_t d : field.of(s)) free[d] = 1;
    const auto room = double(std::count(free.begin(), free.end(), 0));
    if (mines > room) continue;
    const double layouts = std::round(std::exp(std::lgamma(room + 1) - std::lgamma(mines + 1.0) -
                                               std::lgamma(room - mines + 1)));
    if (layouts > kMostLayouts) throw LimitHit(LimitKind::estimate, kMostLayouts, layouts);
    // With the rule `any` all starts share the layouts, and what was learned about sets of them.
    if (rule != StartRule::any || worlds.count == 0) {
      // The worlds, their images, the marks of those, and the table in which images are found.
      listed.emplace(guard, std::uint64_t(layouts) * (std::uint64_t(field.cells()) + 56 + 12 * group.size()));
      worlds.list_layouts(field, mines, free, guard);
      endgame.begin(worlds, images_of(worlds, field.cells(), group, guard), guard);
    }
    // The rule `zero` allows fewer layouts where there are more neighbours: shares are compared.
    const std::uint64_t as_good = best.start < 0 ? 0 : best.wins * worlds.count / best.layouts;
    const std::uint32_t wins = endgame.wins_from(s, std::uint32_t(as_good) + 1);
    best.sets += rule == StartRule::any ? 0 : endgame.sets();
    if (best.start >= 0 && wins <= as_good) continue;
    best.wins = wins;
    best.start = s;
    best.layouts = worlds.count;
  }
  if (rule == StartRule::any) best.sets = endgame.sets();
  return best;
}

}  // namespace sapper
