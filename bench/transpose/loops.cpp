// SPDX-License-Identifier: Apache-2.0
// Transposes by hand: nested loops, and blocks of a cache line by a cache line.
#include <array>
#include <cstddef>

#include "loops.h"
#include "tasks.h"
#include "transpose/shapes.h"

namespace weft::bench {
namespace {

/// Nested loops over the output, outermost axis first.
template <class T>
T* walk(const Permutation& p, std::size_t axis, const T* in, T* out) {
  const std::int64_t extent = p.extents[axis], stride = p.strides[axis];
  if (axis + 1 == p.extents.size()) {
    for (std::int64_t i = 0; i < extent; ++i) out[i] = in[i * stride];
    return out + extent;
  }
  for (std::int64_t i = 0; i < extent; ++i) out = walk(p, axis + 1, in + i * stride, out);
  return out;
}

/// Axes that are adjacent on both sides, as one.
Permutation merged(const Permutation& p) {
  Permutation result;
  for (std::size_t k = 0; k < p.extents.size(); ++k) {
    if (k > 0 && result.strides.back() == p.strides[k] * p.extents[k]) {
      result.extents.back() *= p.extents[k];
      result.strides.back() = p.strides[k];
    } else {
      result.extents.push_back(p.extents[k]);
      result.strides.push_back(p.strides[k]);
    }
  }
  return result;
}

/// A merged permutation in two loops and what is around them. The plane is the output's last axis
/// and the axis along which the input's elements lie side by side.
struct Plane {
  std::int64_t rows, columns;                   // of the output's plane
  std::int64_t row_dst, column_src;             // strides; the others are 1
  std::vector<std::int64_t> extents, dst, src;  // around it

  explicit Plane(const Permutation& p) {
    std::vector<std::int64_t> strides(p.extents.size(), 1);
    for (std::size_t k = strides.size() - 1; k-- > 0;)
      strides[k] = strides[k + 1] * p.extents[k + 1];
    columns = p.extents.back(), column_src = p.strides.back();
    rows = 1, row_dst = 0;
    for (std::size_t k = 0; k + 1 < p.extents.size(); ++k) {
      if (p.strides[k] == 1) {
        rows = p.extents[k], row_dst = strides[k];
      } else {
        extents.push_back(p.extents[k]);
        dst.push_back(strides[k]);
        src.push_back(p.strides[k]);
      }
    }
  }

  std::int64_t planes() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) count *= extent;
    return count;
  }

  /// Where plane number `plane` starts.
  void start(std::int64_t plane, std::int64_t& to, std::int64_t& from) const {
    to = from = 0;
    for (std::size_t k = extents.size(); k-- > 0; plane /= extents[k]) {
      to += plane % extents[k] * dst[k];
      from += plane % extents[k] * src[k];
    }
  }
};

/// Rows row0 to row1 of a plane, at most a line of the input, a block at a time, so that its lines
/// are used whole before they leave the first cache. (A scratch between was no faster at 4096 and
/// half as fast at odd sizes.)
template <class T>
void transpose_rows(const Plane& plane, const T* in, T* out, std::int64_t row0, std::int64_t row1) {
  constexpr std::int64_t block = 64 / sizeof(T);
  for (std::int64_t c0 = 0; c0 < plane.columns; c0 += block) {
    const std::int64_t c1 = std::min(plane.columns, c0 + block);
    for (std::int64_t r = row0; r < row1; ++r)
      for (std::int64_t c = c0; c < c1; ++c)
        out[r * plane.row_dst + c] = in[c * plane.column_src + r];
  }
}

/// N channels side by side to N planes: one pass over the input.
template <int N, class T>
void part_channels(const Plane& plane, const T* in, T* out) {
  for (std::int64_t c = 0; c < plane.columns; ++c)
    for (int r = 0; r < N; ++r) out[r * plane.row_dst + c] = in[c * N + r];
}

template <class T>
void permute(const Plane& plane, const T* in, T* out) {
  if (plane.extents.empty() && plane.column_src == 1)  // the identity
    return in_parallel(plane.columns, [&](std::int64_t begin, std::int64_t end) {
      copy_run(out + begin, in + begin, end - begin);
    });
  constexpr std::int64_t block = 64 / sizeof(T);
  const std::int64_t row_blocks = (plane.rows + block - 1) / block;
  in_parallel(plane.planes() * row_blocks, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t to, from;
      plane.start(i / row_blocks, to, from);
      const std::int64_t row = i % row_blocks * block;
      if (plane.column_src == 1) copy_run(out + to, in + from, plane.columns);
      else if (plane.rows == 3 && plane.column_src == 3)
        part_channels<3>(plane, in + from, out + to);
      else transpose_rows(plane, in + from, out + to, row, std::min(plane.rows, row + block));
    }
  });
}

template <class T>
void add(std::vector<Rival>& list, const Transpose& task) {
  const Permutation p = permutation(task.shape, task.order);
  list.push_back(
      by_hand<T>(task.id.c_str(), plain, [p](const T* in, T* out) { walk(p, 0, in, out); }));
  list.push_back(
      by_hand<T>(task.id.c_str(), tuned,
                 [plane = Plane(merged(p))](const T* in, T* out) { permute(plane, in, out); }));
}

}  // namespace

std::vector<Rival> transpose_loops() {
  std::vector<Rival> list;
  for (const Transpose& task : transposes()) {
    switch (task.dtype.size()) {
      case 1:
        add<std::uint8_t>(list, task);
        break;
      case 2:
        add<std::uint16_t>(list, task);
        break;
      case 3:
        add<std::array<std::byte, 3>>(list, task);
        break;
      case 4:
        add<float>(list, task);
        break;
      default:
        add<double>(list, task);
    }
  }
  return list;
}

}  // namespace weft::bench
