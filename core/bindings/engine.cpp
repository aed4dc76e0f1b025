#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

#include "bindings.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/answers.hpp"
#include "passes/evaluate.hpp"
#include "run.hpp"

namespace sapper {

namespace {

using Described = nb::typed<nb::dict, nb::str, nb::any>;

const char* kind_name(LimitKind kind) {
  switch (kind) {
    case LimitKind::seconds: return "seconds";
    case LimitKind::nodes: return "nodes";
    case LimitKind::estimate: return "estimate";
    default: return "bytes";
  }
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

Described describe(const Part& part, const Diagram* diagram) {
  Described d;
  d["variable_offsets"] = bytes_of(part.variable_offsets);
  d["variables"] = bytes_of(part.variables);
  d["clues"] = bytes_of(part.clue_ids);
  if (diagram) {
    d["nodes"] = diagram->nodes;
    d["visited"] = diagram->visited;
    d["joins"] = diagram->has_joins;
    const MineRanges ranges(*diagram);
    d["least"] = ranges.low.back();
    d["most"] = ranges.high.back();
  }
  return d;
}

}  // namespace

void bind_engine(nb::module_& m) {
  static nb::exception<LimitHit> limit_error(m, "LimitHit", PyExc_RuntimeError);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const LimitHit& e) {
      const nb::object args = nb::make_tuple(kind_name(e.kind), e.allowed, e.spent);
      PyErr_SetObject(limit_error.ptr(), args.ptr());
    }
  });

  nb::class_<Run>(m, "Run", "Limits and a progress callback; the clock runs from the start.")
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
             const std::string& order, double most_expected) {
            new (self) Options{certainty, grouping,           look_ahead,
                               path_only, order_named(order), most_expected};
          },
          nb::kw_only(), nb::arg("certainty") = true, nb::arg("grouping") = true,
          nb::arg("look_ahead") = true, nb::arg("path_only") = false, nb::arg("order") = "auto",
          nb::arg("most_expected") = std::numeric_limits<double>::infinity());

  nb::class_<Cache>(m, "Cache", "Compiled diagrams by content.")
      .def(nb::init<>())
      .def("__len__", &Cache::size)
      .def_prop_ro("size_in_bytes", &Cache::bytes)
      .def("clear", &Cache::clear)
      .def_ro("hits", &Cache::hits)
      .def_ro("compiled", &Cache::compiled)
      .def_ro("searched", &Cache::searched);

  nb::class_<Compiled>(m, "Compiled", "A compiled system.")
      .def_ro("consistent", &Compiled::consistent)
      .def_ro("variables", &Compiled::variables)
      .def_ro("forced_mines", &Compiled::forced_mines)
      .def_prop_ro("nodes", &Compiled::nodes)
      .def_ro("size_in_bytes", &Compiled::bytes)
      .def_prop_ro("values",
                   [](const Compiled& c) { return nb::bytes(c.values.data(), c.values.size()); })
      .def_prop_ro("free", [](const Compiled& c) { return bytes_of(c.free); })
      .def("__len__", [](const Compiled& c) { return c.pieces.size(); })
      .def("piece",
           [](const Compiled& c, std::size_t i) {
             const Piece& piece = piece_at(c, i);
             return describe(piece.part, piece.diagram.get());
           })
      .def("verdicts",
           [](const Compiled& c, const Run& run) {
             const auto bytes = 2 * std::uint64_t(c.variables);  // here, and once more in Python
             const Verdicts v = guarded(run, c, bytes, [&](Guard& g) { return verdicts(c, g); });
             return std::pair(v.consistent, nb::bytes(v.of.data(), v.of.size()));
           })
      .def("probabilities",
           [](const Compiled& c, const Run& run) {
             const auto bytes = std::uint64_t(c.variables) * (1 + 2 * sizeof(double));
             const Probabilities p =
                 guarded(run, c, bytes, [&](Guard& g) { return probabilities(c, g); });
             return std::tuple(p.consistent, bytes_of(p.of), p.log2_count);
           })
      .def("log2_count",
           [](const Compiled& c, std::size_t i, const Run& run) {
             return guarded(run, c, 0, [&](Guard& g) { return log2_count(piece_at(c, i), g); });
           })
      .def("count_residue",
           [](const Compiled& c, std::size_t i, std::uint64_t modulus, const Run& run) {
             return guarded(run, c, 0, [&](Guard& g) { return count_residue(piece_at(c, i), modulus, g); });
           })
      .def("count_by_mines_residues",
           [](const Compiled& c, std::size_t i, std::uint64_t modulus, const Run& run) {
             return guarded(
                 run, c, 0, [&](Guard& g) { return count_by_mines_residues(piece_at(c, i), modulus, g); });
           })
      .def("marginal_residues_under_total",
           [](const Compiled& c, std::uint64_t modulus, const Run& run) {
             return guarded(run, c, 0, [&](Guard& g) {
               return marginal_residues_under_total(c, modulus, g);
             });
           })
      .def("marginal_residues",
           [](const Compiled& c, std::size_t i, std::uint64_t modulus,
              const std::vector<std::uint64_t>& outside, const Run& run) {
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

  m.def(
      "prepare",
      [](const System& system, const Options& options, const Run& run) {
        const Prepared p = guarded(run, [&](Guard& g) {
          Prepared made = prepare(system, options, g, nullptr);
          // A dictionary and its values for each piece, and all cells once more.
          g.take_bytes(made.result.pieces.size() * 1200 + std::uint64_t(system.variables) * 12);
          return made;
        });
        nb::typed<nb::list, Described> pieces;
        for (std::size_t i = 0; i < p.result.pieces.size(); ++i) {
          Described d = describe(p.result.pieces[i].part, nullptr);
          d["width"] = p.plans[i].width;
          d["words"] = p.plans[i].words;
          d["nodes"] = p.plans[i].expected_nodes;
          d["work"] = p.plans[i].expected_work;
          d["joins"] = p.plans[i].has_joins;
          pieces.append(d);
        }
        return std::tuple(p.result.consistent,
                          nb::bytes(p.result.values.data(), p.result.values.size()),
                          bytes_of(p.result.free), pieces);
      },
      nb::arg("system"), nb::arg("options"), nb::arg("run"));

  m.def(
      "certain_values",
      [](const System& system, const Run& run) {
        std::vector<std::int8_t> values;
        const bool consistent =
            guarded(run, [&](Guard& g) { return certain_values(system, values, g); });
        return std::pair(consistent, nb::bytes(values.data(), values.size()));
      },
      nb::arg("system"), nb::arg("run"));
}

}  // namespace sapper
