#include "methods/forest.hpp"

#include <nanobind/stl/vector.h>

#include "bindings.hpp"

namespace sapper {

namespace {

std::span<const std::int32_t> labels_of(const Forest& forest, const nb::bytes& labels) {
  const auto codes = numbers<std::int32_t>(labels);
  if (!forest.cycle.empty()) throw std::invalid_argument("the field has a cycle");
  if (codes.size() != forest.order.size())
    throw std::invalid_argument("one label per cell is needed");
  return codes;
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "A field without cycles, in breadth-first order.")
      .def_static(
          "of",
          [](const Adjacency& field) {
            const nb::gil_scoped_release release;
            return Forest::of(field);
          },
          nb::arg("field"))
      .def_ro("cycle", &Forest::cycle)
      .def_prop_ro("order", [](const Forest& f) { return bytes_of(f.order); })
      .def_prop_ro("parent", [](const Forest& f) { return bytes_of(f.parent); })
      .def(
          "is_consistent",
          [](const Forest& f, const nb::bytes& labels) {
            const auto codes = labels_of(f, labels);
            const nb::gil_scoped_release release;
            return f.is_consistent(codes);
          },
          nb::arg("labels"))
      .def(
          "possible",
          [](const Forest& f, const nb::bytes& labels) {
            const auto codes = labels_of(f, labels);
            Vector<std::uint8_t> found;
            {
              const nb::gil_scoped_release release;
              found = f.possible(codes);
            }
            return bytes_of(found);
          },
          nb::arg("labels"));
}

}  // namespace sapper
