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
  auto layout = vector_of<std::uint8_t>(mines);
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
         const std::string& protocol, bool smallest, const Run& run) {
        auto layout = checked_mines(field, mines, start);
        const Protocol wanted = protocol_named(protocol);
        const MeasuredGame game = guarded(run, [&](Guard& g) {
          return play_measured(field, std::move(layout), start, wanted, smallest, g);
        });
        static_assert(sizeof(CoreSize) == 3 * sizeof(std::int32_t));
        return std::tuple(bytes_of(game.status), bytes_of(game.cores), game.single_points);
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("protocol"),
      nb::arg("smallest"), nb::arg("run"),
      "Status of each cell, (cell, minimal, smallest) per measured inference, single points made.");

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
