// Many boards at once, on arrays of numpy.
#include "passes/batch.hpp"

#include <nanobind/ndarray.h>

#include "bindings.hpp"
#include "run.hpp"

namespace sapper {

namespace {

template <class T>
using Column = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class A>
auto span_of(const A& array) {
  return std::span(array.data(), array.size());
}

}  // namespace

void bind_batch(nb::module_& m) {
  m.def(
      "analyze_boards",
      [](const Adjacency& field, const Table<const std::int32_t>& labels,
         const Column<const std::int64_t>& totals, const Options& options,
         const Table<std::int8_t>& verdicts, const Table<double>& probabilities,
         const Column<std::int8_t>& consistent, const Column<double>& log2_counts,
         const Column<std::int32_t>& best, const Run& run) {
        const BatchRows rows{span_of(verdicts), span_of(probabilities), span_of(consistent),
                             span_of(log2_counts), span_of(best)};
        guarded(run, [&](Guard& guard) {
          guard.take_bytes(field.bytes() + labels.nbytes() + verdicts.nbytes() +
                           probabilities.nbytes());
          analyze_boards(field, span_of(labels), span_of(totals), options, rows, guard);
        });
      },
      nb::arg("field"), nb::arg("labels"), nb::arg("totals"), nb::arg("options"),
      nb::arg("verdicts"), nb::arg("probabilities"), nb::arg("consistent"), nb::arg("log2_counts"),
      nb::arg("best"), nb::arg("run"),
      "Verdicts, chances, counts and the cell to dig of many boards on one field.");
}

}  // namespace sapper
