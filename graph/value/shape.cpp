// SPDX-License-Identifier: Apache-2.0
// Checked counting over shapes.
#include <weft/graph/value/shape.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/graph/value/error.h>

namespace weft {

std::int64_t element_count(const Shape& shape) {
  // Beside a zero the other extents may be too large to multiply, which does no harm unsigned.
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
  return static_cast<std::int64_t>(count);
}

Shape row_major_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

bool follow_one_another(const Shape& shape, const Shape& strides) {
  std::int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; step *= shape[axis])
    if (shape[axis] > 1 && strides[axis] != step) return false;
  return true;
}

void check_shape(std::string_view op, const Shape& shape, DType dtype) {
  if (shape.size() > max_rank)
    throw ParameterError("bad_rank",
                         fmt::format("{}: the result would have rank {}, at most {} is allowed", op,
                                     shape.size(), max_rank));
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  std::int64_t bytes = dtype.size();
  for (const std::int64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > max_bytes)
      throw OverflowError(
          fmt::format("{}: a tensor of shape {} and type {} would have more than 2^62 bytes", op,
                      to_string(shape), dtype.name()));
  }
}

std::int64_t linear_index(const Index& index, const Shape& shape) {
  std::int64_t linear = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    linear = linear * shape[axis] + index[axis];
  return linear;
}

Index unravel_index(std::int64_t linear, const Shape& shape) {
  Index index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = linear % shape[axis];
    linear /= shape[axis];
  }
  return index;
}

std::string to_string(std::span<const std::int64_t> values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

}  // namespace weft
