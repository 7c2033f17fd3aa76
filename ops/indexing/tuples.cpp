// SPDX-License-Identifier: Apache-2.0
// Checking tuples of indices, and making them positions.
#include <weft/ops/indexing/tuples.h>

#include <fmt/format.h>

#include <weft/graph/value/error.h>

namespace weft {

std::optional<std::size_t> tuple_length(std::string_view op, std::string_view operand,
                                        const KnownType& x, const KnownType& indices) {
  check_index(op, "indices", indices.dtype);
  const auto is_scalar = [](const Extents& shape) { return shape.has_rank() && shape.rank() == 0; };
  const auto rank = [](const Extents& shape) {
    return shape.has_rank() ? fmt::format("{}", shape.rank()) : std::string("?");
  };
  if (is_scalar(x.shape) || is_scalar(indices.shape))
    throw ParameterError("bad_rank",
                         fmt::format("{}: {} has rank {} and indices have rank {}, expected at "
                                     "least 1 of both",
                                     op, operand, rank(x.shape), rank(indices.shape)));
  if (!x.shape.has_rank() || !indices.shape.has_rank()) return std::nullopt;
  const Extent& length = indices.shape[indices.shape.rank() - 1];
  if (length.is_known() && length.low >= 1 &&
      length.low <= static_cast<std::int64_t>(x.shape.rank()))
    return static_cast<std::size_t>(length.low);
  if (x.shape.is_closed() && indices.shape.is_closed())  // others when the program runs
    throw ShapeError(fmt::format(
        "{}: indices have shape {}, expected 1 to {} on the last axis, for {} has rank {}", op,
        to_string(indices.shape), x.shape.rank(), operand, x.shape.rank()));
  return std::nullopt;
}

Extents picked_by_tuples(const Extents& x, const Extents& indices, std::size_t length) {
  Extents picked;
  for (std::size_t k = 0; k + 1 < indices.rank(); ++k) picked.push_back(indices[k]);
  for (std::size_t k = length; k < x.rank(); ++k) picked.push_back(x[k]);
  return picked;
}

Shape joined_shape(std::string_view op, const Shape& x, std::size_t length) {
  Shape joined{1};
  for (std::size_t k = 0; k < length; ++k)
    if (__builtin_mul_overflow(joined[0], x[k], &joined[0]))
      throw OverflowError(fmt::format("{}: the first {} extents of {} have no product in int64", op,
                                      length, to_string(x)));
  for (std::size_t k = length; k < x.size(); ++k) joined.push_back(x[k]);
  return joined;
}

std::vector<IndexBounds> tuple_bounds(const Shape& x, std::size_t length) {
  std::vector<IndexBounds> bounds;
  for (std::size_t k = 0; k < length; ++k) bounds.push_back({-x[k], x[k] - 1, "index"});
  return bounds;
}

void join_tuples(const Shape& x, std::size_t length, std::vector<std::int64_t>& places) {
  const std::size_t count = places.size() / length;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t position = 0;
    for (std::size_t k = 0; k < length; ++k) position = position * x[k] + places[i * length + k];
    places[i] = position;
  }
  places.resize(count);
}

}  // namespace weft
