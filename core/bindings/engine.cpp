#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "bindings.hpp"
#include "diagram/prepare.hpp"
#include "keys.hpp"
#include "passes/answers.hpp"
#include "passes/by_mines.hpp"
#include "passes/counts.hpp"
#include "passes/long_product.hpp"
#include "run.hpp"

namespace sapper {

namespace {

// Who is told of the progress may hold, in the end, who holds the run: Python has to see that, or
// neither is ever freed.
int visit_run(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Run>(self)->progress.ptr());
  return 0;
}
int clear_run(PyObject* self) {
  nb::inst_ptr<Run>(self)->progress = nb::none();
  return 0;
}
PyType_Slot kRunSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(visit_run)},
                           {Py_tp_clear, reinterpret_cast<void*>(clear_run)},
                           {0, nullptr}};

// The public error for a limit that was hit.
nb::object error_of(const LimitHit& hit) {
  const nb::module_ errors = nb::module_::import_("sapper.errors");
  if (hit.kind == LimitKind::estimate)
    return errors.attr("TooWide")(nb::arg("expected") = hit.spent);
  const nb::object error = errors.attr("LimitExceeded");
  if (hit.kind == LimitKind::seconds)
    return error("seconds", nb::arg("allowed") = hit.allowed, nb::arg("spent") = hit.spent);
  return error(hit.kind == LimitKind::nodes ? "nodes" : "bytes",
               nb::arg("allowed") = nb::steal(PyLong_FromDouble(hit.allowed)),
               nb::arg("spent") = nb::steal(PyLong_FromDouble(hit.spent)));
}

const Piece& piece_at(const Compiled& c, std::size_t i) {
  if (i >= c.pieces.size()) throw nb::index_error("no such piece");
  return c.pieces[i];
}

OrderKind order_named(const std::string& name) {
  if (name == "auto") return OrderKind::automatic;
  if (name == "path") return OrderKind::path;
  if (name == "tree") return OrderKind::tree;
  if (name == "given") return OrderKind::given;
  throw std::invalid_argument("order must be auto, path, tree or given");
}

Vector<Vector<std::int32_t>> groups_of(const Part& part) {
  Vector<Vector<std::int32_t>> groups;
  groups.reserve(std::size_t(part.component.groups()));
  for (std::int32_t g = 0; g < part.component.groups(); ++g) {
    const auto group = part.group(g);
    groups.emplace_back(group.begin(), group.end());
  }
  return groups;
}

// Chances by cell, and as they are. Cells of a group and those far from all numbers share a chance:
// a few floats serve most cells.
std::pair<nb::dict, nb::bytes> chances_by_cell(const Compiled& c, const System& s, const Keys& keys,
                                               const Run& run, unsigned threads) {
  const auto bytes = std::uint64_t(c.variables) * (1 + 2 * sizeof(double));
  const Probabilities p = guarded(run, c, bytes, [&](Guard& g) { return probabilities(c, g, threads); });
  const std::size_t n = p.of.size();
  // The cells of a system that was made from labels ascend.
  if (n > s.cell_of.size() || (n > 0 && std::size_t(s.cell_of[n - 1]) >= keys.size()))
    throw std::invalid_argument("the cells of another system");
  std::array<std::pair<double, nb::object>, 16> made;
  const nb::dict result = Keys::dict_for(n);
  for (std::size_t v = 0; v < n; ++v) {
    auto& [chance, number] = made[(std::bit_cast<std::uint64_t>(p.of[v]) * 0x9E3779B97F4A7C15ull) >> 60];
    if (!number.is_valid() || chance != p.of[v]) {
      chance = p.of[v];
      number = nb::steal(PyFloat_FromDouble(chance));
      if (!number.is_valid()) throw nb::python_error();
    }
    keys.put(result, std::size_t(s.cell_of[v]), number);
  }
  return {result, bytes_of(p.of)};
}

// Limbs of seven bytes, lowest first, are numbers in little-endian order.
std::vector<std::uint8_t> packed(const Counts& counts, Guard& guard) {
  std::vector<std::uint8_t> bytes;
  guard.take_bytes(2 * 7 * counts.words.size());  // here, and once more in Python
  bytes.reserve(7 * counts.words.size());
  for (const std::uint64_t word : counts.words)
    for (int k = 0; k < 7; ++k) bytes.push_back(std::uint8_t(word >> (8 * k)));
  return bytes;
}

// Besides its numbers: a tuple of three in a list, and the same here. A number in a list.
constexpr std::uint64_t kBytesPerPacked = 250, kBytesPerNumber = 40;

LongPolynomial polynomial_of(const nb::bytes& data, std::size_t size) {
  if (size == 0 || data.size() == 0 || data.size() % size != 0)
    throw std::invalid_argument("a polynomial has some coefficients of the same size");
  return {numbers<std::uint8_t>(data), size};
}

// Written where Python will have it: a copy of a long one takes a tenth of the time.
std::pair<std::size_t, nb::bytes> long_product(const nb::bytes& a, std::size_t a_size, const nb::bytes& b,
                                               std::size_t b_size, const Run& run, unsigned threads,
                                               std::uint64_t held) {
  const LongProduct product(polynomial_of(a, a_size), polynomial_of(b, b_size));
  if (product.length() > LongProduct::kMostCoefficients || product.size() > LongProduct::kMostBytes)
    throw std::invalid_argument("the product is too long");
  const std::uint64_t bytes = std::uint64_t(product.length()) * product.size();
  check_bytes(run, double(held) + double(bytes));
  nb::object result = nb::steal(PyBytes_FromStringAndSize(nullptr, Py_ssize_t(bytes)));
  if (!result.is_valid()) throw nb::python_error();
  auto* const to = static_cast<std::uint8_t*>(static_cast<void*>(PyBytes_AsString(result.ptr())));
  guarded(run, [&](Guard& g) {
    g.take_bytes(held + bytes);
    Crew crew(threads);
    product.write(to, crew, g);
  });
  return {product.size(), nb::borrow<nb::bytes>(result)};
}

// What a system would take, before anything is compiled.
struct Forecast {
  std::int64_t forced, free;
  Vector<PieceEstimate> pieces;
};

}  // namespace

void bind_engine(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const LimitHit& hit) {
      try {
        const nb::object error = error_of(hit);
        PyErr_SetObject(error.type().ptr(), error.ptr());
      } catch (nb::python_error& other) {
        // A signal came while the error was being made: what its handler raised goes on.
        other.restore();
      }
    }
  });

  nb::class_<Run>(m, "Run", nb::type_slots(kRunSlots),
                  "Limits and a progress callback; the clock runs from the start.")
      .def_prop_ro("limited", [](const Run& run) { return run.limits != Limits{}; },
                   "Is there any limit?")
      .def(
          "silent",
          [](const Run& run) {
            Run next = run;
            next.progress = nb::none();
            return next;
          },
          "The same limits and the same clock, for whoever keeps them: nobody is called.")
      .def(
          "again",
          [](const Run& run) {
            Run next = run;
            next.start = Guard::Clock::now();
            return next;
          },
          "The same limits with a clock that starts now.")
      .def(
          "check",
          [](const Run& run, double bytes) {
            const Guard guard(run.limits, {}, run.start);
            check_bytes(run, bytes);
          },
          nb::arg("bytes") = 0.0, "Raise if the time is up, or if so much memory is too much.")
      .def("hold", &check_bytes, nb::arg("bytes"),
           "Raise if so much memory is too much, whatever the clock says.")
      .def(
          "__init__",
          [](Run* self, std::optional<double> seconds, std::optional<std::uint64_t> nodes,
             std::optional<std::uint64_t> bytes, nb::object progress) {
            new (self) Run();
            if (seconds) self->limits.seconds = *seconds;
            if (nodes) self->limits.nodes = *nodes;
            if (bytes) self->limits.bytes = *bytes;
            self->progress = std::move(progress);
          },
          nb::arg("seconds").none() = nb::none(), nb::arg("nodes").none() = nb::none(),
          nb::arg("bytes").none() = nb::none(), nb::arg("progress").none() = nb::none());

  nb::class_<Options>(m, "Options", "Which steps the engine takes; all are on by default.")
      .def(
          "__init__",
          [](Options* self, bool certainty, bool grouping, bool look_ahead, bool path_only,
             const std::string& order, double most_expected, unsigned threads) {
            new (self) Options{certainty, grouping,           look_ahead,
                               path_only, order_named(order), most_expected, threads};
          },
          nb::kw_only(), nb::arg("certainty") = true, nb::arg("grouping") = true,
          nb::arg("look_ahead") = true, nb::arg("path_only") = false, nb::arg("order") = "auto",
          nb::arg("most_expected") = std::numeric_limits<double>::infinity(), nb::arg("threads") = 1u);

  nb::class_<Cache>(m, "Cache", "Compiled diagrams by content.")
      .def(nb::init<>())
      .def("__len__", &Cache::size)
      .def_prop_ro("size_in_bytes", &Cache::bytes)
      .def("clear", &Cache::clear)
      .def_ro("hits", &Cache::hits)
      .def_ro("compiled", &Cache::compiled)
      .def_ro("searched", &Cache::searched);

  nb::class_<Piece>(m, "Piece", "An independent part of a compiled system.")
      .def_prop_ro("groups", [](const Piece& p) { return groups_of(p.part); },
                   "The variables of each group.")
      .def_prop_ro("nodes", [](const Piece& p) { return p.diagram->nodes; })
      .def_prop_ro("joins", [](const Piece& p) { return p.diagram->has_joins; })
      .def_prop_ro("least", [](const Piece& p) { return MineRanges(*p.diagram).low.back(); },
                   "The fewest mines it can have.");

  nb::class_<PieceEstimate>(m, "PieceEstimate", "What an independent part would take.")
      .def_ro("variables", &PieceEstimate::variables)
      .def_ro("groups", &PieceEstimate::groups)
      .def_ro("clues", &PieceEstimate::clues)
      .def_ro("width", &PieceEstimate::width)
      .def_ro("nodes", &PieceEstimate::nodes)
      .def_ro("joins", &PieceEstimate::joins);

  nb::class_<Forecast>(m, "Forecast", "What a system would take.")
      .def_ro("forced", &Forecast::forced)
      .def_ro("free", &Forecast::free)
      .def_ro("pieces", &Forecast::pieces);

  nb::class_<Compiled>(m, "Compiled", "A compiled system.")
      .def_ro("consistent", &Compiled::consistent)
      .def_ro("variables", &Compiled::variables)
      .def_ro("forced_mines", &Compiled::forced_mines)
      .def_prop_ro("nodes", &Compiled::nodes)
      .def_ro("size_in_bytes", &Compiled::bytes)
      .def_prop_ro("values",
                   [](const Compiled& c) { return nb::bytes(c.values.data(), c.values.size()); })
      .def_ro("free", &Compiled::free)
      .def_prop_ro("free_cells", [](const Compiled& c) { return c.free.size(); })
      .def("__len__", [](const Compiled& c) { return c.pieces.size(); })
      .def("piece", &piece_at, nb::rv_policy::reference_internal)
      .def("verdicts",
           [](const Compiled& c, const Run& run) {
             const auto bytes = 2 * std::uint64_t(c.variables);  // here, and once more in Python
             const Verdicts v = guarded(run, c, bytes, [&](Guard& g) { return verdicts(c, g); });
             return std::pair(v.consistent, nb::bytes(v.of.data(), v.of.size()));
           })
      .def("probabilities",
           [](const Compiled& c, const Run& run, unsigned threads) {
             const auto bytes = std::uint64_t(c.variables) * (1 + 2 * sizeof(double));
             const Probabilities p =
                 guarded(run, c, bytes, [&](Guard& g) { return probabilities(c, g, threads); });
             return std::tuple(p.consistent, bytes_of(p.of), p.log2_count);
           },
           nb::arg("run"), nb::arg("threads") = 1u)
      .def("chances_by_cell", &chances_by_cell, nb::arg("system"), nb::arg("keys"), nb::arg("run"),
           nb::arg("threads") = 1u,
           nb::sig("def chances_by_cell(self, system: System, keys: Keys, run: Run, threads: int = 1)"
                   " -> tuple[dict[typing.Any, float], bytes]"),
           "The same as a dictionary from the variables' cells, and as bytes; nothing of an "
           "inconsistent system.")
      .def("piece_counts",
           [](const Compiled& c, const Run& run, unsigned threads) {
             const auto bytes = std::uint64_t(c.pieces.size()) * 2 * kBytesPerNumber;
             PieceCounts found = guarded(run, c, bytes, [&](Guard& g) { return piece_counts(c, g, threads); });
             return std::pair(std::move(found.bits), std::move(found.words));
           },
           nb::arg("run"), nb::arg("threads") = 1u,
           "Of each piece: the logarithm of its count to base 2, about, and its count modulo 2^64.")
      .def("count_residue",
           [](const Compiled& c, std::size_t i, std::uint64_t modulus, const Run& run) {
             return guarded(run, c, 0, [&](Guard& g) { return count_residue(piece_at(c, i), modulus, g); });
           })
      .def("count_by_mines_residues",
           [](const Compiled& c, std::size_t i, std::uint64_t modulus, const Run& run) {
             return guarded(
                 run, c, 0, [&](Guard& g) { return count_by_mines_residues(piece_at(c, i), modulus, g); });
           })
      .def("counts_by_mines",
           [](const Compiled& c, const Run& run, unsigned threads) {
             using Packed = std::tuple<std::int64_t, std::size_t, std::vector<std::uint8_t>>;
             const auto found = guarded(run, c, c.pieces.size() * kBytesPerPacked, [&](Guard& g) {
               std::vector<Packed> all;
               for (const Counts& counts : counts_by_mines(c, g, threads))
                 all.emplace_back(counts.least, 7 * counts.limbs, packed(counts, g));
               return all;
             });
             nb::list result;
             for (const auto& [least, size, numbers] : found)
               result.append(nb::make_tuple(least, size, nb::bytes(numbers.data(), numbers.size())));
             return result;
           },
           nb::arg("run"), nb::arg("threads") = 1u,
           nb::sig("def counts_by_mines(self, run: Run, threads: int = 1) -> list[tuple[int, int, bytes]]"),
           "Of each piece: its fewest mines; the bytes of each number; the numbers of solutions with so many mines, "
           "one more, and so on.")
      .def("marginal_residues_under_total",
           [](const Compiled& c, std::uint64_t modulus, const Run& run) {
             return guarded(run, c, 0, [&](Guard& g) {
               return marginal_residues_under_total(c, modulus, g);
             });
           })
      .def("marginal_residues",
           [](const Compiled& c, std::size_t i, std::uint64_t modulus,
              const Vector<std::uint64_t>& outside, const Run& run) {
             return guarded(run, c, 0, [&](Guard& g) {
               return marginal_residues(piece_at(c, i), modulus, outside, g);
             });
           });

  m.def(
      "compile",
      [](const System& system, const Options& options, const Run& run, Cache* cache) {
        return guarded(run, [&](Guard& g) { return compile_system(system, options, g, cache); });
      },
      nb::arg("system"), nb::arg("options"), nb::arg("run"), nb::arg("cache").none());

  m.attr("MOST_COEFFICIENTS") = LongProduct::kMostCoefficients;
  m.attr("MOST_COEFFICIENT_BYTES") = LongProduct::kMostBytes;
  m.def(
      "compile_labels",
      [](const Adjacency& field, const nb::bytes& labels, std::optional<std::int64_t> total,
         const Options& options, const Run& run, Cache* cache, bool settle) {
        System system = system_from_labels(field, labels, total, run.limits, settle);
        Compiled compiled =
            guarded(run, [&](Guard& g) { return compile_system(system, options, g, cache); });
        return std::pair(std::move(system), std::move(compiled));
      },
      nb::arg("field"), nb::arg("labels"), nb::arg("total").none(), nb::arg("options"),
      nb::arg("run"), nb::arg("cache").none(), nb::arg("settle"),
      "The system of a position, and the same compiled.");

  m.def(
      "forecast",
      [](const System& system, const Options& options, const Run& run) {
        return guarded(run, [&](Guard& g) {
          Crew alone(1);
          const Prepared p = prepare(system, options, alone, g, nullptr);
          Forecast f{0, std::int64_t(p.result.free.size()), {}};
          f.forced = std::ranges::count_if(p.result.values, [](std::int8_t v) { return v >= 0; });
          g.take_bytes(p.plans.size() * sizeof(PieceEstimate));
          for (std::size_t i = 0; i < p.plans.size(); ++i)
            f.pieces.push_back(PieceEstimate::of(p.result.pieces[i].part, p.plans[i]));
          return f;
        });
      },
      nb::arg("system"), nb::arg("options"), nb::arg("run"));

  m.def("long_product", &long_product, nb::arg("a"), nb::arg("a_size"), nb::arg("b"), nb::arg("b_size"),
        nb::arg("run"), nb::arg("threads") = 1u, nb::arg("held") = std::uint64_t(0),
        "The product of polynomials with long coefficients, each of so many bytes, lowest first: the bytes of each of "
        "its coefficients, and these. Of memory, `held` bytes are in use.");

  m.def(
      "certain_values",
      [](const System& system, const Run& run) {
        Vector<std::int8_t> values;
        const bool consistent =
            guarded(run, [&](Guard& g) { return certain_values(system, values, g); });
        return std::pair(consistent, nb::bytes(values.data(), values.size()));
      },
      nb::arg("system"), nb::arg("run"));
}

}  // namespace sapper
