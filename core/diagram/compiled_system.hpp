// A whole system, compiled: forced values, independent pieces with their diagrams, free cells.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "base/limits.hpp"
#include "diagram/cache.hpp"
#include "diagram/diagram.hpp"
#include "diagram/order.hpp"
#include "system/component.hpp"
#include "system/system.hpp"

namespace sapper {

struct Options {
  bool certainty = true;   // find forced cells before anything wide is compiled
  bool grouping = true;    // interchangeable cells as one variable
  bool look_ahead = true;  // pair checks and both ends at once, while compiling
  bool path_only = false;  // no joins (needed for ZDDs)
  OrderKind order = OrderKind::automatic;
  // Give up before compiling anything if more nodes are expected than this.
  double most_expected = std::numeric_limits<double>::infinity();
  unsigned threads = 1;  // the result is the same
  // Fewer clues than these are not worth a second thread.
  std::int32_t few_clues = 1000;
};

struct Piece {
  Part part;
  std::shared_ptr<const Diagram> diagram;
};

struct Compiled {
  bool consistent = true;            // ignoring the total
  std::int32_t variables = 0;
  bool has_total = false;
  std::int64_t total = -1;           // mines among the variables
  Vector<std::int8_t> values;   // forced by the clues: 0, 1, or -1
  Vector<Piece> pieces;
  Vector<std::int32_t> free;    // unknown variables in no clue
  std::int64_t forced_mines = 0;
  // For ZDDs under a total: variables in an order of their own, which may be better than one piece after the other.
  Vector<std::int32_t> other_order;
  // What this, its system and the cache took when it was made: passes over it come on top.
  std::uint64_t bytes = 0;

  std::uint64_t nodes() const;
};

Compiled compile_system(const System& system, const Options& options, Guard& guard, Cache* cache);

}  // namespace sapper
