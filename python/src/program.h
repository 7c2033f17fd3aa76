// SPDX-License-Identifier: Apache-2.0
// Programs, placeholders and what several tensors are asked together.
#pragma once

#include <nanobind/nanobind.h>

namespace weft::python {

void bind_programs(nanobind::module_& module);

}  // namespace weft::python
