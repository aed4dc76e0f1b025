#include "passes/expected.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "passes/evaluate.hpp"

namespace sapper {

namespace {

// What some ways are worth together; times their mines; times the squares of these.
struct Moments {
  double worth = 0, first = 0, second = 0;

  void add(const Moments& x) {
    worth += x.worth;
    first += x.first;
    second += x.second;
  }
  Moments times(double factor) const { return {worth * factor, first * factor, second * factor}; }
  Moments with(double mines) const {
    return {worth, first + mines * worth, second + mines * (2 * first + mines * worth)};
  }
  Moments times(const Moments& x) const {
    return {worth * x.worth, first * x.worth + worth * x.first,
            second * x.worth + 2 * first * x.first + worth * x.second};
  }
};

}  // namespace

// The pass up, with the largest value of each choice brought between 1 and 2.
Expected expected(const Diagram& d, double weight, Guard& guard) {
  constexpr double kLeast = 0x1p-900, kMost = 0x1p900;
  const auto fits = [](double x) { return x >= kLeast && x <= kMost; };
  Vector<Moments> value = filled(d.nodes, Moments{}, guard);
  const auto first = first_of_groups(d);
  Expected result{0, 0, 0, Vector<double>(first.back(), 0.0), true};
  const Moments unit{1, 0, 0};
  for (const auto& level : d.levels) {
    guard.tick(arcs_of(level));
    Moments* const here = value.data() + level.first_node;
    const Moments* const left = level.left < 0 ? &unit : value.data() + d.levels[std::size_t(level.left)].first_node;
    std::span<double> weights;
    if (level.is_join()) {
      const Moments* const right = value.data() + d.levels[std::size_t(level.right)].first_node;
      for_join_arcs(d, level, [&](auto l, auto r, auto n) { here[n].add(left[l].times(right[r])); });
    } else {
      const auto size = d.sizes[std::size_t(level.group)];
      weights = {result.weights.data() + first[std::size_t(level.group)] + level.value_low, std::size_t(level.values)};
      for (std::int32_t v = 0; v < level.values; ++v) {
        guard.tick(std::uint32_t(size));
        const double power = std::pow(weight, level.value_low + v);
        weights[std::size_t(v)] = Floats::ways(size, level.value_low + v) * power;
        result.fits = result.fits && fits(power) && fits(weights[std::size_t(v)]);
      }
      for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
        here[n].add(left[s].with(level.value_low + v).times(weights[std::size_t(v)]));
      });
    }
    double least = kMost, most = 0;
    for (std::uint32_t n = 0; n < level.nodes; ++n) {
      least = std::min(least, here[n].worth);
      most = std::max(most, here[n].worth);
    }
    if (!level.is_join() && fits(most)) {
      const int bits = std::ilogb(most);
      const double less = std::ldexp(1.0, -bits);
      for (std::uint32_t n = 0; n < level.nodes; ++n) here[n] = here[n].times(less);
      for (double& w : weights) w *= less;
      least *= less;
      result.bits += bits;
    }
    result.fits = result.fits && fits(most) && fits(least) && std::ranges::all_of(weights, fits);
    if (!result.fits) return result;
  }
  const Moments& all = value.back();
  result.bits += std::log2(all.worth);
  result.mean = all.first / all.worth;
  result.variance = all.second / all.worth - result.mean * result.mean;
  result.fits = std::isfinite(result.variance);
  return result;
}

}  // namespace sapper
