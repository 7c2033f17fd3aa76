// SPDX-License-Identifier: Apache-2.0
// Reducing: elements are combined in an order that follows from how many there are, and from
// nothing else: not from strides, threads or vectors.
//
// Element i of a chunk of `chunk_elements` goes to partial result i mod `partial_results`, in the
// order of i. Then the upper half of those is combined into the lower, until one is left; those of
// chunks are combined with their neighbours, until one is left.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

inline constexpr std::int64_t partial_results = 64, chunk_elements = 32 * 1024;

/// What carries a reduction out on elements of one type, whose result is of that type.
struct ReduceKernels {
  std::int64_t element;  ///< bytes
  /// to[i] becomes to[i] combined with x[i].
  void (*combine)(std::byte* to, const std::byte* x, std::int64_t count) noexcept;
  /// The same of all partial results, and of as many elements again and again.
  void (*fold)(std::byte* to, const std::byte* x, std::int64_t times) noexcept;
  /// to[i] becomes to[i] combined with what rows `pitch` bytes apart have at i, of `count`
  /// elements.
  void (*fold_rows)(std::byte* to, const std::byte* x, std::int64_t pitch, std::int64_t rows,
                    std::int64_t count) noexcept;
  /// What all of so many elements are, of a chunk at most.
  void (*fold_all)(std::byte* to, const std::byte* x, std::int64_t count) noexcept;
};

/// Of f32, f64, i32, i64 and u64.
inline constexpr std::size_t reduced_types = 5;

}  // namespace weft
