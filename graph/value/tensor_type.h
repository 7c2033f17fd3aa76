// SPDX-License-Identifier: Apache-2.0
// What a tensor is, whatever its elements are.
#pragma once

#include <weft/graph/value/dtype.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// An element type and a shape.
struct TensorType {
  DType dtype;
  Shape shape;

  /// Of shapes that have passed `check_shape`.
  std::int64_t count() const { return element_count(shape); }
  std::int64_t bytes() const { return count() * dtype.size(); }

  friend bool operator==(const TensorType&, const TensorType&) = default;
};

}  // namespace weft
