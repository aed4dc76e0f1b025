#include "passes/tilted.hpp"

#include <algorithm>
#include <cmath>

namespace sapper {

namespace {

// A tilt that is so much better is worth a new table, and one that is worse than this is no use.
constexpr double kBetter = 8;
constexpr double kHopeless = 1e-4;

}  // namespace

bool TiltedWalker::pays(const Piece& piece, double bits, std::uint64_t bytes) {
  const MineRanges ranges(*piece.diagram);
  return bytes_of_values(Naturals<BigNat>{bits}, ranges.entries) > bytes;
}

TiltedWalker::TiltedWalker(const Piece& piece, Guard& guard)
    : piece_(piece), counts_(count_by_mines(piece, guard)) {
  logs_.reserve(counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) logs_.push_back(counts_[i].wide().log2());
}

Vector<BigNat> TiltedWalker::ways() const {
  Vector<BigNat> result;
  result.reserve(counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) result.push_back(counts_[i]);
  return result;
}

double TiltedWalker::bits(Tilt tilt) const {
  const double mine = std::log2(double(tilt.mine)), free = std::log2(double(tilt.free));
  const auto cells = double(piece_.part.variables.size());
  double most = 0;
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    const double mines = double(counts_.least) + double(i);
    most = std::max(most, logs_[i] + mines * mine + (cells - mines) * free);
  }
  return most + std::log2(double(logs_.size())) + 1;
}

double TiltedWalker::chance(std::int64_t mines, Tilt tilt) const {
  const double step = std::log2(double(tilt.mine)) - std::log2(double(tilt.free));
  const auto at = double(mines - counts_.least);
  const double own = logs_[std::size_t(mines - counts_.least)] + at * step;
  double sum = 0;
  for (std::size_t i = 0; i < logs_.size(); ++i)
    sum += std::exp2(std::min(1000.0, logs_[i] + double(i) * step - own));
  return 1 / sum;
}

void TiltedWalker::expect(std::int64_t mines, Guard& guard) {
  if (by_mines_) return;
  const double now = walker_ ? chance(mines, tilt_) : 0;
  Tilt best = tilt_;
  double most = now;
  auto consider = [&](Tilt tilt) {
    const double found = chance(mines, tilt);
    if (found > most) {
      most = found;
      best = tilt;
    }
  };
  // From one to the next the odds change by a third or by half.
  for (std::uint64_t power = 1; power <= 64; power *= 2) {
    consider({power, 1});
    consider({1, power});
    consider({3 * power, 2});
    consider({2, 3 * power});
  }
  if (walker_ && most < kBetter * now) return;
  walker_.reset();
  by_mines_ = most < kHopeless;
  tilt_ = best;
  const Naturals<BigNat> a{bits(best), best.mine, best.free};
  walker_ = std::make_unique<CountingWalker<BigNat>>(
      piece_, by_mines_, by_mines_ ? Naturals<BigNat>{bits({})} : a, guard);
}

void TiltedWalker::walk(std::int64_t mines, Random& random, std::uint8_t* out, Guard& guard) {
  expect(mines, guard);
  if (by_mines_) {
    walker_->walk(mines, random, out, guard);
    return;
  }
  for (;;) {
    walker_->walk(-1, random, out, guard);
    if (walker_->placed() == mines) return;
    for (const std::int32_t v : piece_.part.variables) out[v] = 0;
  }
}

}  // namespace sapper
