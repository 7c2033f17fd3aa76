// SPDX-License-Identifier: Apache-2.0
// Parameters of ops as Python writes them.
#pragma once

#include <nanobind/nanobind.h>

#include <weft/graph/op.h>
#include <weft/ops/create/scalar.h>

namespace weft::python {

/// None, an int, a sequence of ints, an array or a Tensor of integers, which is evaluated.
Ints ints_from(nanobind::handle value);
/// The parameter of that type and name, which its errors tell.
Argument argument_from(nanobind::handle value, ArgumentType type, std::string_view op,
                       std::string_view name);

/// Whether it is a bool, an int or a float of Python.
bool is_number(nanobind::handle value);
/// Where it is.
Scalar scalar_from(nanobind::handle number);

}  // namespace weft::python
