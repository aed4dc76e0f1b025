// Passes by number of mines over a diagram that is cut into regions.
//
// Within the regions polynomials are short, and all of them are passed at once. Where regions meet,
// those of the whole diagram are multiplied, and seen through each other on the way down. Instead of wide floats
// the regions are passed in doubles, while these do.
#pragma once

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "base/memory.hpp"
#include "passes/by_mines.hpp"
#include "passes/regions.hpp"
#include "passes/wide_product.hpp"

namespace sapper {

// out[i + j + shift] += x[i] * y[j], wherever there is such a place.
template <Algebra A, class T = typename A::T>
void add_shifted_product(const A& a, std::span<const T> x, std::span<const T> y, std::int64_t shift,
                         std::span<T> out, Guard& guard) {
  constexpr std::size_t kLong = 8;  // from here on it pays to look at the exponents first
  if constexpr (std::is_same_v<A, WideFloats>) {
    if (std::min(x.size(), y.size()) >= kLong) return add_product(x, y, shift, out, guard);
  }
  if (x.size() > y.size()) std::swap(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::int64_t at = std::int64_t(i) + shift;
    const std::int64_t from = std::max<std::int64_t>(0, -at);
    const std::int64_t to = std::min(std::int64_t(y.size()), std::int64_t(out.size()) - at);
    if (from >= to) continue;
    guard.tick(std::uint32_t(to - from));
    add_scaled(a, out.data() + (at + from), y.data() + from, x[i], std::int32_t(to - from));
  }
}

template <Algebra A>
class ByRegions {
 public:
  using T = typename A::T;
  // Short polynomials do not need the exponents of wide floats.
  static constexpr bool kWide = std::is_same_v<A, WideFloats>;
  using Inner = std::conditional_t<kWide, Floats, A>;
  // A coefficient more is three bits more, about: doubles last for polynomials of so many.
  static constexpr std::int32_t kDoublesLast = 300;

  static CuttingCosts costs() {
    if constexpr (std::is_same_v<A, Floats>) return {0.17, 2, 0.2};
    if constexpr (kWide) return {0.17, 25, 0.2, 200, double(kDoublesLast)};
    return {};
  }

  // The pass up. If `again` is false there is no way down. A crew, if there is one, shares what joins take.
  ByRegions(const Diagram& d, const A& a, bool again, Guard& guard, Crew* crew = nullptr)
      : ByRegions(d, cut(d, MineRanges(d), costs(), guard), a, again, guard, crew) {}
  ByRegions(const Diagram& d, Regions regions, const A& a, bool again, Guard& guard, Crew* crew = nullptr)
      : a_(a), crew_(crew), d_(&d), regions_(std::move(regions)), outer_(regions_.list.size()) {
    if (regions_.list.size() > 1) d_ = &regions_.unrolled;
    m_ = MineRanges(*d_);
    if constexpr (kWide) raise(narrow_, Floats{}, again, guard);
    if (!narrow_) raise(own_, a, again, guard);
    for (std::size_t r = 0; r < outer_.size(); ++r) meet(r, guard);
  }
  ByRegions(const ByRegions&) = delete;
  ByRegions& operator=(const ByRegions&) = delete;

  std::span<const T> polynomial() const { return outer_.back().nodes.back().values; }

  // As downward_by_mines, but `share` receives what all arcs of a choice are worth together.
  template <class Share>
  void downward(std::span<const T> root, Guard& guard, Share&& share) const {
    const Seeds seeds = part(root, guard);
    if constexpr (kWide)
      if (narrow_ && lower(*narrow_, Floats{}, seeds, guard, share)) return;
    if (own_)
      lower(*own_, a_, seeds, guard, share);
    else
      lower(Checkpoints<A>(*d_, m_, a_, true, guard, crew_), a_, seeds, guard, share);
  }

 private:
  struct Polynomial {
    std::int32_t low = 0;
    Vector<T> values;
    std::span<const T> all() const { return values; }
  };
  // A region seen from outside.
  struct Outer {
    Vector<Polynomial> transfers;  // by node of its last level
    Vector<Polynomial> sources;    // products of what meets it from below
    Vector<Polynomial> nodes;      // of the whole diagram up to its last level
  };
  using Seeds = Vector<Vector<Vector<T>>>;  // by region and transfer: what the rest is worth

  // Are plain doubles used instead of wide floats, and did they not do?
  template <class Up>
  static constexpr bool kWatched = kWide && std::is_same_v<Up, Checkpoints<Floats>>;
  template <class Up>
  static void watch() {
    if constexpr (kWatched<Up>) std::feclearexcept(FE_ALL_EXCEPT);
  }
  template <class Up>
  static bool failed() {
    return kWatched<Up> && std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID) != 0;
  }

  std::span<const Polynomial> below(std::int32_t region) const {
    return outer_[std::size_t(region)].nodes;
  }

  // The polynomials of all regions.
  template <class Up, Algebra I>
  void raise(std::optional<Up>& up, const I& inner, bool again, Guard& guard) {
    const Diagram& u = *d_;
    watch<Up>();
    up.emplace(u, m_, inner, again, guard, crew_);
    if (failed<Up>()) return up.reset();
    for (std::size_t r = 0; r < outer_.size(); ++r) {
      const auto top = std::size_t(regions_.list[r].top);
      const auto values = up->of(top);
      auto from = values.begin();
      auto& transfers = outer_[r].transfers;
      transfers.assign(u.levels[top].nodes, {});
      for (std::uint32_t n = 0; n < u.levels[top].nodes; ++n) {
        const std::uint64_t node = u.levels[top].first_node + n;
        transfers[n].low = m_.low[node];
        transfers[n].values.reserve(std::size_t(m_.length(node)));
        for (std::int32_t k = 0; k < m_.length(node); ++k, ++from)
          transfers[n].values.push_back(outside(*from));
      }
    }
  }
  // A number from within a region, times 2^bits.
  static T outside(const T& x, std::int64_t = 0) { return x; }
  static T outside(double x, std::int64_t bits = 0)
    requires(kWide)
  {
    return wide_of(x, bits);
  }

  Polynomial product(const Polynomial& x, const Polynomial& y, Guard& guard) const {
    Polynomial p{x.low + y.low, filled(x.values.size() + y.values.size() - 1, a_.zero(), guard)};
    add_shifted_product(a_, x.all(), y.all(), 0, std::span<T>(p.values), guard);
    return p;
  }

  // From what is below a region to what is above it.
  void meet(std::size_t r, Guard& guard) {
    const auto& region = regions_.list[r];
    Outer& o = outer_[r];
    if (region.left < 0) {
      o.sources.push_back({0, Vector<T>(1, a_.one())});
    } else if (region.right < 0) {
      o.sources.assign(below(region.left).begin(), below(region.left).end());
    } else {
      for (const Polynomial& x : below(region.left))
        for (const Polynomial& y : below(region.right)) o.sources.push_back(product(x, y, guard));
    }
    o.nodes.resize(region.nodes);
    Vector<std::int32_t> high(region.nodes, -1);
    for (Polynomial& p : o.nodes) p.low = std::numeric_limits<std::int32_t>::max();
    for (std::size_t k = 0; k < region.transfers.size(); ++k) {
      const auto [source, node] = region.transfers[k];
      const std::int32_t low = o.sources[source].low + o.transfers[k].low;
      o.nodes[node].low = std::min(o.nodes[node].low, low);
      high[node] = std::max(high[node], low + std::int32_t(o.sources[source].values.size() + o.transfers[k].values.size()) - 2);
    }
    for (std::size_t n = 0; n < o.nodes.size(); ++n)
      o.nodes[n].values.assign(std::size_t(high[n] - o.nodes[n].low) + 1, a_.zero());
    for (std::size_t k = 0; k < region.transfers.size(); ++k) {
      const auto [source, node] = region.transfers[k];
      add_shifted_product(a_, o.sources[source].all(), o.transfers[k].all(),
                          o.sources[source].low + o.transfers[k].low - o.nodes[node].low,
                          std::span<T>(o.nodes[node].values), guard);
    }
  }

  // out[j] += the sum of x[i] * z[i + j], both counted from their lows.
  void see(const Vector<T>& mirrored, std::int32_t low, const Polynomial& z, std::span<T> out, std::int32_t out_low,
           Guard& guard) const {
    add_shifted_product(a_, std::span<const T>(mirrored), z.all(),
                        z.low - low - out_low + 1 - std::int64_t(mirrored.size()), out, guard);
  }
  static Vector<T> mirrored(const Polynomial& p) { return {p.values.rbegin(), p.values.rend()}; }

  // What all else is worth to each transfer of each region.
  Seeds part(std::span<const T> root, Guard& guard) const {
    Seeds seeds(outer_.size());
    Vector<Vector<Polynomial>> down(outer_.size());  // by region and node: what all above is worth
    const auto empty = [&](std::span<const Polynomial> like) {
      Vector<Polynomial> same;
      same.reserve(like.size());
      for (const Polynomial& p : like) same.push_back({p.low, filled(p.values.size(), a_.zero(), guard)});
      return same;
    };
    down.back() = empty(outer_.back().nodes);
    std::ranges::copy(root, down.back().back().values.begin());
    for (std::size_t r = outer_.size(); r-- > 0;) {
      const auto& region = regions_.list[r];
      const Outer& o = outer_[r];
      auto on = empty(o.sources);
      Vector<Vector<T>> seen;  // sources, mirrored
      for (const Polynomial& p : o.sources) seen.push_back(mirrored(p));
      seeds[r].reserve(region.transfers.size());
      for (std::size_t k = 0; k < region.transfers.size(); ++k) {
        const auto [source, node] = region.transfers[k];
        const Polynomial& own = o.transfers[k];
        const Polynomial& above = down[r][node];
        seeds[r].emplace_back(own.values.size(), a_.zero());
        see(seen[source], o.sources[source].low, above, seeds[r].back(), own.low, guard);
        see(mirrored(own), own.low, above, on[source].values, on[source].low, guard);
      }
      down[r] = {};
      if (region.right < 0) {
        if (region.left >= 0) down[std::size_t(region.left)] = std::move(on);
        continue;
      }
      const auto lefts = below(region.left), rights = below(region.right);
      auto& to_left = down[std::size_t(region.left)] = empty(lefts);
      auto& to_right = down[std::size_t(region.right)] = empty(rights);
      for (std::size_t i = 0; i < lefts.size(); ++i)
        for (std::size_t k = 0; k < rights.size(); ++k) {
          const Polynomial& above = on[i * rights.size() + k];
          see(mirrored(rights[k]), rights[k].low, above, to_left[i].values, lefts[i].low, guard);
          see(mirrored(lefts[i]), lefts[i].low, above, to_right[k].values, rights[k].low, guard);
        }
    }
    return seeds;
  }

  // Down through all regions. False if doubles did not do, and nothing was shared.
  template <class Up, Algebra I, class Share>
  bool lower(const Up& up, const I& inner, const Seeds& seeds, Guard& guard, Share&& share) const {
    const auto first = first_of_groups(*d_);
    Vector<typename I::T> sums(first.back(), inner.zero());
    watch<Up>();
    Vector<std::int64_t> bits(seeds.size(), 0);  // by region: what its sums are to be multiplied by
    std::size_t region = seeds.size();
    up.downward_from(
        [&](std::span<typename I::T> values) {
          --region;
          bits[region] = sow(seeds[region], values);
        },
        guard, [&](std::int32_t group, std::int32_t value, const typename I::T& worth) {
          inner.add(sums[first[std::size_t(group)] + std::size_t(value)], worth);
        });
    if (failed<Up>()) return false;
    Vector<std::int64_t> bits_of(d_->levels.size());  // by level: those of its region
    for (std::size_t r = 0; r < bits.size(); ++r) bits_of[std::size_t(regions_.list[r].top)] = bits[r];
    for (std::size_t i = bits_of.size(); i-- > 0;) {
      const auto& level = d_->levels[i];
      if (level.left >= 0) bits_of[std::size_t(level.left)] = bits_of[i];
      if (level.is_join()) bits_of[std::size_t(level.right)] = bits_of[i];
      if (level.is_join() || level.is_start()) continue;
      const std::size_t from = first[std::size_t(level.group)], to = first[std::size_t(level.group) + 1];
      for (std::size_t k = from; k < to; ++k) share(level.group, std::int32_t(k - from), outside(sums[k], bits_of[i]));
    }
    return true;
  }

  // The seeds of a region one after the other; in doubles, over 2^(what is returned).
  static std::int64_t sow(std::span<const Vector<T>> seeds, std::span<T> values) {
    auto to = values.begin();
    for (const auto& seed : seeds) to = std::ranges::copy(seed, to).out;
    return 0;
  }
  static std::int64_t sow(std::span<const Vector<T>> seeds, std::span<double> values)
    requires(kWide)
  {
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
    std::int64_t most = kNone;
    for (const auto& seed : seeds)
      for (const Wide& x : seed)
        if (x.mantissa != 0) most = std::max(most, std::ilogb(x.mantissa) + 512 * x.exponent);
    if (most == kNone) most = 0;
    auto to = values.begin();
    for (const auto& seed : seeds)
      for (const Wide& x : seed) *to++ = x.mantissa == 0 ? 0 : std::ldexp(x.mantissa, int(512 * x.exponent - most));
    return most;
  }

  A a_;
  Crew* crew_;
  const Diagram* d_;  // the one that was given, or the unrolled one
  MineRanges m_;
  Regions regions_;
  std::optional<Checkpoints<Inner>> narrow_;  // one of the two
  std::optional<Checkpoints<A>> own_;
  Vector<Outer> outer_;
};

}  // namespace sapper
