// SPDX-License-Identifier: Apache-2.0
// What kernels are offered: nested loops that move units of bytes from one source or several.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <weft/graph/value/small_vector.h>

namespace weft {

/// As many as the kernels of today read; a number to raise, for all is written for n.
inline constexpr std::size_t most_sources = 2;
/// But so many that all move alike.
inline constexpr std::size_t most_stacked = 16;
/// Units of at least so many bytes are runs.
inline constexpr std::int64_t long_unit = 128;
/// Kernels that put the parts of several sources together make at most so many bytes a step.
inline constexpr std::int64_t most_group_bytes = 64;

/// A loop as kernels of one source keep it; strides in bytes.
struct ByteLoop {
  std::int64_t extent, dst, src;
};
/// No loop.
inline constexpr ByteLoop once{1, 0, 0};

/// A loop over all sources; strides in bytes. A loop over a table, of one source alone, takes step
/// i from the arrays, in elements, instead.
struct NestLoop {
  std::int64_t extent, dst;
  std::array<std::int64_t, most_sources> src;
  const std::int64_t* dst_table = nullptr;
  const std::int64_t* src_table = nullptr;

  bool is_plain() const { return !dst_table && !src_table; }
  bool is_repetition() const {
    for (const std::int64_t stride : src)
      if (stride != 0) return false;
    return is_plain();
  }
};

/// What a nest shows at a glance; a kernel is asked about the forms that it may carry out alone.
enum Form : unsigned {
  single = 1,             ///< no loops: one unit
  listed = 2,             ///< the innermost loop is over a table
  repeated = 4,           ///< units one behind another, all the same
  packed = 8,             ///< units one behind another
  turned = 16,            ///< the same, shorter than long_unit, where another loop is over rows
  scattered = 32,         ///< units apart from one another
  joint = 64,             ///< several sources
  listed_parts = 128,     ///< several, each of which has tables of its parts of a step
  stacked = 256,          ///< more than `most_sources`
  turned_by_table = 512,  ///< packed, too: another loop reads by a table, perhaps rows
};

/// A loop of at most so many steps is soon over.
inline constexpr std::int64_t short_extent = 4;

inline constexpr std::size_t no_loop = static_cast<std::size_t>(-1);

/// For each step of all loops, outermost first, a unit of each source goes to the output, where no
/// other goes.
struct Nest {
  struct Source {
    std::size_t memory = 0;  ///< which memory it reads: the same number, the same memory
    std::int64_t dst = 0;    ///< where its first unit goes, in bytes from the start of the output
    std::int64_t src = 0;    ///< where that comes from, in bytes from the start of the memory
    SmallVector<ByteLoop, 2> own{};  ///< loops within a step of all, that this source has alone
    /// Or so many units within a step, each where the tables say, in elements.
    std::int64_t listed = 0;
    const std::int64_t *dst_table = nullptr, *src_table = nullptr;

    Source() noexcept {}  // an aggregate would be cleared whole first
  };

  std::int64_t element = 1;  ///< bytes of what tables count in
  std::int64_t unit = 1;     ///< bytes that lie together in the output and in each source
  /// More than `most_sources` move alike, as the first does, and each writes its unit behind that
  /// of the one before.
  std::size_t sources = 1;
  SmallVector<NestLoop, 6> loops{};  ///< of nested output strides, largest first
  std::array<Source, most_sources> of{};
  /// Of a turned nest: the loop whose steps are neighbours in the source, forwards or backwards.
  std::size_t rows = no_loop;

  const NestLoop& innermost() const { return loops.back(); }

  /// Its form; finds the rows.
  Form look() {
    if (sources > most_sources) return stacked;
    if (sources > 1) return of[0].listed > 0 ? listed_parts : joint;
    if (loops.empty()) return single;
    if (!innermost().is_plain()) return listed;
    if (innermost().dst != unit) return scattered;
    if (innermost().src[0] == 0) return repeated;
    if (unit >= long_unit || loops.size() < 2) return packed;
    rows = loop_along_source();
    if (rows + 1 == loops.size()) rows = no_loop;
    if (rows != no_loop) return turned;
    const auto reads_by_table = [](const NestLoop& loop) { return loop.src_table != nullptr; };
    return std::any_of(loops.begin(), loops.end(), reads_by_table)
               ? static_cast<Form>(packed | turned_by_table)
               : packed;
  }

  /// The loop that steps through the source unit by unit, best forwards; if any.
  std::size_t loop_along_source() const {
    std::size_t backwards = no_loop;
    for (std::size_t k = 0; k < loops.size(); ++k) {
      const std::int64_t stride = loops[k].src[0];
      if (stride == unit && loops[k].is_plain()) return k;
      if (stride == -unit && backwards == no_loop && loops[k].is_plain()) backwards = k;
    }
    return backwards;
  }

  bool has_vector_unit() const { return unit == 1 || unit == 2 || unit == 4 || unit == 8; }

  /// Bytes of the output that are written.
  std::int64_t bytes() const {
    std::int64_t steps = 1, units = 0;
    for (const NestLoop& loop : loops) steps *= loop.extent;
    if (sources > most_sources) return steps * static_cast<std::int64_t>(sources) * unit;
    for (std::size_t s = 0; s < sources; ++s) {
      std::int64_t own = std::max<std::int64_t>(1, of[s].listed);
      for (const ByteLoop& side : of[s].own) own *= side.extent;
      units += own;
    }
    return steps * units * unit;
  }

  // What kernels take of it; the loops that are left stay around them.

  ByteLoop side(std::size_t k) const { return {loops[k].extent, loops[k].dst, loops[k].src[0]}; }

  ByteLoop take(std::size_t k) {
    const ByteLoop taken = side(k);
    loops.erase(loops.begin() + k);
    return taken;
  }

  ByteLoop take_innermost() {
    const ByteLoop taken = side(loops.size() - 1);
    loops.pop_back();
    return taken;
  }

  /// The innermost of what is left around rows of so many bytes, if it is plain; where that is over
  /// in a few steps of few bytes, one that goes on much longer: a call costs as much as they do (2
  /// x 2 units of two bytes, 281455 times: 4.1 ms by 281455 calls, 0.24 by two).
  ByteLoop take_outer(std::int64_t row_bytes) {
    put_repetitions_innermost();
    if (loops.empty() || !innermost().is_plain()) return once;
    return take(longer_outer(row_bytes));
  }
  /// Which one that is, of loops that are plain as far as they go on.
  std::size_t longer_outer(std::int64_t row_bytes) const {
    const bool are_few =
        innermost().extent <= short_extent && innermost().extent * row_bytes < long_unit;
    return are_few ? much_longer([](const NestLoop& loop) { return loop.is_plain(); })
                   : loops.size() - 1;
  }
  /// The innermost, or one of those that `may` be taken that goes on much longer.
  template <class May>
  std::size_t much_longer(const May& may) const {
    std::size_t outer = loops.size() - 1;
    for (std::size_t k = 0; k + 1 < loops.size(); ++k)
      if (may(loops[k]) && loops[k].extent > short_extent * loops[outer].extent) outer = k;
    return outer;
  }

  /// What reads the same again finds its source in a cache.
  void put_repetitions_innermost() {
    if (loops.size() < 2) return;
    std::size_t left = loops.size();
    for (std::size_t k = 0; left > 0; --left) {
      if (!loops[k].is_repetition()) {
        ++k;
        continue;
      }
      const NestLoop repetition = loops[k];
      loops.erase(loops.begin() + k);
      loops.push_back(repetition);
    }
  }
};

}  // namespace weft
