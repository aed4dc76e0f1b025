// Chances under a mine total, from plain passes at points on circles.
//
// Let a mine weigh so much that the total is the number of mines to be expected. Then a piece is worth next to nothing
// but for some standard deviations of mines around what it is expected to have, however many it could have: a window,
// of which Chernoff's bound says that less than 2^-120 of all is outside. Its n coefficients follow from the values of
// the polynomial at n points of a circle. At a point a pass is a plain one: there are no polynomials to be multiplied
// where tables meet. And away from the first point waves of all lengths cancel: where tables meet all but some forty
// points are worth nothing, whatever the size of the piece, and `Stillness` tells which. The windows of all pieces are multiplied, and what the
// others are worth to a piece becomes, transformed, what its points are worth to all: a pass down at each of them.
//
// Unlike in all other passes numbers cancel here. What that can do is known: a share of the whole is wrong by some
// 2^-50 of what it would be without the total, where nothing cancels, and by what was cut off. If that is too much for
// any chance (events that hardly go with the total, or are rare beyond belief) all is done in another way. So a cell that
// may be mined, or free, without the total has been seen to be so under it: verdicts are those without the total.
#pragma once

#include <atomic>
#include <cstdint>

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

  template <class F>
  void for_free(F&& f) const {
    for (std::size_t x = 0; x < worth_.values.size(); ++x) {
      const std::int64_t rest = mines_ - worth_.low - std::int64_t(x);
      if (rest >= 0 && rest <= std::int64_t(c_.free.size())) f(rest, worth_.values[x] * all().values[x]);
    }
  }

  template <class F>
  void for_pieces(Guard& guard, F&& f) const {
    const auto others = worth_of_others(guard);
    share_pieces(c_, crew_, guard, [&](std::size_t i, Crew* crew, Guard& own) {
      f(i, [&](auto&& share) {
        const Vector<double> shares = lower(i, others[i], crew, own);
        auto next = shares.begin();
        const auto& sizes = c_.pieces[i].diagram->sizes;
        for (std::size_t g = 0; g < sizes.size() && next != shares.end(); ++g)
          for (std::int32_t value = 0; value <= sizes[g]; ++value) share(std::int32_t(g), value, *next++);
      });
    });
  }

 private:
  // Values for numbers of mines from `low` on.
  struct Window {
    std::int64_t low = 0;
    Vector<double> values;
    std::int64_t end() const { return low + std::int64_t(values.size()); }
  };
  struct Piece {
    Expected plain;               // without the total
    Circle circle;
    double worth = 0;             // of all at the first point
    Vector<std::size_t> batches;  // of points that are worth anything
  };

  bool find_weight(Guard& guard);
  void raise(std::size_t i, Crew* crew, Guard& guard);
  const Window& all() const { return tree_.back().front(); }
  Vector<Vector<double>> worth_of_others(Guard& guard) const;
  Vector<double> lower(std::size_t i, const Vector<double>& others, Crew* crew, Guard& guard) const;

  const Compiled& c_;
  Crew* crew_;
  mutable std::atomic<bool> trusted_ = false;
  std::int64_t mines_;          // for pieces and free cells
  double weight_ = 1;           // of a mine, with so few bits that small powers are exact
  Vector<Piece> pieces_;
  Vector<Vector<Window>> tree_; // the pieces' windows, products of two of them, and so on to that of all
  Window worth_;                // of the free cells, by number of mines in all pieces
  double most_ = 0;             // of its values
  double whole_ = 0, log2_whole_ = 0;
};

}  // namespace sapper
