// SPDX-License-Identifier: Apache-2.0
// Values as NumPy's arrays: the memory is weft's, or that of the array it was borrowed from.
#pragma once

#include <nanobind/nanobind.h>

#include <weft/graph/tensor.h>

namespace weft::python {

/// Where the elements of a tensor lie.
struct Elements {
  Storage first;  ///< that at index 0, and what keeps all of them alive
  DType dtype;
  Shape shape, strides;  ///< in elements
  bool is_writable = false;
};

/// Of a tensor that is one box of what is stored, those of what is stored; of others it evaluates,
/// and of those with strides below 0 where there may be none.
Elements elements_of(const Tensor& tensor, bool may_go_back = true);
/// The same in memory of weft's: what lies in memory that was borrowed is copied.
Elements own_elements(const Tensor& tensor);
/// Those of a copy, which nobody else has.
Elements copied_elements(const Tensor& tensor);

/// A numpy.ndarray over them.
nanobind::object to_numpy(Elements elements);

/// What a type has the buffer protocol by: the elements of a tensor that is one box of what is
/// stored, read-only, by way of NumPy's array over them. Others raise BufferError.
const PyType_Slot* buffer_slots();

void bind_arrays(nanobind::module_& module);

}  // namespace weft::python
