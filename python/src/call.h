// SPDX-License-Identifier: Apache-2.0
// Ops by their names.
#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

void bind_calls(nanobind::module_& module);

}  // namespace weft::python
