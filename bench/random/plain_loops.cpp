// SPDX-License-Identifier: Apache-2.0
// The loop nest.
#include "random/plain_loops.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace weft::bench {
namespace {

template <std::size_t bytes>
using Element = std::array<std::byte, bytes>;

template <class T>
void run_box(const PlainBox& box, T* to, const T* from) {
  const std::size_t rank = box.extents.size();
  if (rank == 0) {
    *to = *from;
    return;
  }
  const std::size_t inner = rank - 1;
  const std::int64_t count = box.extents[inner], to_step = box.to_strides[inner],
                     from_step = box.from_strides[inner];
  Shape at(rank, 0);
  for (;;) {
    if (to_step == 1 && from_step == 1)
      std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
    else
      for (std::int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
    std::size_t axis = inner;
    for (;; --axis) {
      if (axis == 0) return;
      to += box.to_strides[axis - 1];
      from += box.from_strides[axis - 1];
      if (++at[axis - 1] < box.extents[axis - 1]) break;
      to -= box.extents[axis - 1] * box.to_strides[axis - 1];
      from -= box.extents[axis - 1] * box.from_strides[axis - 1];
      at[axis - 1] = 0;
    }
  }
}

template <class T>
void run_boxes(const PlainOp& op, std::byte* to, const std::byte* from) {
  for (const PlainBox& box : op.boxes)
    if (element_count(box.extents) > 0)
      run_box(box, reinterpret_cast<T*>(to) + box.to, reinterpret_cast<const T*>(from) + box.from);
}

}  // namespace

void run(const PlainOp& op, std::int64_t element, std::byte* to, const std::byte* from) {
  if (op.has_zeros) std::memset(to, 0, static_cast<std::size_t>(op.count() * element));
  switch (element) {
    case 1:
      return run_boxes<std::uint8_t>(op, to, from);
    case 2:
      return run_boxes<std::uint16_t>(op, to, from);
    case 3:
      return run_boxes<Element<3>>(op, to, from);
    case 4:
      return run_boxes<std::uint32_t>(op, to, from);
    case 8:
      return run_boxes<std::uint64_t>(op, to, from);
    case 12:
      return run_boxes<Element<12>>(op, to, from);
    case 16:
      return run_boxes<Element<16>>(op, to, from);
    default:
      throw std::invalid_argument("plain loops know no elements of that size");
  }
}

}  // namespace weft::bench
