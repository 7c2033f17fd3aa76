// SPDX-License-Identifier: Apache-2.0
// Places as computations read them: a block after another, checked on the way.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <weft/graph/indexed.h>
#include <weft/ops/indexing/rows.h>

namespace weft {

/// Places that are read together: in a core's first cache.
inline constexpr std::int64_t most_read_together = 512;
/// The same where memory is asked for later ones meanwhile, so that it has something to do all the
/// time, and how far ahead (16 million places of f32 on two threads: 64 a time 12.1 ms, 128 14.1,
/// 256 19; 128 with the next block asked for alone 14.3).
inline constexpr std::int64_t read_in_order = 64, read_ahead = 512;
/// Strips read pieces of rows, which the processor does not see coming: so many rows ahead.
inline constexpr std::int64_t rows_ahead = 4;
static_assert(most_strip <= most_read_together);
struct PlaceBlock {
  alignas(64) std::int64_t places[most_read_together];
};

/// Of one computation, all of whose tasks share it.
class PlaceReader {
 public:
  explicit PlaceReader(const Places& places);

  /// Writes how `count` of them count, from `first` on. False where one is out of bounds: nothing
  /// is to be done then, for what is computed is thrown away.
  bool read(std::int64_t first, std::int64_t count, std::int64_t* to);
  /// The same of a block.
  bool read(std::int64_t first, std::int64_t count, PlaceBlock& to) {
    return read(first, count, to.places);
  }
  /// Asks memory for as many places as are read together, far enough behind place `first`, of those
  /// before `end`: at the end of them for none, without a branch (with one, G3 takes 12.0 ms where
  /// it takes 9.9).
  void prefetch(std::int64_t first, std::int64_t end) const {
    const std::int64_t from = first + read_ahead;
    ask(from, std::min(from + read_in_order, end) - from);
  }
  /// Asks memory for `count` places, from `first` on.
  void ask(std::int64_t first, std::int64_t count) const {
    const std::int64_t each = index_.type().size();
    prefetch_lines(index_.bytes() + first * each, count * each);
  }
  /// Throws IndexError where one was.
  void finish() const {
    if (is_wrong_.load(std::memory_order_relaxed)) index_.refuse();
  }

 private:
  const StoredIndex& index_;
  const std::int64_t extent_;
  std::atomic<bool> is_wrong_ = false;
};

}  // namespace weft
