// SPDX-License-Identifier: Apache-2.0
// Parts of complex numbers.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Real parts: `out[i] = x[i].real()`.
///
/// Of complex numbers. Of c64 they are f32, of c128 f64.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: complex numbers have none here.
/// NumPy: `numpy.real`. torch: `torch.real`. ONNX: none.
[[nodiscard]] Tensor real(const Tensor& x);
extern const Op real_op;

/// Imaginary parts: `out[i] = x[i].imag()`.
///
/// Of complex numbers. Of c64 they are f32, of c128 f64.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: complex numbers have none here.
/// NumPy: `numpy.imag`. torch: `torch.imag`. ONNX: none.
[[nodiscard]] Tensor imag(const Tensor& x);
extern const Op imag_op;

/// Conjugates: numbers with the other imaginary part: `out[i] = x[i].real() - x[i].imag() * i`.
///
/// Of complex numbers.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: complex numbers have none here.
/// NumPy: `numpy.conj`. torch: `torch.conj`. ONNX: none.
[[nodiscard]] Tensor conj(const Tensor& x);
extern const Op conj_op;

}  // namespace weft
