// The arcs of a diagram by the node they lead to: what walks from the root need, and threads that share a level.
#pragma once

#include <cstdint>

#include "base/rows.hpp"
#include "passes/evaluate.hpp"

namespace sapper {

// Of one level: a choice arc is (node below, which of the values), a join arc (left node, right node).
struct ArcInto {
  std::uint32_t a, b;
};
inline Rows<ArcInto> arcs_into(const Diagram& d, const Diagram::Level& level) {
  return {level.nodes, [&](auto put) {
            if (level.is_join())
              for_join_arcs(d, level, [&](auto l, auto r, auto n) { put(n, ArcInto{l, r}); });
            else
              for_choice_arcs(d, level, [&](auto s, auto v, auto n) { put(n, ArcInto{s, std::uint32_t(v)}); });
          }};
}

// By node, through all levels.
struct Incoming {
  // A choice arc: (node below, value). A join arc: (left node, right node).
  struct Arc {
    std::uint32_t a, b;
  };
  Rows<Arc, std::uint64_t> arcs;

  explicit Incoming(const Diagram& d)
      : arcs(d.nodes, [&](auto put) {
          for (const auto& level : d.levels) {
            if (level.is_join())
              for_join_arcs(d, level, [&](auto l, auto r, auto n) { put(level.first_node + n, Arc{l, r}); });
            else
              for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
                put(level.first_node + n, Arc{s, std::uint32_t(level.value_low + v)});
              });
          }
        }) {}
};

}  // namespace sapper
