// SPDX-License-Identifier: Apache-2.0
// Groups: the few bytes that a nest makes with each step of one of its loops, and what of.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include <weft/engine/kernels/kernel.h>

namespace weft {

/// The most that is made of one unit.
inline constexpr std::int64_t most_shuffled_bytes = most_group_bytes;
/// What one load reads and one store makes: a line where the machine permutes lines, else 16 bytes.
std::int64_t shuffled_at_once() noexcept;
/// Bytes of groups lie nearer to where their source is than this.
inline constexpr std::int64_t max_shuffled_reach = 127;
/// Loads that one store may be made of.
inline constexpr std::int64_t most_loads = 4;
using ShuffledBytes = std::array<std::int8_t, most_shuffled_bytes>;

/// Where the bytes of a unit come from.
struct UnitBytes {
  /// Beside where the source of each is.
  ShuffledBytes from{};
  std::uint64_t still = 0;  ///< bit b: byte b is of the source that stands still

  bool is_still(std::int64_t b) const { return still >> b & 1; }
  std::int64_t of(std::int64_t b) const { return from[static_cast<std::size_t>(b)]; }

  /// The first and the last source of the bytes [begin, end) that are moved; none where none are.
  std::optional<std::pair<std::int64_t, std::int64_t>> moved_from(std::int64_t begin,
                                                                  std::int64_t end) const {
    std::optional<std::pair<std::int64_t, std::int64_t>> found;
    for (std::int64_t b = begin; b < end; ++b) {
      if (is_still(b)) continue;
      if (!found) found = {of(b), of(b)};
      found = {std::min(found->first, of(b)), std::max(found->second, of(b))};
    }
    return found;
  }

  /// Where the loads of `at_once` bytes start that the bytes [begin, end) come from, each beside
  /// where the source is. One load starts at the first byte, or ends at the last where `is_back`;
  /// several end at `high` or before, the last byte of the whole unit. More than `most_loads`: too
  /// many.
  SmallVector<std::int64_t, most_loads + 1> loads(std::int64_t begin, std::int64_t end,
                                                  std::int64_t at_once, bool is_back,
                                                  std::int64_t high) const {
    SmallVector<std::int64_t, most_loads + 1> starts;
    const auto moved = moved_from(begin, end);
    if (!moved) return starts;
    if (moved->second - moved->first < at_once) {
      starts.push_back(is_back ? moved->second + 1 - at_once : moved->first);
      return starts;
    }
    for (std::int64_t next = moved->first; starts.size() <= most_loads;) {
      starts.push_back(std::min(next, high + 1 - at_once));
      const std::int64_t past = starts.back() + at_once;
      next = high + 1;
      for (std::int64_t b = begin; b < end; ++b)
        if (!is_still(b) && of(b) >= past) next = std::min(next, of(b));
      if (next > high) break;
    }
    return starts;
  }
};

/// Whether a store may be made of several loads.
enum class Loads : bool { one, several };

struct Grouping {
  std::size_t at;           ///< the loop over groups; what lies further in is one group
  std::int64_t bytes, dst;  ///< of a group, and where the first starts
  std::size_t moving;       ///< the source that its bytes come from, but for those that stand still
  UnitBytes from;
  std::int64_t read;   ///< so many different bytes it is made of
  std::int64_t loads;  ///< that a group is made of
  std::int64_t bytes_a_load;
  std::int64_t at_once;  ///< bytes of a load, and of a store
};

/// How the sources make whole groups; none where they leave out bytes of them or are better moved
/// otherwise.
std::optional<Grouping> find_grouping(const Nest& nest, Loads most);

/// Bytes of the groups that there may be, before they are looked for; 0 where none are.
std::int64_t bytes_of_groups(const Nest& nest, Loads most);

/// What a call makes groups along: rows of them, and up to two loops around.
struct RowsOfGroups {
  Nest left;  ///< without these loops
  NestLoop inner;
  std::array<NestLoop, 2> outer;  ///< the nearest first
};
/// Of loop `at`, whose groups have so many bytes; through all of them the source `still`, if there
/// is one, stands still. None where a call would make too few.
std::optional<RowsOfGroups> take_rows(const Nest& nest, std::size_t at, std::int64_t bytes,
                                      std::optional<std::size_t> still = {});

/// Groups of bytes of two sources, each of which moves on in its own way.
struct Weaving {
  std::size_t at;           ///< the loop over groups
  std::int64_t bytes, dst;  ///< of a group, and where the first starts
  UnitBytes from;           ///< beside where each source is; what is still is of the second
  std::int64_t pieces;      ///< of bytes that follow one another
};
/// None where the two make no whole groups.
std::optional<Weaving> find_weaving(const Nest& nest);
/// What carries them out, where it pays.
extern const KernelDefinition weave_lines_kernel;
/// What steps by tables unit by unit, where nothing makes more of them at once.
extern const KernelDefinition table_kernel;

/// Whether a source of several does not move along a loop.
bool stands_still(const Nest& nest, std::size_t at, std::size_t source);

}  // namespace weft
