// The arcs of a diagram by the node they lead to: what walks from the root need.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/evaluate.hpp"

namespace sapper {

struct Incoming {
  // A choice arc: (node below, value). A join arc: (left node, right node).
  struct Arc {
    std::uint32_t a, b;
  };
  std::vector<std::uint64_t> begin;  // by node, through all levels; one more at the end
  std::vector<Arc> arcs;

  static std::uint64_t bytes_for(const Diagram& d) { return d.nodes * 16 + d.arcs.size() * 8; }

  explicit Incoming(const Diagram& d) : begin(d.nodes + 1, 0) {
    auto each = [&](auto&& f) {
      for (const auto& level : d.levels) {
        if (level.is_join())
          for_join_arcs(d, level, [&](auto l, auto r, auto n) { f(level.first_node + n, Arc{l, r}); });
        else
          for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
            f(level.first_node + n, Arc{s, std::uint32_t(level.value_low + v)});
          });
      }
    };
    each([&](std::uint64_t node, Arc) { ++begin[node + 1]; });
    for (std::uint64_t n = 0; n < d.nodes; ++n) begin[n + 1] += begin[n];
    arcs.resize(begin.back());
    std::vector<std::uint64_t> fill(begin.begin(), begin.end() - 1);
    each([&](std::uint64_t node, Arc arc) { arcs[fill[node]++] = arc; });
  }
};

}  // namespace sapper
