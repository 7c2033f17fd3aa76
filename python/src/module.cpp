// SPDX-License-Identifier: Apache-2.0
// The extension weft._core: what the package is made of; nothing of it is for users.
#include <nanobind/nanobind.h>

#include "array_out.h"
#include "call.h"
#include "error.h"
#include "program.h"
#include "tensor.h"

NB_MODULE(_core, module) {
  module.doc() = "What the package weft is made of.";
  // Classes of the package keep functions of ours until the process ends, and there is no order in
  // which modules go.
  nanobind::set_leak_warnings(false);
  weft::python::bind_errors(module);
  weft::python::bind_arrays(module);
  weft::python::bind_tensor(module);
  weft::python::bind_calls(module);
  weft::python::bind_programs(module);
}
