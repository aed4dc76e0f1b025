#include "passes/on_circles.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "passes/by_mines.hpp"
#include "passes/products.hpp"

namespace sapper {

namespace {

constexpr double kTailBits = 120;      // less than 2^-this is outside a window
constexpr std::int32_t kAllOfIt = 24;  // so few numbers of mines are a window without further ado
constexpr double kFarthest = 16;       // a mine weighs 2^-16 to 2^16
// Of a share that is trusted: without the total it may be so many times as large, and so much may be cut off.
constexpr double kMostCancelled = 0x1p8, kMostCut = 0x1p-42;

// f(place, batch, tables, guard) for some batches of points, with memory that each thread uses again.
struct Tables {
  Vector<AtAngles::T> up;
  Space<AtAngles::T> down;
};
template <class F>
void each_batch(std::span<const std::size_t> batches, Crew* crew, Guard& guard, F&& f) {
  const std::size_t parts = crew ? std::min<std::size_t>(batches.size(), crew->threads()) : 1;
  const auto some = [&](std::size_t part, Guard& own) {
    Tables tables;
    for (std::size_t k = part; k < batches.size(); k += parts) f(k, batches[k], tables, own);
  };
  each(parts, crew, guard, some);
}

// Without the ends that are worth less than 2^-kTailBits of the whole each.
template <class W>
void trim(W& window) {
  auto& p = window.values;
  const double cut = std::accumulate(p.begin(), p.end(), 0.0) * std::exp2(-kTailBits);
  std::size_t from = 0, to = p.size();
  for (double sum = p[from]; from + 1 < to && sum < cut; sum += p[from]) ++from;
  for (double sum = p[to - 1]; from + 1 < to && sum < cut; sum += p[to - 1]) --to;
  p.resize(to);
  p.erase(p.begin(), p.begin() + std::ptrdiff_t(from));
  window.low += std::int64_t(from);
}

// The chances that so many cells have from, from + 1, ... mines.
Vector<double> binomial(std::int64_t cells, double weight, std::int64_t from, std::int64_t end) {
  const double least = std::exp2(-2 * kTailBits);
  Vector<double> p(std::size_t(end - from), 0.0);
  double all = 0;
  const auto put = [&](std::int64_t n, double chance) {
    all += chance;
    if (n >= from && n < end) p[std::size_t(n - from)] = chance;
  };
  // From the likeliest number both ways, of what it has.
  const auto mode = std::int64_t(double(cells) * weight / (1 + weight));
  put(mode, 1);
  double chance = 1;
  for (std::int64_t n = mode; n > 0 && chance > least; --n)
    put(n - 1, chance *= double(n) / (double(cells - n + 1) * weight));
  chance = 1;
  for (std::int64_t n = mode; n < cells && chance > least; ++n)
    put(n + 1, chance *= double(cells - n) * weight / double(n + 1));
  for (double& x : p) x /= all;
  return p;
}

}  // namespace

OnCircles::OnCircles(const Compiled& c, Crew* crew, Guard& guard)
    : c_(c), crew_(crew), mines_(c.total - c.forced_mines), pieces_(c.pieces.size()) {
  if (c.pieces.empty() || !find_weight(guard)) return;
  tree_.emplace_back(c.pieces.size());
  share_pieces(c, crew, guard, [&](std::size_t i, Crew* own_crew, Guard& own) { raise(i, own_crew, own); });
  while (tree_.back().size() > 1) {
    const auto& below = tree_.back();
    Vector<Window> row((below.size() + 1) / 2);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const Window& x = below[2 * k];
      if (2 * k + 1 == below.size()) {
        row[k] = x;
        continue;
      }
      const Window& y = below[2 * k + 1];
      guard.tick(std::uint32_t(x.values.size() * y.values.size() / 4 + 1));
      row[k] = {x.low + y.low, Vector<double>(x.values.size() + y.values.size() - 1, 0.0)};
      add_product(Floats{}, row[k].values.data(), x.values.data(), std::int32_t(x.values.size()), y.values.data(),
                  std::int32_t(y.values.size()));
      trim(row[k]);
    }
    tree_.push_back(std::move(row));
  }
  const auto free = std::int64_t(c.free.size());
  worth_.low = all().low;
  worth_.values = binomial(free, weight_, mines_ - all().end() + 1, mines_ - all().low + 1);
  std::ranges::reverse(worth_.values);
  double mined = 0;
  for_free([&](std::int64_t n, double worth) {
    whole_ += worth;
    mined += worth * double(n);
  });
  // Free cells have no part in what cancels, but for what all others do.
  most_ = *std::ranges::max_element(worth_.values);
  const double plain = double(free) * weight_ / (1 + weight_);
  const auto is_sure = [&](double share, double without) { return share * kMostCancelled >= most_ * without; };
  trusted_ = whole_ > 0 && is_sure(whole_, 1) &&
             (free == 0 || (is_sure(mined, plain) && is_sure(double(free) * whole_ - mined, double(free) - plain)));
  log2_whole_ = std::log2(whole_) + double(free) * std::log2(1 + weight_) - double(mines_) * std::log2(weight_);
  for (const Piece& piece : pieces_) log2_whole_ += piece.plain.bits;
}

// Newton's method, until the total is within a standard deviation of the mines to be expected.
bool OnCircles::find_weight(Guard& guard) {
  constexpr int kTries = 12;
  const auto free = double(c_.free.size());
  for (int i = 0; i < kTries; ++i) {
    each_piece(c_, crew_, guard, [&](std::size_t p, Guard& own) {
      pieces_[p].plain = expected(*c_.pieces[p].diagram, weight_, own);
    });
    const double part = weight_ / (1 + weight_);
    double mean = free * part, variance = mean * (1 - part);
    for (const Piece& piece : pieces_) {
      if (!piece.plain.fits) return false;
      mean += piece.plain.mean;
      variance += piece.plain.variance;
    }
    const double off = double(mines_) - mean;
    if (!(variance > 0 && std::isfinite(variance))) return false;
    if (off * off <= variance) return true;
    const double step = std::clamp(off / variance / std::numbers::ln2, -1.5, 1.5);
    int exponent;
    const double digits = std::frexp(weight_ * std::exp2(step), &exponent);
    const double next = std::ldexp(std::round(std::ldexp(digits, 10)), exponent - 10);
    if (next == weight_) return true;  // as near as so few digits come
    weight_ = next;
    if (std::abs(std::log2(weight_)) > kFarthest) return false;
  }
  return false;
}

// The window of a piece, and what is in it.
void OnCircles::raise(std::size_t i, Crew* crew, Guard& guard) {
  const Diagram& d = *c_.pieces[i].diagram;
  Piece& own = pieces_[i];
  Circle& circle = own.circle;
  std::int64_t low, high;
  {
    const MineRanges ranges(d);
    low = ranges.low.back();
    high = ranges.high.back();
  }
  if (high - low >= kAllOfIt) {
    // The chance of n mines or more is at most 2^-(step n) of what all is worth if a mine weighs 2^step more.
    const double step = std::sqrt(2 * kTailBits / std::numbers::ln2 / std::max(own.plain.variance, 1.0));
    Expected more, less;
    const auto look = [&](std::size_t k, Guard& mine) {
      (k == 0 ? more : less) = expected(d, weight_ * std::exp2(k == 0 ? step : -step), mine);
    };
    each(2, crew, guard, look);
    if (more.fits) high = std::min(high, std::int64_t(std::ceil((kTailBits + more.bits - own.plain.bits) / step)));
    if (less.fits) low = std::max(low, std::int64_t(std::floor(-(kTailBits + less.bits - own.plain.bits) / step)));
  }
  circle.weights = own.plain.weights;
  circle.first = first_of_groups(d);
  circle.points = std::int32_t(high - low + 1) | 1;

  Vector<std::complex<double>> values(AtAngles::batches(circle) * AtAngles::kPoints);
  Vector<std::uint8_t> is_still(AtAngles::batches(circle), 0);
  Stillness stillness(d);
  const auto pass = [&](std::size_t batch, Tables& tables, Guard& mine, auto&& look) {
    if (!upward(d, AtAngles(d, circle, batch), tables.up, mine, look)) {
      is_still[batch] = 1;
      return;
    }
    for (std::int32_t k = 0; k < AtAngles::kPoints; ++k)
      values[batch * AtAngles::kPoints + std::size_t(k)] = tables.up.back()[k];
  };
  {
    Tables tables;
    pass(0, tables, guard, [](std::size_t) { return true; });
    if (is_still.size() > 1) stillness.begin(tables.up);
  }
  Vector<std::size_t> rest(is_still.size() - 1);
  std::iota(rest.begin(), rest.end(), std::size_t(1));
  each_batch(rest, crew, guard, [&](std::size_t, std::size_t batch, Tables& tables, Guard& mine) {
    Stillness::Watch watch(stillness);
    pass(batch, tables, mine, [&](std::size_t level) { return watch(level, tables.up); });
  });
  for (std::size_t batch = 0; batch < is_still.size(); ++batch)
    if (!is_still[batch]) own.batches.push_back(batch);

  own.worth = values[0].real();
  values.resize(std::size_t(circle.half()));
  for (std::int32_t k = 0; k < circle.half(); ++k)
    values[std::size_t(k)] *= Circle::times(k) / (circle.points * own.worth) * circle.turned_back(k, low);
  const auto turns = circle.turns();
  Window& window = tree_.front()[i];
  window.low = low;
  window.values.resize(std::size_t(circle.points));
  for (std::int64_t j = 0; j < circle.points; ++j) {
    guard.tick(std::uint32_t(circle.points));
    double sum = 0;
    for (std::int64_t k = 0; k < circle.half(); ++k) {
      const auto& turn = turns[std::size_t(j * k % circle.points)];
      sum += values[std::size_t(k)].real() * turn.real() + values[std::size_t(k)].imag() * turn.imag();
    }
    window.values[std::size_t(j)] = std::max(sum, 0.0);
  }
}

// For each piece: the worth of all else, by its number of mines.
Vector<Vector<double>> OnCircles::worth_of_others(Guard& guard) const {
  Vector<Window> above{worth_};
  for (std::size_t row = tree_.size() - 1; row-- > 0;) {
    const auto& windows = tree_[row];
    Vector<Window> here(windows.size());
    for (std::size_t k = 0; k < windows.size(); ++k) {
      const Window& worth = above[k / 2];
      if ((k ^ 1) >= windows.size()) {
        here[k] = worth;
        continue;
      }
      const Window& beside = windows[k ^ 1];
      const auto n = std::int32_t(windows[k].values.size()), m = std::int32_t(beside.values.size());
      guard.tick(std::uint32_t(std::int64_t(n) * m / 4 + 1));
      here[k] = {windows[k].low, Vector<double>(std::size_t(n), 0.0)};
      // What was trimmed is worth nothing.
      Vector<double> seen(std::size_t(n + m - 1), 0.0);
      const std::int64_t low = here[k].low + beside.low;
      for (std::int64_t x = std::max(low, worth.low); x < std::min(low + n + m - 1, worth.end()); ++x)
        seen[std::size_t(x - low)] = worth.values[std::size_t(x - worth.low)];
      add_seen_through(Floats{}, here[k].values.data(), n, beside.values.data(), m, seen.data());
    }
    above = std::move(here);
  }
  Vector<Vector<double>> others;
  others.reserve(above.size());
  for (Window& window : above) others.push_back(std::move(window.values));
  return others;
}

// The shares of the whole, by group and number of mines; empty if one of them could be wrong.
Vector<double> OnCircles::lower(std::size_t i, const Vector<double>& others, Crew* crew, Guard& guard) const {
  if (!trusted_) return {};
  const Diagram& d = *c_.pieces[i].diagram;
  const Piece& own = pieces_[i];
  const Circle& circle = own.circle;
  const Vector<std::size_t>& first = circle.first;

  // What the points are worth, alone and together.
  Vector<AtAngles::T> worth(own.batches.size(), AtAngles::T{});
  double together = 0;
  const auto turns = circle.turns();
  const std::int64_t low = tree_.front()[i].low;
  for (std::int32_t k = 0; k < circle.half(); ++k) {
    guard.tick(std::uint32_t(circle.points));
    std::complex<double> sum = 0;
    for (std::int64_t j = 0; j < circle.points; ++j)
      sum += others[std::size_t(j)] * std::conj(turns[std::size_t(j * k % circle.points)]);
    sum *= Circle::times(k) / circle.points;
    together += std::abs(sum);
    const auto batch = std::ranges::lower_bound(own.batches, std::size_t(k / AtAngles::kPoints));
    if (batch != own.batches.end() && *batch == std::size_t(k / AtAngles::kPoints))
      worth[std::size_t(batch - own.batches.begin())].set(k % AtAngles::kPoints,
                                                          sum * circle.turned_back(k, low) / own.worth);
  }

  Vector<Vector<double>> shares(own.batches.size());
  Vector<double> plain(first.back(), 0.0);  // at the first point, where nothing cancels
  Vector<std::uint8_t> possible(first.back(), 0);
  each_batch(own.batches, crew, guard, [&](std::size_t place, std::size_t batch, Tables& tables, Guard& mine) {
    const AtAngles a(d, circle, batch);
    Vector<AtAngles::T> sums(first.back(), a.zero());
    upward(d, a, tables.up, mine, [](std::size_t) { return true; });
    downward(d, a, tables.up, worth[place], tables.down, mine,
             [&](std::int32_t group, std::int32_t value, const AtAngles::T& x) {
               const std::size_t at = first[std::size_t(group)] + std::size_t(value);
               a.add(sums[at], x);
               if (batch == 0) possible[at] = 1;
             });
    for (const auto& x : sums) shares[place].push_back(std::accumulate(std::begin(x.re), std::end(x.re), 0.0));
    if (batch == 0)
      for (std::size_t k = 0; k < sums.size(); ++k) plain[k] = sums[k].re[0] / worth[0].re[0] / own.worth;
  });
  Vector<double> all(first.back(), 0.0);
  for (const auto& batch : shares)
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += batch[k];
  // The points cancel, and what the others are worth has come out of such points.
  const double cut = 4 * double(pieces_.size() + 1) * std::exp2(-kTailBits) * most_;
  const auto is_sure = [&](double share, double without) {
    return share * kMostCancelled >= (together + most_) * without && share * kMostCut >= cut;
  };
  for (std::size_t g = 0; g < d.sizes.size(); ++g) {
    double mined = 0, free = 0, mined_plain = 0, free_plain = 0;
    bool may_be_mined = false, may_be_free = false;
    for (std::int32_t value = 0; value <= d.sizes[g]; ++value) {
      const std::size_t at = first[g] + std::size_t(value);
      const double open = d.sizes[g] - value;
      mined += value * all[at];
      free += open * all[at];
      mined_plain += value * plain[at];
      free_plain += open * plain[at];
      may_be_mined = may_be_mined || (possible[at] && value > 0);
      may_be_free = may_be_free || (possible[at] && open > 0);
    }
    // All solutions put some number of mines there. (What is no number, or beyond all, is not near either.)
    const bool is_whole = std::abs((mined + free) / d.sizes[g] - whole_) <= 0x1p-30 * whole_;
    if (!is_whole || (may_be_mined && !is_sure(mined, mined_plain)) || (may_be_free && !is_sure(free, free_plain))) {
      trusted_ = false;
      return {};
    }
  }
  return all;
}

}  // namespace sapper
