// Solutions one by one: enumeration, sampling, the cheapest, the ZDD.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>

#include "bindings.hpp"
#include "cheapest.hpp"
#include "enumerate.hpp"
#include "run.hpp"
#include "sample.hpp"
#include "zdd.hpp"

namespace sapper {

namespace {

using Cells = nb::typed<nb::tuple, nb::object, nb::ellipsis>;
using Solution = nb::typed<nb::frozenset, nb::any>;

// What CPython's sets take, about: the object, and two to four slots of 16 bytes for each member.
constexpr std::uint64_t kBytesPerSet = 216, kBytesPerMember = 48;

// A frozenset of the named cells, built in place: this is the inner loop of iteration.
template <class Each>
nb::object frozen(const Cells& cells, Each&& each) {
  nb::object set = nb::steal(PyFrozenSet_New(nullptr));
  if (!set.is_valid()) throw nb::python_error();
  each([&](std::int32_t v) {
    if (PySet_Add(set.ptr(), PyTuple_GetItem(cells.ptr(), v)) != 0) throw nb::python_error();
  });
  return set;
}

nb::object from_bits(const Cells& cells, const std::uint8_t* bits, std::int32_t n) {
  return frozen(cells, [&](auto&& add) {
    for (std::int32_t v = 0; v < n; ++v)
      if (bits[v]) add(v);
  });
}

struct Walk {
  std::shared_ptr<const Compiled> compiled;
  Enumerator enumerator;
};

void check_cells(const Cells& cells, const Compiled& c) {
  if (std::int64_t(cells.size()) != c.variables)
    throw std::invalid_argument("one cell per variable is needed");
}

}  // namespace

void bind_walk(nb::module_& m) {
  nb::class_<Walk>(m, "Walk", "Solutions in a fixed order.")
      .def("__init__",
           [](Walk* self, const Compiled& c, const Run& run) {
             auto shared = std::make_shared<const Compiled>(c);
             guarded(run, c, [&](Guard& g) { new (self) Walk{shared, Enumerator(shared, g)}; });
           })
      .def("take",
           [](Walk& w, std::size_t n, const Cells& cells, const Run& run) {
             check_cells(cells, *w.compiled);
             // Solutions are small and Python objects are made as we go, so the GIL stays.
             Guard guard(
                 run.limits,
                 [](std::uint64_t) {
                   if (PyErr_CheckSignals() != 0) throw nb::python_error();
                 },
                 run.start);
             nb::typed<nb::list, Solution> out;
             for (std::size_t i = 0; i < n; ++i) {
               const auto* mines = w.enumerator.next(guard);
               if (!mines) break;
               out.append(frozen(cells, [&](auto&& add) {
                 for (const std::int32_t v : *mines) add(v);
               }));
             }
             return out;
           });

  nb::class_<Sampler>(m, "Sampler", "Uniform random solutions.")
      .def("__init__",
           [](Sampler* self, const Compiled& c, std::uint64_t seed, const Run& run) {
             auto shared = std::make_shared<const Compiled>(c);
             guarded(run, c, [&](Guard& g) { new (self) Sampler(shared, seed, g); });
           })
      .def_prop_ro("has_solution", &Sampler::has_solution)
      .def("bits",
           [](Sampler& s, std::size_t n, std::size_t variables, const Run& run) {
             std::vector<std::uint8_t> out;
             guarded(run, [&](Guard& g) {
               g.take_bytes(2 * n * variables);  // here, and once more in Python
               out.resize(n * variables);
               for (std::size_t i = 0; i < n; ++i) s.draw(out.data() + i * variables, g);
             });
             return bytes_of(out);
           })
      .def("sets", [](Sampler& s, std::size_t n, const Cells& cells, const Run& run) {
        std::vector<std::uint8_t> bits(cells.size());
        nb::typed<nb::list, Solution> out;
        // One guard for all: it has to notice Ctrl-C and limits across many short draws.
        guarded(run, [&](Guard& g) {
          for (std::size_t i = 0; i < n; ++i) {
            s.draw(bits.data(), g);
            const auto mines = std::uint64_t(std::count(bits.begin(), bits.end(), 1));
            g.take_bytes(kBytesPerSet + kBytesPerMember * mines);
            g.tick(std::uint32_t(mines) + 1);
            const nb::gil_scoped_acquire hold;
            out.append(from_bits(cells, bits.data(), std::int32_t(bits.size())));
          }
        });
        return out;
      });

  m.def(
      "cheapest",
      [](const Compiled& c, const nb::bytes& costs,
         const Run& run) -> std::optional<nb::bytes> {
        // 128-bit little-endian integers, one per variable.
        const auto numbers_in = vector_of<Costs::Number>(costs);
        if (std::int64_t(numbers_in.size()) != c.variables)
          throw std::invalid_argument("one cost per variable is needed");
        const auto found = guarded(run, c, [&](Guard& g) { return cheapest(c, numbers_in, g); });
        if (!found) return std::nullopt;
        return bytes_of(*found);
      },
      nb::arg("compiled"), nb::arg("costs"), nb::arg("run"));

  m.def(
      "zdd",
      [](const Compiled& c, const Run& run) {
        const Zdd z = guarded(run, c, [&](Guard& g) { return build_zdd(c, g); });
        return std::tuple(bytes_of(z.order), bytes_of(z.nodes), z.root);
      },
      nb::arg("compiled"), nb::arg("run"));
}

}  // namespace sapper
