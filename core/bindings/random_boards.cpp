// Random boards, clusters and hypergraphs for the experiments.
#include "play/random_boards.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "play/percolation.hpp"
#include "run.hpp"

namespace sapper {

namespace {

void check_side(std::int32_t side) {
  if (side < 1 || side > 9741) throw std::invalid_argument("the side must be from 1 to 9741");
}

auto measures(const Clusters& c) { return std::tuple(c.sites, c.clusters, c.largest, c.squares); }

}  // namespace

void bind_random_boards(nb::module_& m) {
  m.def(
      "random_mines",
      [](std::int32_t cells, std::int32_t mines, const std::vector<std::int32_t>& forbidden,
         std::uint64_t seed) {
        for (const std::int32_t c : forbidden)
          if (c < 0 || c >= cells) throw nb::index_error("no such cell");
        return bytes_of(random_mines(cells, mines, forbidden, seed));
      },
      nb::arg("cells"), nb::arg("mines"), nb::arg("forbidden"), nb::arg("seed"));

  m.def(
      "full_board",
      [](const Adjacency& field, const nb::bytes& mines) {
        const auto layout = vector_of<std::uint8_t, std::vector<std::uint8_t>>(mines);
        if (std::int64_t(layout.size()) != field.cells())
          throw std::invalid_argument("one byte per cell is needed");
        return bytes_of(full_board(field, layout));
      },
      nb::arg("field"), nb::arg("mines"), "Numbers as 32-bit integers, -2 for mines.");

  m.def(
      "clusters",
      [](std::int32_t side, const nb::bytes& occupied) {
        check_side(side);
        const auto sites = vector_of<std::uint8_t, std::vector<std::uint8_t>>(occupied);
        if (std::int64_t(sites.size()) != std::int64_t(side) * side)
          throw std::invalid_argument("one byte per site is needed");
        return measures(clusters_of(side, sites));
      },
      nb::arg("side"), nb::arg("occupied"),
      "Sites, clusters, largest cluster and sum of squared sizes.");

  m.def(
      "independent_clusters",
      [](std::int32_t side, double p, std::uint64_t seed) {
        check_side(side);
        const nb::gil_scoped_release release;
        return measures(clusters_of(side, independent_sites(side, p, seed)));
      },
      nb::arg("side"), nb::arg("p"), nb::arg("seed"));

  m.def(
      "minesweeper_clusters",
      [](std::int32_t side, std::int32_t mines, std::uint64_t seed) {
        check_side(side);
        const nb::gil_scoped_release release;
        return measures(clusters_of(side, mined_or_numbered(side, mines, seed)));
      },
      nb::arg("side"), nb::arg("mines"), nb::arg("seed"));

  m.def(
      "mined_or_numbered",
      [](std::int32_t side, std::int32_t mines, std::uint64_t seed) {
        check_side(side);
        return bytes_of(mined_or_numbered(side, mines, seed));
      },
      nb::arg("side"), nb::arg("mines"), nb::arg("seed"));

  m.def(
      "mine_order",
      [](std::int32_t cells, std::int32_t mines, const std::vector<std::int32_t>& forbidden,
         std::uint64_t seed) {
        for (const std::int32_t c : forbidden)
          if (c < 0 || c >= cells) throw nb::index_error("no such cell");
        MineOrder order(cells, forbidden, seed);
        std::vector<std::int32_t> out;
        for (std::int32_t i = 0; i < mines; ++i) out.push_back(order.next());
        return bytes_of(out);
      },
      nb::arg("cells"), nb::arg("mines"), nb::arg("forbidden"), nb::arg("seed"),
      "The first cells of a random order of those that are not forbidden, as 32-bit integers.");

  m.def(
      "percolation_sweep",
      [](std::int32_t side, std::int32_t square, const std::vector<std::int64_t>& marks,
         std::uint64_t seed, const Run& run) {
        const Sweep sweep = guarded(run, [&](Guard& g) {
          return percolation_sweep(side, square, marks, seed, g);
        });
        const auto state = [](const SweepState& s) {
          return std::tuple(s.mines, s.sites, s.clusters, s.largest, s.squares);
        };
        std::vector<decltype(state(sweep.wrapped))> at;
        for (const SweepState& s : sweep.at) at.push_back(state(s));
        return std::tuple(sweep.rows, sweep.columns, state(sweep.wrapped), at);
      },
      nb::arg("side"), nb::arg("square"), nb::arg("marks"), nb::arg("seed"), nb::arg("run"),
      "Mines at which a cluster wraps along rows and along columns; (mines, sites, clusters, "
      "largest, sum of squared sizes) at the first of the two, and at each mark.");

  m.def(
      "planted_inference",
      [](std::int32_t vertices, const std::vector<std::int32_t>& sizes,
         const std::vector<std::int32_t>& counts, double density, bool strict, bool free,
         bool distinct, std::uint64_t seed, const Run& run) {
        if (sizes.size() != counts.size()) throw std::invalid_argument("one count per size");
        auto [planted, forced] = guarded(run, [&](Guard& g) {
          const HypergraphRule rule{strict, free, distinct};
          Planted p = planted_hypergraph(vertices, sizes, counts, density, rule, seed, g);
          auto f = forced_in(p, g);
          return std::pair(std::move(p), std::move(f));
        });
        std::optional<nb::bytes> known;
        if (forced) known = bytes_of(*forced);
        return std::tuple(bytes_of(planted.system.offsets), bytes_of(planted.system.cells),
                          bytes_of(planted.system.counts), bytes_of(planted.mines), known);
      },
      nb::arg("vertices"), nb::arg("sizes"), nb::arg("counts"), nb::arg("density"),
      nb::arg("strict"), nb::arg("free"), nb::arg("distinct"), nb::arg("seed"), nb::arg("run"),
      "Offsets, vertices and 64-bit labels of the hyperedges, the planted mines, which vertices are "
      "forced (None if the labels contradict each other).");
}

}  // namespace sapper
