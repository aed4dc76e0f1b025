// The cells of a field as keys of dictionaries.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "bindings.hpp"

namespace sapper {

// Python hashes a tuple anew each time, and makes a dictionary larger again and again as it grows: with
// hashes that are kept, and room from the start, a dictionary takes half the time. The stable interface
// has neither.
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030D0000
#define SAPPER_HASHES_KNOWN 1
#else
#define SAPPER_HASHES_KNOWN 0
#endif

class Keys {
 public:
  explicit Keys(const nb::tuple& cells) : cells_(cells) {
    hashes_.reserve(cells.size());
    for (const nb::handle cell : cells) {
      hashes_.push_back(PyObject_Hash(cell.ptr()));
      if (hashes_.back() == -1) throw nb::python_error();
    }
  }

  std::size_t size() const { return hashes_.size(); }

  // A dictionary with room for so many cells.
  static nb::dict dict_for([[maybe_unused]] std::size_t cells) {
#if SAPPER_HASHES_KNOWN
    return nb::steal<nb::dict>(checked(_PyDict_NewPresized(Py_ssize_t(cells))));
#else
    return nb::dict();
#endif
  }

  // The cell at a place, below `size`, gets its value.
  void put(const nb::dict& to, std::size_t place, nb::handle value) const {
    PyObject* const cell = NB_TUPLE_GET_ITEM(cells_.ptr(), Py_ssize_t(place));
#if SAPPER_HASHES_KNOWN
    const int failed = _PyDict_SetItem_KnownHash(to.ptr(), cell, value.ptr(), hashes_[place]);
#else
    const int failed = PyDict_SetItem(to.ptr(), cell, value.ptr());
#endif
    if (failed != 0) throw nb::python_error();
  }

 private:
  static PyObject* checked(PyObject* made) {
    if (made == nullptr) throw nb::python_error();
    return made;
  }

  nb::tuple cells_;
  std::vector<Py_hash_t> hashes_;
};

}  // namespace sapper
