// The kernels: pure functions over pointers and sizes that move units of bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Two nested loops that move `unit` bytes a step; strides in bytes.
struct Tile {
  struct Side {
    std::int64_t extent, dst, src;
  };
  std::int64_t unit;
  Side outer, inner;
  /// For the table kernel: offsets of the inner steps in elements, instead of the strides, where
  /// set.
  const std::int64_t* src_table = nullptr;
  const std::int64_t* dst_table = nullptr;
  std::int64_t element = 0;
  /// Whether runs and transposes write past the caches; the task then ends by finish_streams().
  bool streams = false;
};

using Kernel = void (*)(const Tile& tile, std::byte* dst, const std::byte* src);

/// Any strides, long units: a memcpy a unit.
void copy_runs(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, inner.src == 0: one unit repeated.
void fill(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, inner.src == -unit.
void reverse(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, outer.src == unit, units of at most 512 bytes: a transpose in blocks.
void transpose_blocks(const Tile& tile, std::byte* dst, const std::byte* src);
/// Any strides, short units.
void copy_strided(const Tile& tile, std::byte* dst, const std::byte* src);
/// Makes what was streamed visible to others: once after a task, on the thread that streamed.
void finish_streams();

/// The inner steps from tables.
void gather_table(const Tile& tile, std::byte* dst, const std::byte* src);

}  // namespace weft
