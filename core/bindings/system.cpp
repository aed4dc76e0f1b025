#include "system/system.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bindings.hpp"
#include "keys.hpp"
#include "run.hpp"

namespace sapper {

namespace {

void check_rows(std::span<const std::int32_t> offsets, std::size_t entries) {
  if (offsets.empty() || offsets.front() != 0 || std::size_t(offsets.back()) != entries)
    throw std::invalid_argument("offsets do not cover the entries");
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1]) throw std::invalid_argument("offsets decrease");
}

void check_range(std::span<const std::int32_t> values, std::int64_t end) {
  for (const std::int32_t v : values)
    if (v < 0 || v >= end) throw std::invalid_argument("index out of range");
}

// A cell with weight zero says nothing in its clue.
void drop_zero_weights(System& s) {
  if (s.weights.empty()) return;
  std::int32_t kept = 0, begin = 0;
  for (std::int32_t c = 0; c < s.clues(); ++c) {
    const std::int32_t end = s.offsets[c + 1];
    for (std::int32_t e = begin; e < end; ++e) {
      if (s.weights[e] == 0) continue;
      s.cells[kept] = s.cells[e];
      s.weights[kept++] = s.weights[e];
    }
    begin = end;
    s.offsets[c + 1] = kept;
  }
  s.cells.resize(kept);
  s.weights.resize(kept);
}

// Every partial sum of a clue must fit in 62 bits, so that the core never overflows.
void check_sums(const System& s) {
  constexpr double limit = 0x1p61;
  for (std::int32_t c = 0; c < s.clues(); ++c) {
    double sum = std::abs(double(s.counts[c]));
    for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e) {
      sum += std::abs(double(s.weight(e)));
    }
    if (sum >= limit) throw std::overflow_error("the weights of a clue add up to 2^61 or more");
  }
}

System system_from_clues(std::int32_t variables, const nb::bytes& offsets, const nb::bytes& cells,
                         const nb::bytes& weights, const nb::bytes& counts,
                         std::optional<std::int64_t> total) {
  System s;
  s.variables = variables;
  s.offsets = vector_of<std::int32_t>(offsets);
  s.cells = vector_of<std::int32_t>(cells);
  s.weights = vector_of<std::int64_t>(weights);
  s.counts = vector_of<std::int64_t>(counts);
  check_rows(s.offsets, s.cells.size());
  check_range(s.cells, variables);
  if (s.offsets.size() != s.counts.size() + 1)
    throw std::invalid_argument("one count per clue is needed");
  if (!s.weights.empty() && s.weights.size() != s.cells.size())
    throw std::invalid_argument("one weight per entry is needed");
  s.has_total = total.has_value();
  s.total = total.value_or(-1);
  drop_zero_weights(s);
  check_sums(s);
  return s;
}

nb::tuple picked(const nb::tuple& cells, const nb::bytes& places) {
  const auto wanted = numbers<std::int32_t>(places);
  const nb::object result = nb::steal(PyTuple_New(Py_ssize_t(wanted.size())));
  if (!result.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    PyObject* const cell = PyTuple_GetItem(cells.ptr(), wanted[i]);
    if (cell == nullptr) throw nb::python_error();
    PyTuple_SetItem(result.ptr(), Py_ssize_t(i), Py_NewRef(cell));
  }
  return nb::borrow<nb::tuple>(result);
}

// Row by row; each is a tuple of numbers, which the collector of garbage need not look at.
nb::tuple lattice_cells(const std::vector<std::int32_t>& shape, const nb::bytes& places) {
  const auto wanted = numbers<std::int32_t>(places);
  std::int64_t cells = 1;
  for (const std::int32_t side : shape) cells *= side;
  const nb::object result = nb::steal(PyTuple_New(Py_ssize_t(wanted.size())));
  if (!result.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < 0 || wanted[i] >= cells) throw nb::index_error("no such cell");
    PyObject* const cell = PyTuple_New(Py_ssize_t(shape.size()));
    if (cell == nullptr || PyTuple_SetItem(result.ptr(), Py_ssize_t(i), cell) != 0) throw nb::python_error();
    std::int32_t rest = wanted[i];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      PyObject* const number = PyLong_FromLong(axis == 0 ? rest : rest % shape[axis]);
      if (number == nullptr || PyTuple_SetItem(cell, Py_ssize_t(axis), number) != 0) throw nb::python_error();
      rest /= shape[axis];
    }
    PyObject_GC_UnTrack(cell);
  }
  return nb::borrow<nb::tuple>(result);
}

nb::dict paired(const nb::tuple& keys, const nb::list& values) {
  nb::dict result;
  const Py_ssize_t n = std::min(PyTuple_Size(keys.ptr()), PyList_Size(values.ptr()));
  for (Py_ssize_t i = 0; i < n; ++i)
    if (PyDict_SetItem(result.ptr(), PyTuple_GetItem(keys.ptr(), i), PyList_GetItem(values.ptr(), i)) != 0)
      throw nb::python_error();
  return result;
}

}  // namespace

System system_from_labels(const Adjacency& field, const nb::bytes& labels,
                          std::optional<std::int64_t> total, const Limits& limits, bool settle) {
  const auto codes = numbers<std::int32_t>(labels);
  if (std::int64_t(codes.size()) != field.cells())
    throw std::invalid_argument("one label per cell is needed");
  Guard guard(Limits{.bytes = limits.bytes});
  guard.take_bytes(field.bytes());
  return System::from_labels(field, codes, total.has_value(), total.value_or(-1), settle);
}

void bind_system(nb::module_& m) {
  nb::class_<Adjacency>(m, "Adjacency", "Neighbour lists of a field.")
      .def_static(
          "lattice",
          [](const std::vector<std::int32_t>& sides, const std::vector<std::int32_t>& flat,
             bool wrap) {
            double entries = 1;
            for (const std::int32_t side : sides) entries *= side;
            if (!(entries > 0) || flat.size() % sides.size() != 0 ||
                entries * double(flat.size() / sides.size() + 1) >= 0x1p31)
              throw std::invalid_argument("not the sides and offsets of a lattice");
            nb::gil_scoped_release release;
            return Adjacency::lattice(sides, flat, wrap);
          },
          nb::arg("sides"), nb::arg("offsets"), nb::arg("wrap"))
      .def_static(
          "csr",
          [](const nb::bytes& offsets, const nb::bytes& targets) {
            Adjacency a;
            a.offsets = vector_of<std::int32_t>(offsets);
            a.targets = vector_of<std::int32_t>(targets);
            check_rows(a.offsets, a.targets.size());
            check_range(a.targets, a.cells());
            return a;
          },
          nb::arg("offsets"), nb::arg("targets"))
      .def("__len__", &Adjacency::cells)
      .def("neighbours",
           [](const Adjacency& a, std::int32_t cell) {
             if (cell < 0 || cell >= a.cells()) throw nb::index_error("no such cell");
             const auto row = a.of(cell);
             return std::vector<std::int32_t>(row.begin(), row.end());
           })
      .def_prop_ro("offsets", [](const Adjacency& a) { return bytes_of(a.offsets); })
      .def_prop_ro("targets", [](const Adjacency& a) { return bytes_of(a.targets); });

  nb::class_<System>(m, "System", "Variables, clues and an optional total.")
      .def_static("from_clues", &system_from_clues, nb::arg("variables"), nb::arg("offsets"),
                  nb::arg("cells"), nb::arg("weights"), nb::arg("counts"),
                  nb::arg("total").none())
      .def_static(
          "from_labels",
          [](const Adjacency& field, const nb::bytes& labels, std::optional<std::int64_t> total,
             const Run* run, bool settle) {
            return system_from_labels(field, labels, total, run ? run->limits : Limits{}, settle);
          },
          nb::arg("field"), nb::arg("labels"), nb::arg("total").none(),
          nb::arg("run").none() = nb::none(), nb::arg("settle") = false)
      .def_ro("variables", &System::variables)
      .def_prop_ro("size_in_bytes", &System::bytes)
      .def_prop_ro("clues", &System::clues)
      .def_prop_ro("cell_of", [](const System& s) { return bytes_of(s.cell_of); })
      .def_prop_ro("place_of", [](const System& s) { return bytes_of(s.place_of); });

  nb::class_<Keys>(m, "Keys", "The cells of a field as keys of dictionaries.")
      .def(nb::init<const nb::tuple&>(), nb::arg("cells"),
           nb::sig("def __init__(self, cells: tuple[typing.Any, ...]) -> None"))
      .def("__len__", &Keys::size);

  m.def("picked", &picked, nb::arg("cells"), nb::arg("places"),
        nb::sig("def picked(cells: tuple[typing.Any, ...], places: bytes) -> tuple[typing.Any, ...]"),
        "The cells at some places.");
  m.def("lattice_cells", &lattice_cells, nb::arg("shape"), nb::arg("places"),
        nb::sig("def lattice_cells(shape: collections.abc.Sequence[int], places: bytes) -> tuple[typing.Any, ...]"),
        "The cells at some places of a lattice.");
  m.def("paired", &paired, nb::arg("keys"), nb::arg("values"),
        nb::sig("def paired(keys: tuple[typing.Any, ...], values: list[typing.Any])"
                " -> dict[typing.Any, typing.Any]"),
        "A dictionary of keys with their values, as many as there are of both.");
}

}  // namespace sapper
