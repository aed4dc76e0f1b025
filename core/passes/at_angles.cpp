#include "passes/at_angles.hpp"

#include <cmath>

#include "passes/evaluate.hpp"

namespace sapper {

namespace {

constexpr std::int32_t kPoints = AtAngles::kPoints;

void add(AtAngles& __restrict to, const AtAngles& __restrict x) {
  for (std::int32_t k = 0; k < kPoints; ++k) to.re[k] += x.re[k];
  for (std::int32_t k = 0; k < kPoints; ++k) to.im[k] += x.im[k];
}
void add_product(AtAngles& __restrict to, const AtAngles& __restrict x, double y) {
  for (std::int32_t k = 0; k < kPoints; ++k) to.re[k] += x.re[k] * y;
  for (std::int32_t k = 0; k < kPoints; ++k) to.im[k] += x.im[k] * y;
}
void add_product(AtAngles& __restrict to, const AtAngles& __restrict x, const AtAngles& __restrict y) {
  for (std::int32_t k = 0; k < kPoints; ++k) to.re[k] += x.re[k] * y.re[k] - x.im[k] * y.im[k];
  for (std::int32_t k = 0; k < kPoints; ++k) to.im[k] += x.re[k] * y.im[k] + x.im[k] * y.re[k];
}
AtAngles product(const AtAngles& x, const AtAngles& y) {
  AtAngles result{};
  add_product(result, x, y);
  return result;
}

// What the values of a level's group are worth, in memory that is used again.
struct Weights {
  double none = 0;  // without mines
  Vector<AtAngles> of;

  void read(const Diagram::Level& level, const Turned& turned) {
    none = level.value_low == 0 ? turned.plain(level.group, 0) : 0;
    of.clear();
    for (std::int32_t v = 0; v < level.values; ++v) of.push_back(turned.weight(level.group, level.value_low + v));
  }
};

}  // namespace

Turned::Turned(const Diagram& d, std::span<const double> weights, std::span<const std::size_t> first,
               std::span<const std::complex<double>> points)
    : weights_(weights), first_(first) {
  const std::int32_t most = d.sizes.empty() ? 0 : *std::ranges::max_element(d.sizes);
  AtAngles one{}, step{};
  for (std::int32_t k = 0; k < kPoints; ++k) {
    one.set(k, 1);
    step.set(k, points[std::min(std::size_t(k), points.size() - 1)]);
  }
  powers_.push_back(one);
  for (std::int32_t n = 1; n <= most; ++n) powers_.push_back(product(powers_.back(), step));
}

AtAngles Turned::weight(std::int32_t group, std::int32_t value) const {
  AtAngles result{};
  add_product(result, powers_[std::size_t(value)], plain(group, value));
  return result;
}

Stillness::Watch::Watch(const Stillness& of, std::span<const Bounds> outside)
    : of_(of), levels_(of.d_.levels.size()) {
  for (std::int32_t k = 0; k < kPoints; ++k) {
    const bool is_there = std::size_t(k) < outside.size();
    outside_.up[k] = is_there ? outside[std::size_t(k)].up : 0;
    outside_.within[k] = is_there ? outside[std::size_t(k)].within : 0;
    still_[k] = !is_there;
  }
}

bool Stillness::Watch::operator()(std::size_t i, const Space<AtAngles>& values) {
  const auto& level = of_.d_.levels[i];
  Rows& here = levels_[i];
  if (level.is_join()) {
    const Rows &l = levels_[std::size_t(level.left)], &r = levels_[std::size_t(level.right)];
    for (std::int32_t k = 0; k < kPoints; ++k) {
      here.up[k] = l.up[k] * r.up[k];
      here.within[k] = std::max(l.within[k] * r.up[k], r.within[k] * l.up[k]);
    }
  } else if (level.left < 0) {
    std::ranges::fill(here.up, 1.0);
    std::ranges::fill(here.within, 1.0);
  } else {
    here = levels_[std::size_t(level.left)];
    for (std::int32_t k = 0; k < kPoints; ++k) here.within[k] = std::max(here.within[k], here.up[k]);
  }
  if (of_.meets_[i]) look(level, values, here);
  bool all = true;
  for (std::int32_t k = 0; k < kPoints; ++k) {
    const double inside = std::max(here.up[k], here.within[k]) * outside_.up[k];
    still_[k] = still_[k] || std::max(inside, here.up[k] * outside_.within[k]) <= kNothing;
    all = all && still_[k];
  }
  return !all;
}

void Stillness::Watch::look(const Diagram::Level& level, const Space<AtAngles>& values, Rows& here) const {
  double most[kPoints] = {};
  for (std::uint64_t n = level.first_node; n < level.first_node + level.nodes; ++n) {
    const double scale = of_.scale_[n];
    const AtAngles& value = values[n];
    for (std::int32_t k = 0; k < kPoints; ++k)
      most[k] = std::max(most[k], (std::abs(value.re[k]) + std::abs(value.im[k])) * scale);
  }
  for (std::int32_t k = 0; k < kPoints; ++k) here.up[k] = std::min(here.up[k], most[k]);
}

bool raise_at_angles(const Diagram& d, const Turned& turned, Stillness::Watch* watch, Space<AtAngles>& values,
                     Guard& guard) {
  values.resize(d.nodes);
  Weights weights;
  AtAngles unit{};
  std::ranges::fill(unit.re, 1.0);
  for (std::size_t i = 0; i < d.levels.size(); ++i) {
    if (watch != nullptr && i > 0 && !(*watch)(i - 1, values)) return false;
    const auto& level = d.levels[i];
    guard.tick(arcs_of(level));
    AtAngles* const here = values.data() + level.first_node;
    std::fill_n(here, level.nodes, AtAngles{});
    const AtAngles* const left = level.left < 0 ? &unit : values.data() + d.levels[std::size_t(level.left)].first_node;
    if (level.is_join()) {
      const AtAngles* const right = values.data() + d.levels[std::size_t(level.right)].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) { add_product(here[n], left[l], right[r]); });
      continue;
    }
    weights.read(level, turned);
    for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
      if (level.value_low + v == 0)
        add_product(here[n], left[s], weights.none);
      else
        add_product(here[n], left[s], weights.of[std::size_t(v)]);
    });
  }
  return true;
}

void lower_at_angles(const Diagram& d, const Turned& turned, std::span<const std::size_t> first, const AtAngles& root,
                     Space<AtAngles>& values, std::span<double> shares, std::span<double> plain, Guard& guard) {
  Weights weights;
  Vector<AtAngles> on_left, on_right;
  Vector<AtAngles> sums;  // by number of mines: the real part, at each point
  AtAngles unit{};
  std::ranges::fill(unit.re, 1.0);
  values[d.levels.back().first_node] = root;
  for (auto i = std::int32_t(d.levels.size()) - 1; i >= 0; --i) {
    const auto& level = d.levels[std::size_t(i)];
    guard.tick(arcs_of(level));
    const AtAngles* const here = values.data() + level.first_node;
    AtAngles* const left = level.left < 0 ? &unit : values.data() + d.levels[std::size_t(level.left)].first_node;
    if (level.is_join()) {
      AtAngles* const right = values.data() + d.levels[std::size_t(level.right)].first_node;
      on_left.assign(d.nodes_of(level.left), AtAngles{});
      on_right.assign(d.nodes_of(level.right), AtAngles{});
      for_join_arcs(d, level, [&](auto l, auto r, auto n) {
        add_product(on_left[l], right[r], here[n]);
        add_product(on_right[r], left[l], here[n]);
      });
      std::ranges::copy(on_left, left);
      std::ranges::copy(on_right, right);
      continue;
    }
    weights.read(level, turned);
    sums.assign(std::size_t(level.values), AtAngles{});
    const std::uint32_t* arc = d.arcs.data() + level.arc_begin;
    for (std::uint32_t s = 0; s < d.nodes_of(level.left); ++s) {
      const AtAngles below = left[s];
      AtAngles all{};
      for (std::int32_t v = 0; v < level.values; ++v, ++arc) {
        if (*arc == Diagram::kNone) continue;
        AtAngles on{};
        if (level.value_low + v == 0)
          add_product(on, here[*arc], weights.none);
        else
          add_product(on, here[*arc], weights.of[std::size_t(v)]);
        add(all, on);
        double* const sum = sums[std::size_t(v)].re;
        for (std::int32_t k = 0; k < kPoints; ++k) sum[k] += below.re[k] * on.re[k] - below.im[k] * on.im[k];
      }
      if (level.left >= 0) left[s] = all;
    }
    const std::size_t at = first[std::size_t(level.group)] + std::size_t(level.value_low);
    for (std::int32_t v = 0; v < level.values; ++v) {
      const double* const sum = sums[std::size_t(v)].re;
      for (std::int32_t k = 0; k < kPoints; ++k) shares[at + std::size_t(v)] += sum[k];
      if (!plain.empty()) plain[at + std::size_t(v)] += sum[0];
    }
  }
}

}  // namespace sapper
