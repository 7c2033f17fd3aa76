// SPDX-License-Identifier: Apache-2.0
// Element types of NumPy as weft's, and back.
#pragma once

#include <nanobind/nanobind.h>
#include <optional>

#include <weft/graph/value/dtype.h>

namespace weft::python {

/// The type of a numpy.dtype, or of what makes one. Structs, dates and strings of fixed width are
/// descriptions that movement keeps. Throws DtypeError for objects.
DType dtype_from(nanobind::handle numpy_type);
/// The numpy.dtype of a type.
nanobind::object numpy_dtype(DType dtype);

/// The letter and the size by which NumPy's array interface tells a type, in native order.
struct InterfaceType {
  char kind;
  int size;
};
/// Void of that size for types that NumPy does not have by itself.
InterfaceType interface_type(DType dtype);
/// Nothing for what only numpy.dtype can tell.
std::optional<DType> dtype_of_interface(InterfaceType type);

}  // namespace weft::python
