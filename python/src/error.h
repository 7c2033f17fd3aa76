// SPDX-License-Identifier: Apache-2.0
// weft's errors as Python's.
#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

/// What weft throws becomes the class of that name in weft._errors, with its category.
void bind_errors(nanobind::module_& module);

}  // namespace weft::python
