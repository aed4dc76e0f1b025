// Boards that are made to order.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "play/certainty.hpp"
#include "play/generate.hpp"
#include "play/grade.hpp"
#include "play/metrics.hpp"
#include "run.hpp"

namespace sapper {

namespace {

void check_cell(const Adjacency& field, std::int32_t cell) {
  if (cell < 0 || cell >= field.cells()) throw nb::index_error("no such cell");
}

std::vector<std::uint8_t> checked_layout(const Adjacency& field, const nb::bytes& mines) {
  auto layout = vector_of<std::uint8_t, std::vector<std::uint8_t>>(mines);
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

Wish wish_of(const Adjacency& field, std::int32_t mines, std::int32_t start,
             std::vector<std::int32_t> kept_free, bool no_guess, bool use_total, std::int32_t level) {
  check_cell(field, start);
  for (const std::int32_t c : kept_free) check_cell(field, c);
  if (level < -1 || level > std::int32_t(Level::fiendish)) throw std::invalid_argument("no such level");
  std::optional<Level> wanted;
  if (level >= 0) wanted = Level(level);
  return {mines, start, std::move(kept_free), no_guess, use_total, wanted};
}

}  // namespace

void bind_boards(nb::module_& m) {
  m.def(
      "draw_board",
      [](const Adjacency& field, std::int32_t mines, std::int32_t start,
         std::vector<std::int32_t> kept_free, bool no_guess, bool use_total, std::int32_t level,
         std::uint64_t seed, std::uint64_t first, std::uint64_t tries, const Run& run) {
        const Wish wish = wish_of(field, mines, start, std::move(kept_free), no_guess, use_total, level);
        const Drawn drawn = guarded(
            run, [&](Guard& guard) { return draw(field, wish, seed, first, tries, guard); });
        return std::tuple(bytes_of(drawn.mines), drawn.tries);
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("kept_free"),
      nb::arg("no_guess"), nb::arg("use_total"), nb::arg("level"), nb::arg("seed"),
      nb::arg("first"), nb::arg("tries"), nb::arg("run"),
      "A board that qualifies, or no bytes, and how many were tried. Level -1: any.");

  m.def(
      "walk_to_board",
      [](const Adjacency& field, std::int32_t mines, std::int32_t start,
         std::vector<std::int32_t> kept_free, bool use_total, std::int32_t level,
         std::uint64_t seed, std::uint64_t tries, const Run& run) {
        const Wish wish = wish_of(field, mines, start, std::move(kept_free), true, use_total, level);
        const Drawn drawn =
            guarded(run, [&](Guard& guard) { return walk(field, wish, seed, tries, guard); });
        return std::tuple(bytes_of(drawn.mines), drawn.tries);
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("kept_free"),
      nb::arg("use_total"), nb::arg("level"), nb::arg("seed"), nb::arg("tries"), nb::arg("run"),
      "The same by moving mines about; not uniform.");

  m.def(
      "grade_board",
      [](const Adjacency& field, const nb::bytes& mines, std::int32_t start, const Run& run) {
        check_cell(field, start);
        const auto layout = checked_layout(field, mines);
        const Grade found =
            guarded(run, [&](Guard& guard) { return grade_board(field, layout, start, guard); });
        return std::tuple(bytes_of(found.guessed), bytes_of(found.sizes), found.total_steps,
                          found.k, std::int32_t(level_of(found)));
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("start"), nb::arg("run"),
      "Cells given away, deductions by size of core, how many needed the total, k, level.");

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
        if (!places.empty() && places.size() != layout.size())
          throw std::invalid_argument("an order of all cells is needed");
        const Metrics found = guarded(
            run, [&](Guard& guard) { return metrics_of(field, layout, places, guard); });
        return std::tuple(std::tuple(found.three_bv, found.openings, found.islands, found.zini,
                                     found.human_zini),
                          bytes_of(found.click_of));
      },
      nb::arg("field"), nb::arg("mines"), nb::arg("order"), nb::arg("run"),
      "3BV, openings, islands, ZiNi and human ZiNi; for each cell the click it is part of. No order, no ZiNi.");
}

}  // namespace sapper
