// SPDX-License-Identifier: Apache-2.0
// What somebody writes who has no library: one loop nest over extents and strides, for every op.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/graph/value/shape.h>

namespace weft::bench {

/// Elements of a box of one array to a box of another, in elements.
struct PlainBox {
  std::int64_t to = 0, from = 0;
  Shape extents{}, to_strides{}, from_strides{};
};

/// An op: boxes one after the other, of one array into a new one.
struct PlainOp {
  Shape shape;
  bool has_zeros = false;  ///< where no box lies
  std::vector<PlainBox> boxes{};

  std::int64_t count() const { return element_count(shape); }
};

/// On one thread; elements of 1, 2, 3, 4, 8, 12 or 16 bytes.
void run(const PlainOp& op, std::int64_t element, std::byte* to, const std::byte* from);

}  // namespace weft::bench
