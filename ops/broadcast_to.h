// broadcast_to: repeats axes of extent 1.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Repeats axes of extent 1, and adds leading axes, until the shape is `shape`:
/// `out[i] = x[j]` with j = 0 where x has extent 1 and j = i elsewhere.
///
/// `shape` is a scalar or list of any integer type.
///
/// Throws DtypeError, ParameterError (bad_rank), OverflowError, ShapeError. Cost: free; never adds
/// a box. Gradient: sum over the repeated axes. As numpy.broadcast_to.
Tensor broadcast_to(const Tensor& x, const Ints& shape);

extern const Op broadcast_to_op;

}  // namespace weft
