#include "passes/on_circles.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "passes/evaluate.hpp"

namespace sapper {

namespace {

using Long = std::complex<long double>;

constexpr double kTailBits = 112;      // less than 2^-this is so many mines away that it is taken for the total
constexpr double kFarthest = 16;       // a mine weighs 2^-16 to 2^16
constexpr std::int64_t kMostPoints = 1 << 20;
// Of a share that is trusted: without the total it may be so many times as large, and so much may be left out.
constexpr double kMostCancelled = 0x1p8, kMostCut = 0x1p-42;
constexpr std::uint64_t kMostKept = 96'000'000;  // bytes of passes up, and in so many batches of a piece
constexpr std::size_t kBatchesKept = 3;
constexpr std::uint64_t kLarge = 2'000;          // nodes of a piece that all threads share

// How often a point of half the circle counts.
double times(std::int32_t place) { return place == 0 ? 1 : 2; }

Long power(Long x, std::int64_t n) {
  Long result = 1;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) result *= x;
  return result;
}

std::size_t batches_of(std::size_t points) { return (points + AtAngles::kPoints - 1) / AtAngles::kPoints; }

// f(batch, table, guard) for some batches, with memory that each thread uses again.
template <class F>
void each_batch(std::size_t from, std::size_t end, Crew* crew, Guard& guard, F&& f) {
  if (from >= end) return;
  const std::size_t parts = crew ? std::min<std::size_t>(end - from, crew->threads()) : 1;
  each(parts, crew, guard, [&](std::size_t part, Guard& own) {
    Space<AtAngles> table;
    for (std::size_t k = from + part; k < end; k += parts) f(k, table, own);
  });
}

// Is there any for the value at a place?
bool has_arc(const Diagram& d, const Diagram::Level& level, std::int32_t v) {
  for (std::uint64_t k = level.arc_begin + std::uint64_t(v); k < level.arc_end; k += std::uint64_t(level.values))
    if (d.arcs[k] != Diagram::kNone) return true;
  return false;
}

Vector<std::complex<double>> turns_of(auto points) {
  Vector<std::complex<double>> turns;
  for (const auto& point : points) turns.push_back(point.turn);
  return turns;
}

}  // namespace

std::span<const OnCircles::Point> OnCircles::batch(const Piece& piece, std::size_t k) const {
  const std::span points(rounds_[piece.round]);
  const std::size_t from = k * AtAngles::kPoints;
  return points.subspan(from, std::min<std::size_t>(AtAngles::kPoints, points.size() - from));
}

OnCircles::OnCircles(const Compiled& c, Crew* crew, Guard& guard)
    : c_(c), crew_(crew), mines_(c.total - c.forced_mines), pieces_(c.pieces.size()) {
  if (c.pieces.empty() || !find_weight(guard) || !find_points(guard)) return;
  raise_all(guard);
  combine(guard);
  const double part = weight_ / (1 + weight_);
  trusted_ = is_sure(whole_, 1) && (c.free.empty() || (is_sure(one_mined_, part) && is_sure(one_open_, 1 - part)));
  log2_whole_ =
      std::log2(whole_) + double(c.free.size()) * std::log2(1 + weight_) - double(mines_) * std::log2(weight_);
  for (const Piece& piece : pieces_) log2_whole_ += piece.plain.bits;
}

// Newton's method, until the total is within a quarter of a standard deviation of the mines to be expected.
bool OnCircles::find_weight(Guard& guard) {
  constexpr int kTries = 12;
  const auto free = double(c_.free.size());
  for (int i = 0; i < kTries; ++i) {
    each_piece(c_, crew_, guard, [&](std::size_t p, Guard& own) {
      pieces_[p].plain = expected(*c_.pieces[p].diagram, weight_, own);
    });
    const double part = weight_ / (1 + weight_);
    double mean = free * part;
    variance_ = mean * (1 - part);
    for (const Piece& piece : pieces_) {
      if (!piece.plain.fits) return false;
      mean += piece.plain.mean;
      variance_ += piece.plain.variance;
    }
    const double off = double(mines_) - mean;
    if (!(variance_ > 0 && std::isfinite(variance_))) return false;
    if (16 * off * off <= variance_) return true;
    const double step = std::clamp(off / variance_ / std::numbers::ln2, -1.5, 1.5);
    int exponent;
    const double digits = std::frexp(weight_ * std::exp2(step), &exponent);
    const double next = std::ldexp(std::round(std::ldexp(digits, 10)), exponent - 10);
    if (next == weight_) return true;  // as near as so few digits come
    weight_ = next;
    if (std::abs(std::log2(weight_)) > kFarthest) return false;
  }
  return false;
}

// How many points the circle has, and those at which the free cells are worth something.
bool OnCircles::find_points(Guard& guard) {
  const auto free = std::int64_t(c_.free.size());
  // The chance of n mines or more is at most 2^-(step n) of what all is worth if a mine weighs 2^step more. No piece has
  // more mines than cells.
  const double step = std::sqrt(2 * kTailBits / std::numbers::ln2 / std::max(variance_, 1.0));
  Vector<double> more(pieces_.size()), less(pieces_.size());
  each_piece(c_, crew_, guard, [&](std::size_t i, Guard& own) {
    const Diagram& d = *c_.pieces[i].diagram;
    const auto cells = double(c_.pieces[i].part.variables.size());
    const Expected up = expected(d, weight_ * std::exp2(step), own), down = expected(d, weight_ * std::exp2(-step), own);
    more[i] = up.fits ? up.bits - pieces_[i].plain.bits : cells * step;
    less[i] = down.fits ? down.bits - pieces_[i].plain.bits : 0;
  });
  const auto all = [&](const Vector<double>& of, double sign) {
    const double of_free = std::log2((1 + weight_ * std::exp2(sign * step)) / (1 + weight_));
    return (std::accumulate(of.begin(), of.end(), double(free) * of_free) + kTailBits) / step - sign * double(mines_);
  };
  auto most = double(free);
  for (const auto& piece : c_.pieces) most += double(piece.part.variables.size());
  const double away = std::min(std::ceil(std::max(all(more, 1), all(less, -1))), most + 1);
  if (!(away <= double(kMostPoints))) return false;
  circle_ = std::max(std::int64_t(away), std::int64_t(1)) | 1;
  Vector<Point>& points = rounds_.emplace_back();
  for (std::int32_t k = 0; k <= circle_ / 2; ++k) {
    guard.tick();
    Point point{k, std::polar(1.0, 2 * std::numbers::pi * double(k) / double(circle_)), {}};
    // One of the free cells is looked at by itself.
    if (free > 1) point.bounds.up = std::pow(std::abs(1.0 + weight_ * point.turn) / (1 + weight_), double(free - 1));
    if (k > 0 && point.bounds.up <= Stillness::kNothing) break;  // and so it is at all that follow
    point.bounds.within = 0;  // of pieces that were passed: none
    points.push_back(point);
  }
  return true;
}

// Small pieces first, more and more at once: what they are worth leaves fewer points for the others.
void OnCircles::raise_all(Guard& guard) {
  Vector<std::size_t> small, large;
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    (c_.pieces[i].diagram->nodes < kLarge ? small : large).push_back(i);
  const auto nodes = [&](std::size_t i) { return c_.pieces[i].diagram->nodes; };
  std::ranges::stable_sort(large, {}, nodes);
  // At most points those are worth little that can have many numbers of mines; the next ones are not passed there.
  std::ranges::stable_sort(small, std::greater(), [&](std::size_t i) { return pieces_[i].plain.variance; });
  const std::uint64_t bytes = std::min(kMostKept, (guard.limits().bytes - guard.bytes()) / 4);
  std::uint64_t kept = 0;
  for (const auto* some : {&large, &small})
    for (const std::size_t i : *some) {
      const std::uint64_t own = nodes(i) * sizeof(AtAngles) * kBatchesKept;
      pieces_[i].keeps = kept + own <= bytes;
      if (pieces_[i].keeps) kept += own;
    }
  for (std::size_t from = 0, size = 4; from < small.size(); from += size, size *= 2) {
    const auto some = std::span(small).subspan(from, std::min(size, small.size() - from));
    each(some.size(), crew_, guard, [&](std::size_t k, Guard& own) { raise(some[k], nullptr, own); });
    end_round(some, guard);
  }
  for (const std::size_t& i : large) {
    raise(i, crew_, guard);
    end_round({&i, 1}, guard);
  }
}

// Up, at all points that are left.
void OnCircles::raise(std::size_t i, Crew* crew, Guard& guard) {
  const Diagram& d = *c_.pieces[i].diagram;
  Piece& own = pieces_[i];
  own.first = first_of_groups(d);
  own.round = rounds_.size() - 1;
  own.values.resize(rounds_.back().size());
  const std::size_t batches = batches_of(own.values.size());
  const bool looks = batches > 1 && d.nodes >= kLarge;
  if (own.keeps) own.kept.resize(std::min(batches, kBatchesKept));
  if (looks) own.is_still.resize(own.values.size());
  Stillness stillness(d);
  const auto pass = [&](std::size_t k, Stillness::Watch* watch, Space<AtAngles>& table, Guard& mine) {
    const auto turns = turns_of(batch(own, k));
    const bool is_there = raise_at_angles(d, Turned(d, own.plain.weights, own.first, turns), watch, table, mine);
    for (std::size_t j = 0, at = k * AtAngles::kPoints; j < turns.size(); ++j, ++at) {
      if (is_there) own.values[at] = table.back()[std::int32_t(j)];
      if (watch != nullptr) own.is_still[at] = watch->is_still(std::int32_t(j));
    }
    if (k == 0 && looks) stillness.begin(table);
    if (is_there && k < own.kept.size()) own.kept[k].swap(table);
  };
  each_batch(0, 1, nullptr, guard,
             [&](std::size_t k, Space<AtAngles>& table, Guard& mine) { pass(k, nullptr, table, mine); });
  own.worth = own.values.front().real();
  each_batch(1, batches, crew, guard, [&](std::size_t k, Space<AtAngles>& table, Guard& mine) {
    if (!looks) return pass(k, nullptr, table, mine);
    Vector<Bounds> outside;
    for (const Point& point : batch(own, k)) outside.push_back(point.bounds);
    Stillness::Watch watch(stillness, outside);
    pass(k, &watch, table, mine);
  });
  for (Complex& value : own.values) value /= own.worth;
}

// What the pieces say of the points, as `Stillness` says it where tables meet; and the points that are left.
void OnCircles::end_round(std::span<const std::size_t> pieces, Guard& guard) {
  Vector<Point> left;
  for (std::size_t k = 0; k < rounds_.back().size(); ++k) {
    guard.tick(std::uint32_t(pieces.size()));
    Point point = rounds_.back()[k];
    auto& [up, within] = point.bounds;
    bool is_still = false;
    for (const std::size_t i : pieces) {
      const Complex value = pieces_[i].values[k];
      const double own = std::min(1.0, std::abs(value.real()) + std::abs(value.imag()));
      within = std::max(within * own, up);
      up *= own;
      is_still = is_still || (!pieces_[i].is_still.empty() && pieces_[i].is_still[k]);
    }
    is_still = is_still || std::max(up, within) <= Stillness::kNothing;
    if (k == 0 || !is_still) left.push_back(point);
  }
  rounds_.push_back(std::move(left));
}

// What all are worth together, and without each piece.
void OnCircles::combine(Guard& guard) {
  const auto& points = rounds_.back();
  const std::size_t n = points.size();
  const auto free = std::int64_t(c_.free.size());
  const double part = weight_ / (1 + weight_);
  // Of the free cells, turned back by the total; in step with the powers that passes make of a rounded point. And of
  // all of them but one.
  Vector<Complex> of_free, but_one;
  Vector<double> size;
  for (const Point& point : points) {
    const Long turn(point.turn), one = (Long(1) + Long(weight_) * turn) / (Long(1) + Long(weight_));
    const Long back = Long(times(point.place) / double(circle_)) / power(turn, mines_);
    but_one.push_back(Complex(free > 1 ? back * power(one, free - 1) : back));
    of_free.push_back(Complex(back * power(one, free)));
    size.push_back(std::abs(but_one.back()));
  }
  // f(piece, k, value) for each point that is left.
  const auto at_points = [&](Piece& piece, auto&& f) {
    const auto& all = rounds_[piece.round];
    guard.tick(std::uint32_t(all.size() + 4 * n));
    for (std::size_t k = 0, at = 0; k < n; ++k) {
      while (all[at].place != points[k].place) ++at;
      f(k, piece.values[at]);
    }
  };
  // What one piece is wrong by counts as much as all others are worth, to each of them: without the two that are worth
  // least.
  Vector<double> least(n, 1.0), next(n, 1.0);
  Vector<Complex> product(n, 1.0);
  for (Piece& piece : pieces_) {
    piece.others = product;
    at_points(piece, [&](std::size_t k, const Complex& value) {
      product[k] *= value;
      const double own = std::min(1.0, std::abs(value));
      size[k] *= std::max(own, next[k]);
      next[k] = std::min(next[k], std::max(own, least[k]));
      least[k] = std::min(least[k], own);
    });
  }
  together_ = std::accumulate(size.begin(), size.end(), 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    whole_ += (product[k] * of_free[k]).real();
    one_mined_ += (product[k] * but_one[k] * points[k].turn).real() * part;
    one_open_ += (product[k] * but_one[k]).real() * (1 - part);
  }
  product = of_free;
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece)
    at_points(*piece, [&](std::size_t k, const Complex& value) {
      piece->others[k] *= product[k];
      product[k] *= value;
    });
}

// Rounding is some part of what there would be without the total, and so is what the points are worth that were left
// out. What is as far away as the circle has points was taken for the total.
bool OnCircles::is_sure(double share, double without) const {
  return share * kMostCancelled >= together_ * without &&
         share * kMostCut >= Stillness::kNothing * without + 4 * std::exp2(-kTailBits);
}

// The shares of the whole, by group and number of mines; empty if one of them could be wrong.
Vector<double> OnCircles::lower(std::size_t i, Crew* crew, Guard& guard) const {
  if (!trusted_) return {};
  const Diagram& d = *c_.pieces[i].diagram;
  const Piece& own = pieces_[i];
  const Vector<std::size_t>& first = own.first;
  const auto &passed = rounds_[own.round], &left = rounds_.back();
  Vector<AtAngles> roots(batches_of(passed.size()), AtAngles{});
  Vector<std::size_t> batches;
  for (std::size_t k = 0, at = 0; k < left.size(); ++k) {
    while (passed[at].place != left[k].place) ++at;
    const std::size_t here = at / AtAngles::kPoints;
    roots[here].set(std::int32_t(at % AtAngles::kPoints), own.others[k] / own.worth);
    if (batches.empty() || batches.back() != here) batches.push_back(here);
  }
  Vector<Vector<double>> shares(batches.size());
  Vector<double> plain(first.back(), 0.0);  // at the first point, where nothing cancels
  each_batch(0, batches.size(), crew, guard, [&](std::size_t k, Space<AtAngles>& table, Guard& mine) {
    const std::size_t here = batches[k];
    const auto turns = turns_of(batch(own, here));
    const Turned turned(d, own.plain.weights, first, turns);
    if (here < own.kept.size() && !own.kept[here].empty())
      table = std::move(own.kept[here]);
    else
      raise_at_angles(d, turned, nullptr, table, mine);
    shares[k].assign(first.back(), 0.0);
    lower_at_angles(d, turned, first, roots[here], table, shares[k],
                    here == 0 ? std::span<double>(plain) : std::span<double>(), mine);
  });
  Vector<double> all(first.back(), 0.0);
  for (const auto& batch : shares)
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += batch[k];
  for (double& x : plain) x *= double(circle_);
  // What is too rare for doubles is not to be taken for impossible.
  for (const auto& level : d.levels)
    for (std::int32_t v = 0; !level.is_join() && v < level.values; ++v)
      if (plain[first[std::size_t(level.group)] + std::size_t(level.value_low + v)] == 0 && has_arc(d, level, v)) {
        trusted_ = false;
        return {};
      }
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
      may_be_mined = may_be_mined || (plain[at] > 0 && value > 0);
      may_be_free = may_be_free || (plain[at] > 0 && open > 0);
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
