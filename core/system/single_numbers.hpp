// The labels of a field as sets of cells, and what each number says by itself, all numbers at once.
//
// A set has a bit a cell, 64 to a word. Where all neighbours are a few steps away (a lattice), moving
// whole words by each step counts the neighbours of 64 cells at a time, in planes of bits; a number
// that equals the count of its open neighbours, or of its known mines, decides the rest of them. This
// is the rule of `Knowledge`, a few times over, before any clue is written down: on most boards few
// numbers are left. There is no branch to guess wrong, which is what costs most where labels change
// from cell to cell.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/memory.hpp"

namespace sapper {

struct Adjacency;

class SingleNumbers {
 public:
  using Word = std::uint64_t;

  // With `settle` the rule is applied; without it nothing is found.
  SingleNumbers(const Adjacency& field, std::span<const std::int32_t> labels, bool settle);

  std::span<const Word> covered() const { return {covered_.data(), words_}; }
  // Covered cells that single numbers decide. Where numbers contradict each other one of them stays
  // open, and cannot be met.
  std::span<const Word> found_mines() const { return found(0); }
  std::span<const Word> found_free() const { return found(1); }
  bool found_any() const { return found_any_; }
  std::span<const Word> known_mines() const { return {labelled_.data(), words_}; }
  // Numbers that say more than what was found, and maybe some that do not.
  std::span<const Word> open() const { return {open_.data(), words_}; }

 private:
  std::span<const Word> found(std::size_t i) const { return {found_.data() + i * words_, words_}; }
  template <int P>
  void settle(const Adjacency& field, std::span<const Word> planes);

  std::size_t words_;
  bool found_any_ = false;
  Vector<Word> covered_, labelled_, open_;
  Vector<Word> found_;
};

inline std::size_t size_of(std::span<const SingleNumbers::Word> cells) {
  std::size_t n = 0;
  for (const auto word : cells) n += std::size_t(std::popcount(word));
  return n;
}

// f(cell) for each cell of a set, ascending.
template <class F>
void for_cells(std::span<const SingleNumbers::Word> cells, F&& f) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (auto word = cells[i]; word != 0; word &= word - 1)
      f(std::int32_t(i * 64) + std::countr_zero(word));
}

}  // namespace sapper
