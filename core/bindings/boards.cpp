// Boards that are made to order.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "play/certainty.hpp"
#include "play/generate.hpp"
#include "play/metrics.hpp"
#include "run.hpp"

namespace sapper {

namespace {

void check_cell(const Adjacency& field, std::int32_t cell) {
  if (cell < 0 || cell >= field.cells()) throw nb::index_error("no such cell");
}

std::vector<std::uint8_t> checked_layout(const Adjacency& field, const nb::bytes& mines) {
  auto layout = vector_of<std::uint8_t>(mines);
  if (std::int64_t(layout.size()) != field.cells())
    throw std::invalid_argument("one byte per cell is needed");
  for (auto& m : layout) m = m != 0;
  return layout;
}

std::int32_t mines_of(const std::vector<std::uint8_t>& layout) {
  std::int32_t n = 0;
  for (const auto m : layout) n += m;
  return n;
}

}  // namespace

void bind_boards(nb::module_& m) {
  m.def(
      "draw_certain",
      [](const Adjacency& field, std::int32_t mines, std::int32_t start,
         std::vector<std::int32_t> kept_free, bool use_total, std::uint64_t seed,
         std::uint64_t first, std::uint64_t tries, const Run& run) {
        check_cell(field, start);
        for (const std::int32_t c : kept_free) check_cell(field, c);
        const Wish wish{mines, start, std::move(kept_free), use_total};
        const Drawn drawn = guarded(
            run, [&](Guard& guard) { return draw_certain(field, wish, seed, first, tries, guard); });
        return std::tuple(bytes_of(drawn.mines), drawn.tries);
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("kept_free"),
      nb::arg("use_total"), nb::arg("seed"), nb::arg("first"), nb::arg("tries"), nb::arg("run"),
      "A board that certainty finishes, or no bytes, and how many were tried.");

  m.def(
      "certainty_finishes",
      [](const Adjacency& field, const nb::bytes& mines, std::int32_t start, bool use_total,
         bool twins, const Run& run) {
        check_cell(field, start);
        const auto layout = checked_layout(field, mines);
        return guarded(run, [&](Guard& guard) {
          Certainty player(field, mines_of(layout), use_total, guard);
          return twins ? player.finishes(layout, start) : player.play(layout, start);
        });
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("use_total"), nb::arg("twins"),
      nb::arg("run"));

  m.def(
      "board_metrics",
      [](const Adjacency& field, const nb::bytes& mines, const nb::bytes& order, const Run& run) {
        const auto layout = checked_layout(field, mines);
        const auto places = numbers<std::int32_t>(order);
        for (const std::int32_t c : places) check_cell(field, c);
        if (places.size() != layout.size()) throw std::invalid_argument("an order of all cells is needed");
        const Metrics found = guarded(
            run, [&](Guard& guard) { return metrics_of(field, layout, places, guard); });
        return std::tuple(std::tuple(found.three_bv, found.openings, found.islands, found.zini,
                                     found.human_zini),
                          bytes_of(found.click_of));
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("order"), nb::arg("run"),
      "3BV, openings, islands, ZiNi and human ZiNi; for each cell the click it is part of.");
}

}  // namespace sapper
