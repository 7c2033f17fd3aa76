// SPDX-License-Identifier: Apache-2.0
// Products of matrices, in parts: blocks of both operands are packed, and packed blocks multiplied.
//
// Which parts there are follows from extents alone, and the inner axis is cut into chunks of
// `inner_chunk` whose products are added one after another: so do the bits of the result.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/graph/value/dtype.h>

namespace weft {

/// How many elements of the inner axis are multiplied before they are added to a result.
inline constexpr std::int64_t inner_chunk = 192;
/// The same where a matrix meets a vector.
inline constexpr std::int64_t vector_chunk = 1024;
/// Where the elements of its columns lie side by side so many columns are added up apart, so that
/// threads share them.
inline constexpr std::int64_t column_group = 256;

/// A matrix in memory. Strides are in elements; one of the two is 1, or belongs to an axis of
/// extent 1.
struct MatrixView {
  const std::byte* at = nullptr;
  std::int64_t rows = 1, columns = 1, row_stride = 0, column_stride = 0;
};

/// What multiplies elements of one type, which wrap where they are integers. All pointers to packed
/// elements are at cache lines.
struct ProductKernels {
  std::int64_t element;  ///< bytes
  /// Packs the left operand [rows, inner], of a chunk at most, into as many elements.
  void (*pack_left)(std::byte* to, const MatrixView& left) noexcept;
  /// The same of the right one [inner, columns].
  void (*pack_right)(std::byte* to, const MatrixView& right) noexcept;
  /// Adds the product of packed operands to rows of elements side by side, `pitch` elements apart.
  void (*multiply)(std::byte* out, std::int64_t pitch, const std::byte* left,
                   const std::byte* right, std::int64_t rows, std::int64_t inner,
                   std::int64_t columns) noexcept;
  /// Adds so many elements to others.
  void (*add)(std::byte* out, const std::byte* from, std::int64_t count) noexcept;
  /// Adds matrix [rows, inner] times vector [inner] to `rows` elements side by side.
  void (*multiply_vector)(std::byte* out, const MatrixView& matrix,
                          const std::byte* vector) noexcept;
};

/// Of f32, f64, i32 and i64 for the instruction sets that they are compiled for; null where they
/// are not.
inline constexpr std::size_t product_types = 4;
const ProductKernels* product_kernels_portable();
const ProductKernels* product_kernels_avx2();
const ProductKernels* product_kernels_avx512();

/// Whether there are kernels of elements of that type.
constexpr bool has_product_kernels(DType type) {
  return type == f32 || type == f64 || type == i32 || type == i64;
}
/// Of the best instruction set that this machine has.
const ProductKernels& product_kernels(DType type);

}  // namespace weft
