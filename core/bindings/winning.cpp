// What digs are worth.
#include "play/winning.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings.hpp"
#include "run.hpp"

namespace sapper {

void bind_winning(nb::module_& m) {
  m.def(
      "winning",
      [](const Adjacency& field, const nb::bytes& codes, std::int32_t mines, double most,
         const Run& run) {
        const auto labels = vector_of<std::int32_t>(codes);
        if (std::int64_t(labels.size()) != field.cells())
          throw std::invalid_argument("one code per cell is needed");
        const Winning found =
            guarded(run, [&](Guard& guard) { return winning(field, labels, mines, most, guard); });
        return std::tuple(found.worlds, bytes_of(found.cells), bytes_of(found.wins));
      },
      nb::arg("field"), nb::arg("codes"), nb::arg("mines"), nb::arg("most"), nb::arg("run"),
      "Worlds, cells to dig and how many worlds each wins under perfect play; 0 worlds: too many.");
}

}  // namespace sapper
