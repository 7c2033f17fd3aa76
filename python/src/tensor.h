// SPDX-License-Identifier: Apache-2.0
// The class Tensor of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <weft/graph/tensor.h>

namespace weft::python {

/// The tensor of a Python object; null where it is none.
const Tensor* tensor_in(nanobind::handle object);
/// A new object of the class that the package made of ours.
nanobind::object wrapped(Tensor tensor);

void bind_tensor(nanobind::module_& module);

}  // namespace weft::python
