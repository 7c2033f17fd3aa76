// SPDX-License-Identifier: Apache-2.0
// Results that are computed part by part, for those larger than memory.
#pragma once

#include <cstdint>
#include <functional>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// How a result is cut.
struct PartsOrder {
  /// Whether parts follow one another in row-major order; else they are blocks whose rows are long
  /// in the result and in what it is made of, as far as both can be.
  bool in_order = false;
};

/// Computes `tensor` in parts that cover it once, and calls `take` with where each begins and its
/// elements, stored. The tensor keeps no value. A part, and what is stored on the way to it, take
/// `options.memory_limit` together; a tensor that fits is one part. Throws what `eval_region`
/// throws, and what `take` does. Cost: a plan for each part.
void eval_in_parts(const Tensor& tensor, const PartsOrder& order, const EvalOptions& options,
                   const std::function<void(const Shape& start, const Tensor& part)>& take);

/// The extents of parts of at most `bytes` bytes (or of one element).
Shape shape_of_parts(const Tensor& tensor, const PartsOrder& order, std::int64_t bytes,
                     const EvalOptions& options);

/// Whether evaluating stores anything besides the result: parts would each store that again.
bool stores_on_the_way(const Tensor& tensor, const EvalOptions& options);

}  // namespace weft
