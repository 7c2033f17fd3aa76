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

/// Of a tensor that is one box of what is stored, those of what is stored; of others it evaluates.
Elements elements_of(const Tensor& tensor);
/// Those of a copy, which nobody else has.
Elements copied_elements(const Tensor& tensor);

/// A numpy.ndarray over them.
nanobind::object to_numpy(Elements elements);

void bind_arrays(nanobind::module_& module);

}  // namespace weft::python
