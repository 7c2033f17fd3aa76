// SPDX-License-Identifier: Apache-2.0
// Long groups: bytes that a step of a loop writes together, perhaps more than a line of them, each
// line by one store of what a few loads of its sources and their permutations make; where the
// machine permutes lines.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/byte_loops.h>

namespace weft {

inline constexpr std::int64_t most_long_bytes = 512;

/// Where each byte of a group comes from, beside where its source is; `none` where it is of
/// another.
struct LongPlaces {
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::array<std::int32_t, most_long_bytes> from;

  LongPlaces() { from.fill(none); }
  /// Places units of so many bytes; false where they do not fit.
  bool add(std::int64_t dst, std::int64_t src, std::int64_t unit, std::int64_t bytes) {
    constexpr std::int64_t most = none / 2;
    if (dst < 0 || dst + unit > bytes || src < -most || src > most) return false;
    for (std::int64_t b = 0; b < unit; ++b)
      from[static_cast<std::size_t>(dst + b)] = static_cast<std::int32_t>(src + b);
    return true;
  }
};

/// How the stores of a group are made.
struct LongWay {
  std::int32_t loads = 0;  ///< of lines, for each store
  bool are_held = false;   ///< once for all stores of a group
  float picoseconds = 0;   ///< of a group that the first cache has
};
/// Of groups of so many bytes; none where a store takes too many loads.
std::optional<LongWay> way_of(std::span<const LongPlaces> places, std::int64_t bytes);

struct LongCost {
  std::int64_t pieces = 0;  ///< of bytes that follow one another
  LongWay way{};
};
/// What making groups of units of so many bytes takes; none where there are some that no source
/// has, or no way. One value again and again is one piece where `are_repeated`.
std::optional<LongCost> cost_of(std::span<const LongPlaces> places, std::int64_t bytes,
                                std::int64_t unit, bool are_repeated);

/// Groups along three loops, the innermost first; strides in bytes.
struct LongGroups {
  std::int64_t bytes;  ///< of one
  std::array<SharedLoop, 3> loops{};
  std::int32_t together = 1;  ///< of the innermost loop, made at once
  LongWay way{};

  /// Has loop `at` and the longest of those around it, and takes them off, with those within;
  /// false, and takes none, where a call would make less than `fewest` bytes.
  bool take(Nest& nest, std::size_t at, std::int64_t fewest);
  /// Finds how they are made best, of what is known of one.
  void find_way(std::span<const LongPlaces> places, const LongWay& of_one);
  std::int64_t all_bytes() const { return count() * bytes; }
  /// Of all of them.
  double picoseconds() const {
    return static_cast<double>(way.picoseconds) * static_cast<double>(count()) / together;
  }

 private:
  std::int64_t count() const { return loops[0].extent * loops[1].extent * loops[2].extent; }
};

/// Makes all of them, of as many sources as there are places.
void move_long_groups(const LongGroups& groups, std::span<const LongPlaces> places, std::byte* dst,
                      const std::byte* const* src);

/// The loops within a group of one source, around units; strides in bytes.
class WithinGroup {
 public:
  /// Adds a loop further in; false where there is no room.
  bool add(const NestLoop& loop, std::int64_t element);
  /// Writes the places of all units; false where they are not all of `bytes` bytes.
  bool write(std::int64_t bytes, std::int64_t unit, LongPlaces& places) const;

 private:
  struct Loop {
    std::int32_t extent, dst, src;
  };
  bool write(std::size_t k, std::int64_t dst, std::int64_t src, std::int64_t unit,
             std::int64_t bytes, LongPlaces& places, std::int64_t& written) const;

  std::array<Loop, 4> loops_{};
  std::int32_t count_ = 0, element_ = 1;
  const std::int64_t* table_ = nullptr;  ///< what the innermost steps by, in elements
};

struct LongGroup {
  std::size_t at;  ///< the loop over groups
  std::int64_t bytes;
  WithinGroup within;
  LongCost cost;
};
/// Of one source: of more than a line; shorter ones of what is turned, or reads a table.
std::optional<LongGroup> find_long_group(const Nest& nest);

/// What makes it, where it pays.
extern const KernelDefinition long_shuffle_kernel;

/// Of two sources, each with a table of its parts, the loop over groups is the innermost.
std::optional<LongCost> find_long_weaving(const Nest& nest);

}  // namespace weft
