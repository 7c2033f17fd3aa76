// expand_dims: inserts axes of extent 1.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Inserts axes of extent 1; the elements stay in order.
///
/// `axes` is a scalar or list of any integer type: where the new axes stand in the result, each
/// once.
///
/// Throws DtypeError, ParameterError (bad_rank), AxisError. Cost: free; over a stored tensor and at
/// the end of a chain an alias. Gradient: squeeze. As numpy.expand_dims.
Tensor expand_dims(const Tensor& x, const Ints& axes);

extern const Op expand_dims_op;

}  // namespace weft
