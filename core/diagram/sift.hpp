// Better orders for small ZDDs: Rudell's sifting, with the cells of a group kept together.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"
#include "diagram/zdd.hpp"

namespace sapper {

// The groups of a component in an order under which its reduced ZDD is smaller than under that of
// the diagram (one without joins); nothing if none was found. `zdd` is the diagram's own.
Vector<std::int32_t> sifted_groups(const Diagram& diagram, const Zdd& zdd, Guard& guard);

}  // namespace sapper
