// Games by certainty alone.
#include "play/player.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <string>

#include "bindings.hpp"
#include "play/protocol.hpp"
#include "run.hpp"

namespace sapper {

namespace {

std::vector<std::uint8_t> checked_mines(const Adjacency& field, const nb::bytes& mines,
                                        std::int32_t start) {
  auto layout = vector_of<std::uint8_t, std::vector<std::uint8_t>>(mines);
  if (std::int64_t(layout.size()) != field.cells())
    throw std::invalid_argument("one byte per cell is needed");
  if (start < 0 || start >= field.cells()) throw nb::index_error("no such cell");
  if (layout[start]) throw std::invalid_argument("the start is a mine");
  return layout;
}

Protocol protocol_named(const std::string& name) {
  if (name == "sequential") return Protocol::sequential;
  if (name == "hybrid") return Protocol::hybrid;
  if (name == "batch") return Protocol::batch;
  throw std::invalid_argument("no such protocol: " + name);
}

Extraction extraction_named(const std::string& name) {
  if (name == "rings") return Extraction::rings;
  if (name == "deletion") return Extraction::deletion;
  throw std::invalid_argument("no such extraction: " + name);
}

}  // namespace

void bind_player(nb::module_& m) {
  m.def(
      "play",
      [](const Adjacency& field, const nb::bytes& mines, std::int32_t start, const Run& run) {
        auto layout = checked_mines(field, mines, start);
        return bytes_of(guarded(run, [&](Guard& g) {
          Player player(field, std::move(layout), g);
          player.game().reveal(start);
          player.play();
          return player.game().statuses();
        }));
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("run"));

  m.def(
      "play_measured",
      [](const Adjacency& field, const nb::bytes& mines, std::int32_t start,
         const std::string& protocol, const std::string& extraction, bool smallest, bool picks,
         bool clues, const Run& run) {
        auto layout = checked_mines(field, mines, start);
        const Measure measure{protocol_named(protocol), extraction_named(extraction), smallest, picks,
                              clues};
        const MeasuredGame game = guarded(run, [&](Guard& g) {
          return play_measured(field, std::move(layout), start, measure, g);
        });
        static_assert(sizeof(CoreSize) == 4 * sizeof(std::int32_t));
        return std::tuple(bytes_of(game.status), bytes_of(game.cores), bytes_of(game.clues),
                          game.single_points);
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("protocol"),
      nb::arg("extraction"), nb::arg("smallest"), nb::arg("picks"), nb::arg("clues"), nb::arg("run"),
      "Status of each cell, (cell, minimal, smallest, picks) per measured inference, the clues of "
      "each (number, mines, how many cells, cells), single points made.");

  m.def(
      "play_turns",
      [](const Adjacency& field, const nb::bytes& mines, std::int32_t start, std::uint64_t seed,
         const Run& run) {
        auto layout = checked_mines(field, mines, start);
        const TurnGame game = guarded(
            run, [&](Guard& g) { return play_turns(field, std::move(layout), start, seed, g); });
        return std::tuple(bytes_of(game.status), game.turns, game.stuck, game.all_turns,
                          game.hints);
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("seed"), nb::arg("run"),
      "Status and turns when it was first stuck, whether it was, turns to the end, and hints.");

  m.def(
      "play_by_k_sets",
      [](const Adjacency& field, const nb::bytes& mines, std::int32_t start, std::int32_t k,
         const Run& run) {
        auto layout = checked_mines(field, mines, start);
        if (k < 1) throw std::invalid_argument("k must be at least 1");
        return bytes_of(guarded(run, [&](Guard& g) {
          return play_by_k_sets(field, std::move(layout), start, k, g);
        }));
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("k"), nb::arg("run"));
}

}  // namespace sapper
