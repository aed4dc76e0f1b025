// Solutions one by one: enumeration, sampling, the cheapest, the ZDD.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>

#include "bindings.hpp"
#include "diagram/zdd.hpp"
#include "passes/cheapest.hpp"
#include "passes/enumerate.hpp"
#include "passes/sample.hpp"
#include "run.hpp"

namespace sapper {

namespace {

using Cells = nb::typed<nb::tuple, nb::object, nb::ellipsis>;
using Solution = nb::typed<nb::frozenset, nb::any>;

// What CPython's sets take, about: the object, and two to four slots of 16 bytes for each member.
constexpr std::uint64_t kBytesPerSet = 216, kBytesPerMember = 48;
constexpr std::size_t kCellsPerBatch = 100'000;

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
  const Compiled* compiled;
  Enumerator enumerator;
  std::uint64_t bytes;  // what the enumerator took when it was made
};

// A sampler and what it took when it was made.
struct Draws {
  Sampler sampler;
  std::uint64_t bytes;
};

// Python keeps the compiled system alive as long as what walks over it.
std::shared_ptr<const Compiled> borrowed(const Compiled& c) {
  return {std::shared_ptr<const Compiled>(), &c};
}

void check_cells(const Cells& cells, const Compiled& c) {
  if (std::int64_t(cells.size()) != c.variables)
    throw std::invalid_argument("one cell per variable is needed");
}

}  // namespace

void bind_walk(nb::module_& m) {
  nb::class_<Walk>(m, "Walk", "Solutions in a fixed order.")
      .def("__init__",
           [](Walk* self, const Compiled& c, const Run& run) {
             guarded(run, c, 0, [&](Guard& g) {
               new (self) Walk{&c, Enumerator(borrowed(c), g), 0};
               self->bytes = g.bytes();
             });
           }, nb::keep_alive<1, 2>())
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
             guard.take_bytes(w.bytes + w.enumerator.stack_bytes());
             nb::typed<nb::list, Solution> out;
             // Large solutions come in smaller batches.
             for (std::size_t i = 0, cells_left = kCellsPerBatch; i < n && cells_left > 0; ++i) {
               const auto* mines = w.enumerator.next(guard);
               if (!mines) break;
               guard.take_bytes(kBytesPerSet + kBytesPerMember * mines->size());
               cells_left -= std::min(cells_left, mines->size());
               out.append(frozen(cells, [&](auto&& add) {
                 for (const std::int32_t v : *mines) add(v);
               }));
             }
             return out;
           });

  nb::class_<Draws>(m, "Sampler", "Uniform random solutions.")
      .def("__init__",
           [](Draws* self, const Compiled& c, std::uint64_t seed, const Run& run) {
             guarded(run, c, 0, [&](Guard& g) {
               new (self) Draws{Sampler(borrowed(c), seed, g), 0};
               self->bytes = g.bytes();
             });
           }, nb::keep_alive<1, 2>())
      .def_prop_ro("has_solution", [](const Draws& d) { return d.sampler.has_solution(); })
      .def("bits",
           [](Draws& d, std::size_t n, std::size_t variables, const Run& run) {
             std::vector<std::uint8_t> out;
             const double wanted = double(d.bytes) + 2.0 * double(n) * double(variables);
             check_bytes(run, wanted);
             if (wanted > double(out.max_size())) throw std::bad_alloc();
             guarded(run, [&](Guard& g) {
               g.take_bytes(d.bytes + 2 * n * variables);  // here, and once more in Python
               out.resize(n * variables);
               for (std::size_t i = 0; i < n; ++i) d.sampler.draw(out.data() + i * variables, g);
             });
             return bytes_of(out);
           })
      .def("sets", [](Draws& d, std::size_t n, const Cells& cells, const Run& run) {
        check_bytes(run, double(d.bytes + cells.size()));
        std::vector<std::uint8_t> bits(cells.size());
        nb::typed<nb::list, Solution> out;
        // One guard for all: it has to notice Ctrl-C and limits across many short draws.
        guarded(run, [&](Guard& g) {
          g.take_bytes(d.bytes + bits.size());
          for (std::size_t i = 0; i < n; ++i) {
            d.sampler.draw(bits.data(), g);
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
        const auto found = guarded(run, c, numbers_in.size() * 2 * sizeof(Costs::Number),
                                   [&](Guard& g) { return cheapest(c, numbers_in, g); });
        if (!found) return std::nullopt;
        return bytes_of(*found);
      },
      nb::arg("compiled"), nb::arg("costs"), nb::arg("run"));

  m.def(
      "zdd",
      [](const Compiled& c, const Run& run) {
        const Zdd z = guarded(run, c, 0, [&](Guard& g) {
          Zdd made = build_zdd(c, g);
          // Once more in Python.
          g.take_bytes(made.order.size() * sizeof(made.order[0]) +
                       made.nodes.size() * sizeof(made.nodes[0]));
          return made;
        });
        return std::tuple(bytes_of(z.order), bytes_of(z.nodes), z.root);
      },
      nb::arg("compiled"), nb::arg("run"));
}

}  // namespace sapper
