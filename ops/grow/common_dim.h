// SPDX-License-Identifier: Apache-2.0
// What concat and stack share: what tensors that are known in part have in common.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string_view>

#include <weft/graph/define.h>

namespace weft {

/// Refuses none, and such as have other elements than the first.
inline void check_joined_types(std::string_view op, const KnownTypes& tensors) {
  if (tensors.empty())
    throw ParameterError("length_mismatch",
                         fmt::format("{}: there are no tensors, expected 1 or more", op));
  for (std::size_t k = 0; k < tensors.size(); ++k)
    if (tensors[k].dtype != tensors[0].dtype)
      throw DtypeError(fmt::format("{}: tensor {} is {}, expected {} as the first", op, k,
                                   tensors[k].dtype.name(), tensors[0].dtype.name()));
}

/// What is known of a shape that one of them has, beside one axis: any where no rank is known.
inline const Extents& first_known_shape(const KnownTypes& tensors) {
  for (const KnownType& tensor : tensors)
    if (tensor.shape.has_rank()) return tensor.shape;
  return tensors[0].shape;
}

/// The extent on an axis that all tensors have: that of the first which knows it, else of the first
/// that has this rank.
inline Extent common_dim(const KnownTypes& tensors, std::size_t rank, std::size_t axis) {
  std::optional<Extent> best;
  for (const auto& [dtype, shape] : tensors) {
    if (!shape.has_rank() || shape.rank() != rank) continue;
    if (shape[axis].is_known()) return shape[axis];
    if (!best) best = shape[axis];
  }
  return best.value_or(Extent());
}

/// The first tensor whose shape cannot be that of the first, but for one axis.
inline std::optional<std::size_t> find_misfit(const KnownTypes& tensors,
                                              std::optional<std::size_t> but_on = std::nullopt) {
  const Extents& first = tensors[0].shape;
  const auto may_fit = [&](const Extents& other) {
    if (other.rank() != first.rank()) return false;
    for (std::size_t k = 0; k < first.rank(); ++k)
      if (k != but_on && (other[k].high < first[k].low || first[k].high < other[k].low))
        return false;
    return true;
  };
  for (std::size_t k = 1; k < tensors.size() && first.has_rank(); ++k) {
    const Extents& other = tensors[k].shape;
    if (other.has_rank() && !may_fit(other)) return k;
  }
  return std::nullopt;
}

}  // namespace weft
