// Lists of different lengths, one after the other in one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/memory.hpp"

namespace sapper {

template <class T, class Index = std::int32_t>
class Rows {
 public:
  Rows() = default;
  // An index: `each(put)` calls put(row, item) for all items, in the same order whenever it is
  // called (twice). Within a row that order stays.
  template <class Each>
  Rows(std::size_t rows, Each&& each) : offsets_(rows + 2, 0) {
    each([&](auto row, const T&) { ++offsets_[std::size_t(row) + 2]; });
    for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    items_.resize(std::size_t(offsets_.back()));
    // Each place that is filled moves the beginning of its row on, in the end to that of the next.
    each([&](auto row, const T& item) { items_[std::size_t(offsets_[std::size_t(row) + 1]++)] = item; });
    offsets_.pop_back();
  }

  std::span<const T> operator[](std::size_t row) const {
    return {items_.data() + offsets_[row], items_.data() + offsets_[row + 1]};
  }

 private:
  Vector<Index> offsets_;
  Vector<T> items_;
};

}  // namespace sapper
