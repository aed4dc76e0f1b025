#include "methods/explain.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "methods/hitting.hpp"
#include "methods/kset.hpp"
#include "run.hpp"

namespace sapper {

namespace {

using Ids = CoreFinder::Ids;
using Values = CoreFinder::Values;

void check_variable(const CoreFinder& f, std::int32_t variable) {
  if (variable < -1 || variable >= f.system().variables) throw nb::index_error("no such variable");
}

std::optional<nb::bytes> packed(const std::optional<Values>& values) {
  if (!values) return std::nullopt;
  return nb::bytes(values->data(), values->size());
}

}  // namespace

void bind_explain(nb::module_& m) {
  nb::class_<CoreFinder>(m, "CoreFinder", "Minimal sets of clues that force a value.")
      .def(
          "__init__",
          [](CoreFinder* self, const System& system, const Run& run) {
            check_bytes(run, double(system.bytes() + CoreFinder::bytes_for(system)));
            new (self) CoreFinder(system);
          },
          nb::arg("system"), nb::arg("run"))
      .def_prop_ro("total_id", &CoreFinder::total_id)
      .def(
          "core",
          [](CoreFinder& f, std::int32_t variable, bool value, bool smallest, std::int32_t below,
             const Run& run) -> std::optional<Ids> {
            if (variable < 0) throw nb::index_error("no such variable");
            check_variable(f, variable);
            return guarded(run, [&](Guard& g) {
              g.take_bytes(f.bytes());
              return f.core(variable, value, smallest, below, g);
            });
          },
          nb::arg("variable"), nb::arg("value"), nb::arg("smallest"), nb::arg("below"),
          nb::arg("run"))
      .def(
          "contradiction",
          [](CoreFinder& f, const Run& run) -> std::optional<Ids> {
            return guarded(run, [&](Guard& g) {
              g.take_bytes(f.bytes());
              return f.contradiction(g);
            });
          },
          nb::arg("run"))
      .def(
          "witness",
          [](CoreFinder& f, const Ids& clues, std::int32_t variable, bool value,
             const nb::bytes& near, const Run& run) {
            check_variable(f, variable);
            for (const std::int32_t c : clues)
              if (c < 0 || c > f.total_id() || (c == f.total_id() && !f.system().has_total))
                throw nb::index_error("no such clue");
            const Values start = vector_of<std::int8_t>(near);
            if (!start.empty() && start.size() != std::size_t(f.system().variables))
              throw std::invalid_argument("one value per variable is needed");
            return packed(guarded(run, [&](Guard& g) {
              g.take_bytes(f.bytes());
              return f.witness(clues, variable, value, start, g);
            }));
          },
          nb::arg("clues"), nb::arg("variable"), nb::arg("value"), nb::arg("near"),
          nb::arg("run"));

  m.def(
      "smallest_hitting_set",
      [](const std::vector<std::vector<std::int32_t>>& families, std::int32_t least,
         std::int32_t end, const Run& run) -> std::optional<Ids> {
        return guarded(run, [&](Guard& g) {
          Vector<Ids> own;
          for (const auto& family : families) own.emplace_back(family.begin(), family.end());
          return smallest_hitting_set(own, least, end, g);
        });
      },
      nb::arg("families"), nb::arg("least"), nb::arg("end"), nb::arg("run"),
      "A smallest set that meets every family, with at least `least` and fewer than `end` members.");

  m.def(
      "k_set_search",
      [](const System& system, std::int32_t k, bool repeat, const Run& run) {
        const KSetResult r =
            guarded(run, [&](Guard& g) { return k_set_search(system, k, repeat, g); });
        return std::tuple(r.consistent, nb::bytes(r.values.data(), r.values.size()),
                          r.combinations);
      },
      nb::arg("system"), nb::arg("k"), nb::arg("repeat"), nb::arg("run"));
}

}  // namespace sapper
