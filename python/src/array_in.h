// SPDX-License-Identifier: Apache-2.0
// Arrays as tensors: NumPy's, and what has DLPack or a buffer.
#pragma once

#include <nanobind/nanobind.h>

#include <weft/graph/tensor.h>

namespace weft::python {

/// Whether the elements of an array may, must or must not be copied.
enum class Copy : std::uint8_t { if_needed, never };

/// A tensor over the elements of an array, which lives as long as a tensor needs it. Strides of any
/// sign are borrowed; what is not aligned or not in native byte order is copied, as are lists.
/// Throws DtypeError for objects, ParameterError (copy_needed) where it would have to be copied
/// and must not.
Tensor tensor_from(nanobind::handle array, Copy copy);

/// Whether it tells where its elements are as NumPy's arrays and scalars do.
bool has_interface(nanobind::handle array);

}  // namespace weft::python
