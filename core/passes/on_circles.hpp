// Chances under a mine total, from plain passes at points on a circle.
//
// Let a mine weigh so much that the total is the number of mines to be expected. The worth of all solutions with the
// total is then a coefficient of a polynomial, the product of those of all pieces and of the free cells. It follows from
// their values at n points of a circle, and with it the next ones do that are n mines or more away: so n is such that
// those are worth less than 2^-112 of all, by Chernoff's bound. That takes some standard deviations of mines, however
// many there could be. At a point a pass is a plain one: there are no polynomials to be multiplied where tables meet. And
// away from the first point waves of all lengths cancel: on most boards all but some twenty points are worth nothing,
// whatever their size. What the free cells and the small pieces are worth at a point tells that of most of them before a
// large piece is passed there, and `Stillness` of others on the way. What a piece is worth at a point is multiplied with
// what all others are worth there: a pass down at each of them.
//
// Unlike in all other passes numbers cancel here. What that can do is known: a share of the whole is wrong by some
// 2^-50 of what it would be without the total, where nothing cancels, and by what was left out. If that is too much for
// any chance (events that hardly go with the total, or are rare beyond belief) all is done in another way. So a cell that
// may be mined, or free, without the total has been seen to be so under it: verdicts are those without the total.
#pragma once

#include <atomic>
#include <complex>
#include <cstdint>
#include <span>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/at_angles.hpp"
#include "passes/expected.hpp"
#include "passes/pieces.hpp"

namespace sapper {

// All pieces and the free cells under the total; as UnderTotal, in parts of what all are worth without it.
class OnCircles {
 public:
  OnCircles(const Compiled& c, Crew* crew, Guard& guard);

  // False if the total is too far from what can be expected; then there is nothing else to ask. Or if a pass found that
  // a chance of its piece could be wrong.
  bool trusted() const { return trusted_; }
  double log2_whole() const { return log2_whole_; }

  // Free cells are all alike: as if all were mined as often as one of them is, or none.
  template <class F>
  void for_free(F&& f) const {
    f(std::int64_t(0), c_.free.empty() ? whole_ : one_open_);
    if (!c_.free.empty()) f(std::int64_t(c_.free.size()), one_mined_);
  }

  template <class F>
  void for_pieces(Guard& guard, F&& f) const {
    share_pieces(c_, crew_, guard, [&](std::size_t i, Crew* crew, Guard& own) {
      f(i, [&](auto&& share) {
        const Vector<double> shares = lower(i, crew, own);
        auto next = shares.begin();
        const auto& sizes = c_.pieces[i].diagram->sizes;
        for (std::size_t g = 0; g < sizes.size() && next != shares.end(); ++g)
          for (std::int32_t value = 0; value <= sizes[g]; ++value) share(std::int32_t(g), value, *next++);
      });
    });
  }

 private:
  using Complex = std::complex<double>;
  struct Point {
    std::int32_t place;  // on the circle
    Complex turn;        // as a number of length one
    Bounds bounds;       // of what has been passed there
  };
  struct Piece {
    Expected plain;                       // without the total
    Vector<std::size_t> first;            // by group: where its numbers of mines begin
    std::size_t round = 0;                // which of them it was passed in
    Vector<Complex> values;               // at the points of that round, of what it is worth at the first
    Vector<std::uint8_t> is_still;        // there, if that was looked for: is the point worth nothing?
    double worth = 0;                     // that
    bool keeps = false;
    mutable Vector<Space<AtAngles>> kept;  // by batch: the pass up, until the pass down needs it; or nothing
    Vector<Complex> others;               // by point that is left: the worth of all else
  };

  bool find_weight(Guard& guard);
  bool find_points(Guard& guard);
  void raise_all(Guard& guard);
  void raise(std::size_t i, Crew* crew, Guard& guard);
  void end_round(std::span<const std::size_t> pieces, Guard& guard);
  std::span<const Point> batch(const Piece& piece, std::size_t k) const;
  void combine(Guard& guard);
  bool is_sure(double share, double without) const;
  Vector<double> lower(std::size_t i, Crew* crew, Guard& guard) const;

  const Compiled& c_;
  Crew* crew_;
  mutable std::atomic<bool> trusted_ = false;
  std::int64_t mines_;      // for pieces and free cells
  double weight_ = 1;       // of a mine, with so few bits that small powers are exact
  double variance_ = 0;     // of the mines of all
  std::int64_t circle_ = 1;  // points on it: an odd number, so that all but the first are conjugate to another one
  Vector<Vector<Point>> rounds_;  // the points of half the circle that may be worth something, when a round begins
  Vector<Piece> pieces_;
  double together_ = 0;     // what the points are worth, at most, without two of the pieces
  double whole_ = 0, log2_whole_ = 0;
  double one_mined_ = 0, one_open_ = 0;  // of the whole: those where a free cell is so
};

}  // namespace sapper
