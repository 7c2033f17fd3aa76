// SPDX-License-Identifier: Apache-2.0
// The kernels: pure functions over pointers and sizes that move units of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// What the shuffle kernel makes by one load, and the most it makes of one unit.
inline constexpr std::int64_t shuffled_at_once = 16, most_shuffled_bytes = 64;
using ShuffledBytes = std::array<std::int8_t, most_shuffled_bytes>;

/// Two nested loops that move `unit` bytes a step; strides in bytes.
struct Tile {
  struct Side {
    std::int64_t extent, dst, src;
  };
  /// Loops around one another, innermost first.
  using Sides = std::array<Side, 3>;
  static constexpr Side once{1, 0, 0};

  std::int64_t unit;
  Side outer, inner;
  /// For the table kernel: offsets of the inner steps in elements, instead of the strides, where
  /// set.
  const std::int64_t* src_table = nullptr;
  const std::int64_t* dst_table = nullptr;
  std::int64_t element = 0;
  /// For the shuffle kernel: where each byte of a unit comes from, instead of its own place.
  const ShuffledBytes* from = nullptr;
  /// Whether to write past the caches where the kernel can; the task then ends by finish_streams().
  bool streams = false;
  /// Whether the whole output is larger than the last cache keeps.
  bool is_vast = false;
  /// For the transpose kernel: the loops around `outer` and `inner` that go on where those end.
  std::array<Side, 2> more_outer{once, once};
  std::array<Side, 2> more_inner{once, once};

  Sides rows() const { return {outer, more_outer[0], more_outer[1]}; }
  Sides columns() const { return {inner, more_inner[0], more_inner[1]}; }
};

inline std::int64_t steps_of(const Tile::Sides& sides) {
  return sides[0].extent * sides[1].extent * sides[2].extent;
}

using Kernel = void (*)(const Tile& tile, std::byte* dst, const std::byte* src);

/// Any strides, long units: a copy a unit.
void copy_runs(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, inner.src == 0: one unit repeated.
void fill(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, inner.src == -unit.
void reverse(const Tile& tile, std::byte* dst, const std::byte* src);
/// The columns (inner) are contiguous in dst, the rows (outer) in src, units shorter than
/// `long_unit`: a transpose in blocks.
void transpose_blocks(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, outer.src == unit, inner.src == outer.extent * unit, outer.extent 2 to 4,
/// units of 1, 2, 4 or 8 bytes: channels apart.
void deinterleave(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, outer.src == unit, outer.dst == inner.extent * unit, inner.extent 2 to 4,
/// units of 1, 2, 4 or 8 bytes: channels together.
void interleave(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit, inner.src == 2 * unit, units of 1, 2, 4 or 8 bytes.
void take_every_second(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == 2 * unit, inner.src == unit, units of 1, 2, 4 or 8 bytes. Writes what lies between
/// as well, with the values it has, so nobody else may write there.
void put_every_second(const Tile& tile, std::byte* dst, const std::byte* src);
/// Any strides, short units.
void copy_strided(const Tile& tile, std::byte* dst, const std::byte* src);
/// inner.dst == unit of at most `most_shuffled_bytes`: the bytes of each unit from where `from`
/// says. Those of each 16 of them, from the first on, come from within 16 bytes.
void shuffle(const Tile& tile, std::byte* dst, const std::byte* src);
/// The inner steps from tables.
void gather_table(const Tile& tile, std::byte* dst, const std::byte* src);

/// Two nested loops that write the units of two sources in turn; strides in bytes.
struct Weave {
  struct Side {
    std::int64_t extent, dst, first, second;
  };
  std::int64_t unit;
  Side outer, inner;  ///< inner.dst == 2 * unit
  bool streams = false;
};

/// dst[2 * j] from `first`, dst[2 * j + 1] from `second`, units shorter than `long_unit`: by
/// vectors where units are of 1, 2, 4 or 8 bytes and each source has them side by side or every
/// second.
void weave_units(const Weave& weave, std::byte* dst, const std::byte* first,
                 const std::byte* second);

/// A plain run, past the caches where `streams`.
void copy_run(std::byte* dst, const std::byte* src, std::int64_t bytes, bool streams);
/// Makes what was streamed visible to others: once after a task, on the thread that streamed.
void finish_streams();

/// Units of at least so many bytes are runs.
inline constexpr std::int64_t long_unit = 128;

}  // namespace weft
