// Many games stepped at once, on arrays of numpy.
#include "play/arena.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "bindings.hpp"
#include "run.hpp"

namespace sapper {

namespace {

template <class T>
using Column = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Boards = nb::ndarray<std::int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void check(const Arena& arena, const Boards& seen) {
  if (seen.shape(0) != std::size_t(arena.boards()) || seen.shape(1) != std::size_t(arena.cells()))
    throw std::invalid_argument("one row for each board, and one byte for each cell are needed");
}

// For each board: a game that is over begins again, any other is dug at.
void step(Arena& arena, const Column<const std::int64_t>& actions, const Boards& seen,
          const Column<double>& rewards, const Column<std::uint8_t>& outcomes, const Run& run) {
  check(arena, seen);
  const auto n = std::size_t(arena.boards());
  if (actions.shape(0) != n || rewards.shape(0) != n || outcomes.shape(0) != n)
    throw std::invalid_argument("one entry for each board is needed");
  for (std::size_t i = 0; i < n; ++i)
    if (actions.data()[i] < 0 || actions.data()[i] >= arena.cells()) throw nb::index_error("no such cell");
  const std::int64_t* cells = actions.data();
  std::int8_t* rows = seen.data();
  double* reward = rewards.data();
  std::uint8_t* outcome = outcomes.data();
  guarded(run, [&](Guard& guard) {
    for (std::int32_t i = 0; i < arena.boards(); ++i, rows += arena.cells()) {
      guard.tick();
      if (arena.outcome(i) != Arena::playing) {
        arena.reset(i, rows, guard);
        reward[i] = 0;
      } else {
        reward[i] = arena.dig(i, std::int32_t(cells[i]), rows, guard);
      }
      outcome[i] = arena.outcome(i);
    }
    return 0;
  });
}

}  // namespace

void bind_arena(nb::module_& m) {
  nb::class_<Arena>(m, "Arena", "Many games, dug step by step.")
      .def(
          "__init__",
          [](Arena* self, const Adjacency& field, std::int32_t boards, std::int32_t mines,
             const std::string& rule, std::int32_t start, bool no_guess, std::uint64_t tries,
             std::tuple<double, double, double, double> rewards) {
            constexpr std::array<std::string_view, 3> rules = {"any", "safe", "zero"};
            const auto at = std::find(rules.begin(), rules.end(), rule);
            if (at == rules.end()) throw std::invalid_argument("no such rule");
            if (boards < 1) throw std::invalid_argument("there must be a board");
            if (start < -1 || start >= field.cells()) throw nb::index_error("no such cell");
            const auto [win, lose, dig, nothing] = rewards;
            new (self) Arena(field, boards, mines, StartRule(at - rules.begin()), start, no_guess,
                             tries, {win, lose, dig, nothing});
          },
          nb::arg("field"), nb::arg("boards"), nb::arg("mines"), nb::arg("rule"), nb::arg("start"),
          nb::arg("no_guess"), nb::arg("tries"), nb::arg("rewards"))
      .def(
          "seed",
          [](Arena& arena, std::int32_t board, std::uint64_t seed) {
            if (board < 0 || board >= arena.boards()) throw nb::index_error("no such board");
            arena.seed(board, seed);
          },
          nb::arg("board"), nb::arg("seed"))
      .def(
          "reset",
          [](Arena& arena, std::int32_t board, const Boards& seen, const Run& run) {
            check(arena, seen);
            if (board < 0 || board >= arena.boards()) throw nb::index_error("no such board");
            std::int8_t* row = seen.data() + std::size_t(board) * std::size_t(arena.cells());
            guarded(run, [&](Guard& guard) {
              arena.reset(board, row, guard);
              return 0;
            });
          },
          nb::arg("board"), nb::arg("seen"), nb::arg("run"))
      .def("step", &step, nb::arg("actions"), nb::arg("seen"), nb::arg("rewards"),
           nb::arg("outcomes"), nb::arg("run"))
      .def(
          "mines",
          [](const Arena& arena, std::int32_t board) {
            if (board < 0 || board >= arena.boards()) throw nb::index_error("no such board");
            const auto mines = arena.mines(board);
            return nb::bytes(mines.data(), mines.size());
          },
          nb::arg("board"), "One byte a cell; none while no mines are placed.");
}

}  // namespace sapper
