// SPDX-License-Identifier: Apache-2.0
// What concat and stack share: what tensors that are known in part have in common.
#pragma once

#include <optional>

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

/// The first tensor whose shape cannot be that of the first, but for one axis.
inline std::optional<std::size_t> find_misfit(const Tensors& tensors,
                                              std::optional<std::size_t> but_on = std::nullopt) {
  const PartialShape first = tensors[0].partial_shape();
  const auto may_fit = [&](const PartialShape& other) {
    if (other.rank() != first.rank()) return false;
    for (std::size_t k = 0; k < first.rank(); ++k)
      if (k != but_on && (other[k].high() < first[k].low() || first[k].high() < other[k].low()))
        return false;
    return true;
  };
  for (std::size_t k = 1; k < tensors.size() && first.has_rank(); ++k) {
    const PartialShape other = tensors[k].partial_shape();
    if (other.has_rank() && !may_fit(other)) return k;
  }
  return std::nullopt;
}

}  // namespace weft
