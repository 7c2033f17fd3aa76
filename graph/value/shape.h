// SPDX-License-Identifier: Apache-2.0
// Shapes and coordinates: int64 numbers, counted without overflow.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <weft/graph/value/dtype.h>
#include <weft/graph/value/small_vector.h>

namespace weft {

/// One extent (or coordinate, or stride) for each axis; rank 0 to 16.
using Shape = SmallVector<std::int64_t, 8>;
using Index = Shape;

inline constexpr std::size_t max_rank = 16;
inline constexpr std::int64_t max_bytes = std::int64_t{1} << 62;

/// The product of the extents; 1 for rank 0. The shape must have passed `check_shape`.
std::int64_t element_count(const Shape& shape);

/// Strides in elements of a row-major tensor of this shape, which must not be empty.
Shape row_major_strides(const Shape& shape);

/// Whether elements of that shape at those strides follow one another, row-major.
bool follow_one_another(const Shape& shape, const Shape& strides);

/// Refuses a rank above 16 (bad_rank) and more than 2^62 bytes (overflow), in the name of `op`.
void check_shape(std::string_view op, const Shape& shape, DType dtype);

/// Row-major position of `index`, and back.
std::int64_t linear_index(const Index& index, const Shape& shape);
Index unravel_index(std::int64_t linear, const Shape& shape);

/// "[2, 3]".
std::string to_string(std::span<const std::int64_t> values);
inline std::string to_string(const Shape& shape) {
  return to_string(std::span<const std::int64_t>(shape.data(), shape.size()));
}

}  // namespace weft
