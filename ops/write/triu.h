// SPDX-License-Identifier: Apache-2.0
// triu: the upper triangle.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Keeps the elements on and above a diagonal of the last two axes, and zeros the others:
/// `out[..., i, j] = j - i >= k ? x[..., i, j] : 0`.
///
/// `k` is any number: 0 is the main diagonal, above 0 one right of it. The rank is 2 or more. A
/// struct's zero is bytes of 0.
///
/// Shape: that of `x`. Throws DtypeError, ParameterError (bad_rank, length_mismatch).
///
/// Group: other.
/// Cost: free; some 4 sqrt(n) boxes where it crosses n rows of stored matrices, else two a row.
/// Gradient: triu.
/// NumPy: `numpy.triu`. torch: `torch.triu`. ONNX: Trilu.
[[nodiscard]] Tensor triu(const Tensor& x, const Ints& k = 0);

extern const Op triu_op;

}  // namespace weft
