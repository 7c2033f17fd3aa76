// SPDX-License-Identifier: Apache-2.0
// What ops that compute their elements have in common: copying data, and walking along rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <weft/graph/kinds.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// Asks memory for what is read soon.
inline void prefetch_lines(const std::byte* from, std::int64_t bytes) {
  constexpr std::int64_t line = 64;
  for (std::int64_t at = 0; at < bytes; at += line) __builtin_prefetch(from + at);
}

/// Copies so many bytes, in parts.
inline void copy_in_parts(const std::byte* from, std::byte* out, std::int64_t bytes,
                          const ForParts& for_parts) {
  for_parts(bytes, [&](std::int64_t begin, std::int64_t end) {
    std::memcpy(out + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

/// Walks along the rows (along the last axis) of a shape that outlives it, from an element on.
class RowWalk {
 public:
  RowWalk(const Shape& shape, std::int64_t position)
      : shape_(shape), at_(unravel_index(position, shape)), position_(position) {}

  /// Calls row(at, position, count) for the parts of rows that hold the next `left` elements,
  /// row-major: `count` of them, from coordinates `at` on.
  template <class Row>
  void go(std::int64_t left, const Row& row) {
    while (left > 0) {
      const std::int64_t in_row = shape_.size() == 0 ? 1 : shape_.back() - at_.back();
      const std::int64_t count = std::min(left, in_row);
      row(std::as_const(at_), position_, count);
      position_ += count;
      left -= count;
      if (count < in_row) at_.back() += count;
      else next_row();
    }
  }

 private:
  void next_row() {
    if (shape_.size() == 0) return;
    at_.back() = 0;
    for (std::size_t k = shape_.size() - 1; k-- > 0 && ++at_[k] == shape_[k];) at_[k] = 0;
  }

  const Shape& shape_;
  Index at_;
  std::int64_t position_;
};

/// The same for the elements `begin` to `end`.
template <class Row>
void for_rows(const Shape& shape, std::int64_t begin, std::int64_t end, const Row& row) {
  if (begin < end) RowWalk(shape, begin).go(end - begin, row);
}

/// So many lines at least are taken together where more of them do not fit a cache: pieces of rows
/// that long are what memory is read in.
inline constexpr std::int64_t least_strip = 64, most_strip = 512;

inline std::int64_t strip_width(std::int64_t width) {
  return std::clamp(width, least_strip, most_strip);
}

/// Calls strips(for_each) in parts, and for_each(strip) calls strip(at, count) for `count` lines
/// beside one another, from coordinates `at` on: about `width`, along the last axis of `lines`.
template <class Strips>
void for_strips(const Shape& lines, std::int64_t width, const ForParts& for_parts,
                const Strips& strips) {
  const std::int64_t most = strip_width(width);
  Shape starts = lines;
  starts.back() = (lines.back() + most - 1) / most;
  for_parts(element_count(starts), [&](std::int64_t begin, std::int64_t end) {
    strips([&](const auto& strip) {
      for (std::int64_t part = begin; part < end; ++part) {
        Index at = unravel_index(part, starts);
        at.back() *= most;
        strip(at, std::min(most, lines.back() - at.back()));
      }
    });
  });
}

/// The position that coordinates have in memory of these strides.
inline std::int64_t dot(const Index& at, const Shape& strides) {
  std::int64_t position = 0;
  for (std::size_t k = 0; k < at.size(); ++k) position += at[k] * strides[k];
  return position;
}

}  // namespace weft
