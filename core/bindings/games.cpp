// Games played by the strategies of the core.
#include "play/games.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "bindings.hpp"
#include "play/optimal.hpp"
#include "run.hpp"

namespace sapper {

namespace {

Match match_of(const Adjacency& field, std::int32_t mines, std::int32_t start,
               std::vector<std::int32_t> kept_free, const std::string& strategy, double effort) {
  const auto guessing = guessing_named(strategy);
  if (!guessing) throw std::invalid_argument("no such strategy");
  if (start < 0 || start >= field.cells()) throw nb::index_error("no such cell");
  for (const std::int32_t c : kept_free)
    if (c < 0 || c >= field.cells()) throw nb::index_error("no such cell");
  return {mines, start, std::move(kept_free), *guessing, effort};
}

// A player that is shown positions from outside.
std::pair<std::vector<std::int32_t>, bool> choose_in(const Adjacency& field,
                                                     const nb::bytes& codes, std::int32_t mines,
                                                     const std::string& strategy, double effort,
                                                     std::uint64_t seed, const Run& run) {
  const auto guessing = guessing_named(strategy);
  if (!guessing) throw std::invalid_argument("no such strategy");
  const auto labels = vector_of<std::int32_t, std::vector<std::int32_t>>(codes);
  if (std::int64_t(labels.size()) != field.cells())
    throw std::invalid_argument("one code per cell is needed");
  return guarded(run, [&](Guard& guard) {
    Strategist player(field, mines, *guessing, effort, guard);
    player.begin(seed);
    for (std::int32_t c = 0; c < field.cells(); ++c) {
      if (labels[c] >= 0) player.show(c, labels[c]);
      if (labels[c] == kMine) player.mark(c);
    }
    if (player.is_won()) return std::pair(std::vector<std::int32_t>(), false);
    const Choice choice = player.choose();
    return std::pair(std::vector<std::int32_t>(choice.cells.begin(), choice.cells.end()),
                     choice.is_guess);
  });
}

}  // namespace

void bind_games(nb::module_& m) {
  nb::class_<Played>(m, "Played", "One entry for each game, in order.")
      .def_prop_ro("won", [](const Played& p) { return bytes_of(p.won); })
      .def_prop_ro("digs", [](const Played& p) { return bytes_of(p.digs); })
      .def_prop_ro("guesses", [](const Played& p) { return bytes_of(p.guesses); })
      .def_prop_ro("luck", [](const Played& p) { return bytes_of(p.luck); });

  m.def(
      "play_seeds",
      [](const Adjacency& field, std::int32_t mines, std::int32_t start,
         std::vector<std::int32_t> kept_free, const std::string& strategy, double effort,
         const nb::bytes& seeds, const Run& run) {
        const Match match = match_of(field, mines, start, std::move(kept_free), strategy, effort);
        const auto all = vector_of<std::uint64_t, std::vector<std::uint64_t>>(seeds);
        return guarded(run, [&](Guard& guard) { return play_seeds(field, match, all, guard); });
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("kept_free"),
      nb::arg("strategy"), nb::arg("effort"), nb::arg("seeds"), nb::arg("run"));

  m.def(
      "play_layouts",
      [](const Adjacency& field, std::int32_t mines, std::int32_t start,
         const std::string& strategy, double effort, const nb::bytes& layouts,
         const nb::bytes& seeds, const Run& run) {
        const Match match = match_of(field, mines, start, {}, strategy, effort);
        const auto all = vector_of<std::uint64_t, std::vector<std::uint64_t>>(seeds);
        const auto boards = vector_of<std::uint8_t, std::vector<std::uint8_t>>(layouts);
        if (boards.size() != all.size() * std::size_t(field.cells()))
          throw std::invalid_argument("one layout for each seed is needed");
        return guarded(run,
                       [&](Guard& guard) { return play_layouts(field, match, boards, all, guard); });
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("strategy"),
      nb::arg("effort"), nb::arg("layouts"), nb::arg("seeds"), nb::arg("run"));

  m.def(
      "optimal_wins",
      [](const Adjacency& field, std::int32_t mines, const std::string& rule, std::int32_t start,
         const Run& run) {
        constexpr std::array<std::string_view, 3> rules = {"any", "safe", "zero"};
        const auto at = std::find(rules.begin(), rules.end(), rule);
        if (at == rules.end()) throw std::invalid_argument("no such rule");
        if (start >= field.cells()) throw nb::index_error("no such cell");
        const Optimal best = guarded(run, [&](Guard& guard) {
          return optimal_wins(field, mines, StartRule(at - rules.begin()), start, guard);
        });
        return std::tuple(best.wins, best.layouts, best.start, best.sets);
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("rule"), nb::arg("start"), nb::arg("run"),
      "Layouts won by perfect play, layouts, first dig (-1: none is possible), sets looked at.");

  m.def("choose_dig", &choose_in, nb::arg("field"), nb::arg("codes"), nb::arg("mines"),
        nb::arg("strategy"), nb::arg("effort"), nb::arg("seed"), nb::arg("run"),
        "What a strategy digs next, and whether that is a guess.");
}

}  // namespace sapper
