// The system of clues: what a minefield looks like once the board is forgotten.
//
// Variables 0..variables-1 are the covered cells, each 0 (free) or 1 (mine). A clue says that a
// weighted sum of some variables equals a number. The total, if any, says how many variables are 1.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"

namespace sapper {

// Neighbour lists of a field, in compressed rows; shared by all positions on the same topology.
struct Adjacency {
  Vector<std::int32_t> offsets;  // cells + 1 entries
  Vector<std::int32_t> targets;
  // Of a lattice, if there are few: the steps from any cell to a neighbour, and for each of them the
  // cells that have such a neighbour, as bits.
  Vector<std::int32_t> steps;
  Vector<std::uint64_t> has_step;

  std::int32_t cells() const { return static_cast<std::int32_t>(offsets.size()) - 1; }
  std::uint64_t bytes() const {
    return (offsets.capacity() + targets.capacity() + steps.capacity()) * sizeof(std::int32_t) +
           has_step.capacity() * sizeof(std::uint64_t);
  }
  std::span<const std::int32_t> of(std::int32_t cell) const {
    return {targets.data() + offsets[cell], targets.data() + offsets[cell + 1]};
  }
  // A lattice of any dimension whose neighbourhood is a list of offsets, one number an axis. With
  // `wrap` all directions close up. Cells that coincide on tiny tori count once, a cell is never
  // its own neighbour.
  static Adjacency lattice(std::span<const std::int32_t> sides,
                           std::span<const std::int32_t> flat_offsets, bool wrap);
  static Adjacency lattice(std::int32_t height, std::int32_t width,
                           std::span<const std::int32_t> flat_offsets, bool wrap) {
    const std::int32_t sides[] = {height, width};
    return lattice(sides, flat_offsets, wrap);
  }

 private:
  void find_steps();
};

// Codes of labels that are not numbers; numbers are themselves.
enum LabelCode : std::int32_t { kCovered = -1, kMine = -2, kFree = -3 };

struct System {
  std::int32_t variables = 0;
  Vector<std::int32_t> offsets{0};  // clues + 1 entries
  Vector<std::int32_t> cells;       // variables of each clue
  Vector<std::int64_t> weights;     // parallel to `cells`; empty: all weights are 1
  Vector<std::int64_t> counts;      // right-hand sides
  std::int64_t total = -1;               // mines among the variables; -1: not given
  bool has_total = false;
  Vector<std::int32_t> cell_of;   // variable -> cell of the field (from_labels only)
  Vector<std::int32_t> place_of;  // clue -> cell of its number (from_labels only)
  Vector<std::int8_t> values;     // of variables that are known and left out of the clues; -1: unknown.
                                  // Empty: none is known (from_labels only)
  std::uint64_t field_bytes = 0;       // of the neighbour lists it was made from (from_labels only)

  // What it takes, together with the field: both live as long as any question about them.
  std::uint64_t bytes() const {
    return field_bytes +
           (offsets.capacity() + cells.capacity() + cell_of.capacity() + place_of.capacity()) *
               sizeof(std::int32_t) +
           (weights.capacity() + counts.capacity()) * sizeof(std::int64_t) + values.capacity();
  }
  std::int32_t clues() const { return static_cast<std::int32_t>(counts.size()); }
  std::span<const std::int32_t> clue(std::int32_t i) const {
    return {cells.data() + offsets[i], cells.data() + offsets[i + 1]};
  }
  std::int64_t weight(std::int32_t entry) const { return weights.empty() ? 1 : weights[entry]; }

  // Covered cells become variables in order; known mines are subtracted from numbers and total. With
  // `settle`, so is what single numbers decide: fewer and shorter clues that say the same of the rest.
  static System from_labels(const Adjacency& field, std::span<const std::int32_t> labels,
                            bool has_total, std::int64_t total, bool settle = false);
};

}  // namespace sapper
