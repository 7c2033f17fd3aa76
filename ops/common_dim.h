// What concat and stack share: an extent that tensors, known in part, have in common.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The extent on an axis that all tensors have: that of the first which knows it, else of the first
/// that has this rank.
inline Dim common_dim(const Tensors& tensors, std::size_t rank, std::size_t axis) {
  const Dim* best = nullptr;
  PartialShape shape, first;
  for (const Tensor& tensor : tensors) {
    shape = tensor.partial_shape();
    if (!shape.has_rank() || shape.rank() != rank) continue;
    if (shape[axis].is_known()) return shape[axis];
    if (best) continue;
    first = shape;
    best = &first[axis];
  }
  return best ? *best : Dim();
}

}  // namespace weft
