// A lower bound for the ZDD along an order that nobody has compiled yet.
#pragma once

#include <cstdint>

#include "base/memory.hpp"
#include "diagram/diagram.hpp"
#include "system/component.hpp"

namespace sapper {

// Whether the reduced ZDD of a component along this order of its groups surely has so many nodes. `diagram` is that of
// the component along any order, without joins. False: the solutions that were looked at, with at most `effort` times as
// many cells in all, do not show it.
bool surely_has_nodes(std::uint64_t nodes, const Component& component, const Diagram& diagram,
                      const Vector<std::int32_t>& groups, double effort, Guard& guard);

// The nodes that the reduced ZDD of a diagram (one without joins) has at most: as if groups shared none.
std::uint64_t most_nodes(const Diagram& diagram, Guard& guard);

}  // namespace sapper
