// The reduced zero-suppressed decision diagram of all solutions, over single cells.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"

namespace sapper {

struct Zdd {
  static constexpr std::int32_t kBottom = -1, kTop = -2;
  struct Node {
    std::int32_t position;  // in `order`
    std::int32_t low, high;
  };
  Vector<std::int32_t> order;  // variables, from the root down
  Vector<Node> nodes;          // children before parents; the root is last
  std::int32_t root = kBottom;
};

// Needs diagrams without joins (Options::path_only). Throws LimitHit.
Zdd build_zdd(const Compiled& compiled, Guard& guard);

// The same for one diagram by itself, whatever the total; the cells of its groups in a row.
Zdd build_zdd(const Diagram& diagram, Guard& guard);

}  // namespace sapper
