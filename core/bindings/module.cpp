// Python face of the core: conversion of arguments and results, nothing else.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Compiled core of sapper; private, use the Python packages.";
  sapper::bind_system(m);
  sapper::bind_engine(m);
}
