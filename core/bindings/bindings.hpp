#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <ranges>
#include <span>
#include <stdexcept>

#include "base/memory.hpp"

namespace sapper {

namespace nb = nanobind;

// The bytes of a Python `bytes` object seen as numbers.
template <class T>
std::span<const T> numbers(const nb::bytes& data) {
  if (data.size() % sizeof(T) != 0) throw std::invalid_argument("buffer has a partial element");
  return {static_cast<const T*>(static_cast<const void*>(data.c_str())), data.size() / sizeof(T)};
}

template <class T, class List = Vector<T>>
List vector_of(const nb::bytes& data) {
  const auto view = numbers<T>(data);
  return {view.begin(), view.end()};
}

template <std::ranges::contiguous_range R>
nb::bytes bytes_of(const R& values) {
  return nb::bytes(std::ranges::data(values), std::ranges::size(values) * sizeof(*std::ranges::data(values)));
}

void bind_system(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_explain(nb::module_& m);
void bind_subgraph(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_walk(nb::module_& m);
void bind_player(nb::module_& m);
void bind_random_boards(nb::module_& m);
void bind_games(nb::module_& m);
void bind_boards(nb::module_& m);
void bind_arena(nb::module_& m);
void bind_winning(nb::module_& m);
void bind_batch(nb::module_& m);

}  // namespace sapper
