// SPDX-License-Identifier: Apache-2.0
// Work that needs no Python, while other threads of Python run.
#pragma once

#include <nanobind/nanobind.h>
#include <utility>

namespace weft::python {

namespace nb = nanobind;

/// What `work` returns, made without the lock of the interpreter. It must not touch Python.
template <class Work>
decltype(auto) without_gil(Work&& work) {
  const nb::gil_scoped_release released;
  return std::forward<Work>(work)();
}

}  // namespace weft::python
