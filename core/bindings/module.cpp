// Python face of the core: conversion of arguments and results, nothing else.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  // Adjacencies are cached for the life of the process; that is no leak worth a warning at exit.
  nb::set_leak_warnings(false);
  m.doc() = "Compiled core of sapper; private, use the Python packages.";
  sapper::bind_system(m);
  sapper::bind_engine(m);
  sapper::bind_explain(m);
  sapper::bind_subgraph(m);
  sapper::bind_forest(m);
  sapper::bind_walk(m);
  sapper::bind_player(m);
  sapper::bind_random_boards(m);
  sapper::bind_games(m);
  sapper::bind_boards(m);
  sapper::bind_arena(m);
  sapper::bind_winning(m);
  sapper::bind_batch(m);
}
