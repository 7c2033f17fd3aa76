// SPDX-License-Identifier: Apache-2.0
// astype: elements of another type.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Converts each element to `dtype`: `out[i] = dtype(x[i])`.
///
/// bool, integers, f16, bf16, f32 and f64 become one another. A floating-point number becomes an
/// integer towards zero, the nearest end of the range beyond it, and 0 of NaN; an integer becomes a
/// smaller one by its low bits; bool is x != 0, true of NaN; a floating-point number is rounded to
/// nearest, ties to even. All become complex ones without an imaginary part, and complex ones each
/// other; parts of them are taken by real, imag and abs. To the type that x has it is x itself.
///
/// Shape: that of x. Throws DtypeError for structs, and for complex ones to others.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: cast back; none to integers.
/// NumPy: `x.astype(dtype)`. torch: `x.to(dtype)`. ONNX: Cast.
[[nodiscard]] Tensor astype(const Tensor& x, DType dtype);

extern const Op astype_op;

}  // namespace weft
