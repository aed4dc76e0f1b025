#include "player.hpp"

#include <memory>

#include "bindings.hpp"
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

}  // namespace

void bind_player(nb::module_& m) {
  m.def(
      "play",
      [](const Adjacency& field, const nb::bytes& mines, std::int32_t start, const Run& run) {
        auto layout = checked_mines(field, mines, start);
        return bytes_of(guarded(run, [&](Guard& g) {
          Player player(field, std::move(layout), g);
          player.reveal(start);
          player.play();
          return player.status();
        }));
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("run"));
}

}  // namespace sapper
