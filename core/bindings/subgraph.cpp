#include "methods/subgraph.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "bindings.hpp"
#include "diagram/edge_order.hpp"
#include "run.hpp"

namespace sapper {

namespace {

void check(std::span<const std::int32_t> values, std::int64_t end) {
  for (const std::int32_t v : values)
    if (v < 0 || v >= end) throw std::invalid_argument("index out of range");
}

}  // namespace

void bind_subgraph(nb::module_& m) {
  nb::class_<EdgeDiagram>(m, "EdgeDiagram", "A reduced ZDD over edges, and what its search met.")
      .def_prop_ro("variable", [](const EdgeDiagram& d) { return bytes_of(d.variable); })
      .def_prop_ro("low", [](const EdgeDiagram& d) { return bytes_of(d.low); })
      .def_prop_ro("high", [](const EdgeDiagram& d) { return bytes_of(d.high); })
      .def_ro("root", &EdgeDiagram::root)
      .def_ro("visited", &EdgeDiagram::visited)
      .def_ro("widest", &EdgeDiagram::widest)
      .def_ro("frontier", &EdgeDiagram::frontier)
      .def_ro("states", &EdgeDiagram::states, "How many there were before each edge.");

  m.def(
      "frontier_search",
      [](std::int32_t cells, const nb::bytes& cell, const nb::bytes& hint,
         const nb::bytes& targets, const Run& run) {
        EdgeProblem p;
        p.cells = cells;
        p.cell = vector_of<std::int32_t>(cell);
        p.hint = vector_of<std::int32_t>(hint);
        p.targets = vector_of<std::int64_t>(targets);
        p.hints = static_cast<std::int32_t>(p.targets.size());
        if (p.cell.size() != p.hint.size())
          throw std::invalid_argument("an edge is a cell and a hint");
        check(p.cell, p.cells);
        check(p.hint, p.hints);
        return guarded(run, [&](Guard& g) {
          g.take_bytes(2 * (cell.size() + hint.size() + targets.size()));  // here and in Python
          return frontier_search(p, g);
        });
      },
      nb::arg("cells"), nb::arg("cell"), nb::arg("hint"), nb::arg("targets"), nb::arg("run"),
      "Degree-constrained subgraphs as a reduced ZDD over the edges.");

  m.def(
      "frontier_order",
      [](std::int32_t cells, const nb::bytes& offsets, const nb::bytes& members,
         const nb::bytes& targets, std::int32_t tries, const Run& run) {
        const auto rows = vector_of<std::int32_t>(offsets);
        const auto of = vector_of<std::int32_t>(members);
        const auto counts = vector_of<std::int64_t>(targets);
        if (rows.size() != counts.size() + 1 || rows.front() != 0 ||
            std::size_t(rows.back()) != of.size() || !std::is_sorted(rows.begin(), rows.end()))
          throw std::invalid_argument("offsets do not cover the members");
        check(of, cells);
        return bytes_of(guarded(run, [&](Guard& g) {
          g.take_bytes(2 * (offsets.size() + members.size() + targets.size()));  // here and in Python
          return frontier_order(cells, rows, of, counts, tries, g);
        }));
      },
      nb::arg("cells"), nb::arg("offsets"), nb::arg("members"), nb::arg("targets"),
      nb::arg("tries"), nb::arg("run"), "An order of the cells in clues with a narrow frontier.");
}

}  // namespace sapper
