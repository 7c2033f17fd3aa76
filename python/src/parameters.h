// SPDX-License-Identifier: Apache-2.0
// Parameters of ops as Python writes them.
#pragma once

#include <cstdint>
#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

#include <weft/graph/op.h>
#include <weft/ops/create/scalar.h>

namespace weft::python {

/// None, an int, a sequence of ints, an array or a Tensor of integers, which is evaluated.
Ints ints_from(nanobind::handle value);
/// The parameter of that type and name, which its errors tell.
Argument argument_from(nanobind::handle value, ArgumentType type, std::string_view op,
                       std::string_view name);

/// A text, NULs and all. Throws DtypeError for what is no str, FormatError for what UTF-8 cannot
/// say.
std::string text_from(nanobind::handle value, std::string_view op, std::string_view name);
/// An integer from low to high. Throws DtypeError, OverflowError.
std::int64_t integer_from(nanobind::handle value, std::int64_t low, std::int64_t high,
                          std::string_view op, std::string_view name);

/// Whether it is a bool, an int, a float or a complex number of Python.
bool is_number(nanobind::handle value);
/// A complex number beside a tensor of that type. Throws DtypeError for types that are not complex.
Tensor complex_beside(nanobind::handle number, DType dtype, std::string_view op);
/// Where it is any other.
Scalar scalar_from(nanobind::handle number);

}  // namespace weft::python
