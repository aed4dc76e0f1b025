// How many mines there can be, as spans: the least, the most, and how far two numbers in a row are apart at most.
//
// Under a total each way through a diagram asks whether ways with the right number of mines go through it. The set of all
// numbers would take a bit for each; a span takes three numbers, and spans add up and multiply like anything else that
// is passed. Gaps may be told too wide, never too narrow: where the total lies between the least and the most and there
// is no gap, there is a way; where it lies outside, there is none. Else other passes have to tell. They seldom do: what
// has all numbers between two, as free cells have, closes gaps that are not wider.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sapper {

struct Span {
  std::int32_t least = 0, most = -1;  // none at all
  std::int32_t gap = 1;

  bool empty() const { return most < least; }
  // Not if it is certain that the number is none of them.
  bool may_have(std::int64_t number) const { return least <= number && number <= most; }
  bool surely_has(std::int64_t number) const {
    return may_have(number) && (gap == 1 || number == least || number == most);
  }
};

struct Spans {
  using T = Span;
  T zero() const { return {}; }
  T one() const { return {0, 0, 1}; }
  // What either has.
  void add(T& x, const T& y) const {
    if (y.empty()) return;
    if (x.empty()) {
      x = y;
      return;
    }
    const std::int32_t apart = std::max(x.least, y.least) - std::min(x.most, y.most);
    x = {std::min(x.least, y.least), std::max(x.most, y.most), std::max({x.gap, y.gap, apart})};
  }
  // Sums of a number of each: one of them again and again, a gap of the other farther on each time.
  T multiply(const T& x, const T& y) const {
    if (x.empty() || y.empty()) return {};
    const std::int32_t wide_x = x.most - x.least, wide_y = y.most - y.least;
    return {x.least + y.least, x.most + y.most,
            std::min(std::max(y.gap, x.gap - wide_y), std::max(x.gap, y.gap - wide_x))};
  }
  T weight(std::int32_t, std::int32_t, std::int32_t value) const { return {value, value, 1}; }
};

}  // namespace sapper
