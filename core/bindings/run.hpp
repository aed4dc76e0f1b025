// How a call from Python becomes guarded work in the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "base/limits.hpp"
#include "bindings.hpp"
#include "diagram/compiled_system.hpp"

namespace sapper {

// Limits and progress callback as Python passes them.
struct Run {
  Limits limits;
  nb::object progress = nb::none();
  // All calls that get this run share its seconds.
  Guard::Clock::time_point start = Guard::Clock::now();
};

// Raises if so much memory is more than a run allows.
inline void check_bytes(const Run& run, double bytes) {
  if (bytes > double(run.limits.bytes))
    throw LimitHit(LimitKind::bytes, double(run.limits.bytes), bytes);
}

// Runs f(guard) without the GIL. About twenty times a second the GIL is taken for a moment, so
// that Ctrl-C is seen and `progress(nodes)` is called; whatever they raise ends the work.
template <class F>
auto guarded(const Run& run, F&& f) {
  const bool has_progress = !run.progress.is_none();
  Guard guard(run.limits, [&](std::uint64_t nodes) {
    const nb::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (has_progress) run.progress(nodes);
  }, run.start);
  const nb::gil_scoped_release release;
  return f(guard);
}

// The same for passes over diagrams, whose memory counts too, and so do `more` bytes for what they
// return.
template <class F>
auto guarded(const Run& run, const Compiled& compiled, std::uint64_t more, F&& f) {
  return guarded(run, [&](Guard& guard) {
    guard.take_bytes(compiled.bytes + more);
    return f(guard);
  });
}

// The system of a position: only the memory it takes is limited.
System system_from_labels(const Adjacency& field, const nb::bytes& labels,
                          std::optional<std::int64_t> total, const Limits& limits, bool settle);

}  // namespace sapper
