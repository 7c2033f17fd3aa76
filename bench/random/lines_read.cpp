// SPDX-License-Identifier: Apache-2.0
// What is asked for, from the result back to the operand.
#include "random/lines_read.h"

#include <algorithm>
#include <vector>

#include <weft/engine/memory/buffer.h>

namespace weft::bench {
namespace {

constexpr std::int64_t line = cache_line;

using Marks = std::vector<std::uint8_t>;

/// Marks what a box reads for marked elements, which are its own then: no box before it makes them.
void mark_read(const PlainBox& box, std::size_t axis, std::int64_t to, std::int64_t from,
               Marks& made, Marks& read) {
  if (axis == box.extents.size()) {
    std::uint8_t& mark = made[static_cast<std::size_t>(to)];
    read[static_cast<std::size_t>(from)] |= mark;
    mark = 0;
    return;
  }
  for (std::int64_t i = 0; i < box.extents[axis]; ++i)
    mark_read(box, axis + 1, to + i * box.to_strides[axis], from + i * box.from_strides[axis], made,
              read);
}

}  // namespace

std::int64_t bytes_of_lines_read(const Chain& chain) {
  Marks made(static_cast<std::size_t>(chain.ops.back().plain.count()), 1);
  for (std::size_t k = chain.ops.size(); k-- > 0;) {
    const std::int64_t count = k > 0 ? chain.ops[k - 1].plain.count() : element_count(chain.shape);
    Marks read(static_cast<std::size_t>(count), 0);
    const std::vector<PlainBox>& boxes = chain.ops[k].plain.boxes;
    for (auto box = boxes.rbegin(); box != boxes.rend(); ++box)
      mark_read(*box, 0, box->to, box->from, made, read);
    made = std::move(read);
  }
  std::int64_t lines = 0, past = 0;  // lines before are counted
  for (std::int64_t k = 0; k < std::ssize(made); ++k) {
    if (!made[static_cast<std::size_t>(k)]) continue;
    const std::int64_t first = std::max(past, k * chain.type.size() / line);
    past = std::max(past, ((k + 1) * chain.type.size() - 1) / line + 1);
    lines += std::max<std::int64_t>(0, past - first);
  }
  return lines * line;
}

}  // namespace weft::bench
