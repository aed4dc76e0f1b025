// Better orders for small ZDDs: Rudell's sifting, with the cells of a group kept together.
#pragma once

#include <optional>

#include "diagram/diagram.hpp"
#include "diagram/zdd.hpp"

namespace sapper {

// The diagram of a component (one without joins) along an order of its groups under which its reduced ZDD is smaller;
// nothing if none was found. `zdd` is that of the diagram as it is. A group moves no further where the ZDD has grown by
// more than `patience` nodes.
std::optional<Diagram> sifted(const Diagram& diagram, const Zdd& zdd, std::size_t patience, Guard& guard);

}  // namespace sapper
