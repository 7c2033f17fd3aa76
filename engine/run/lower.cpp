// SPDX-License-Identifier: Apache-2.0
// Lowering: the innermost strides choose the kernel.
#include <weft/engine/run/lower.h>

#include <weft/engine/run/groups.h>

namespace weft {
namespace {

// Less than this is moved sooner than its groups are found.
constexpr std::int64_t fewest_shuffled_bytes = 256;
// Fewer units than this are moved one by one: a block of a transpose costs a tenth of a
// microsecond to set up.
constexpr std::int64_t fewest_in_blocks = 64;
// Rows and columns of a transpose are joined with further loops until they are this long.
constexpr std::int64_t long_side_bytes = 16 * 1024;

constexpr std::size_t none = static_cast<std::size_t>(-1);

// Shorter rows lose more by the lines that they share than streaming saves: rows of 66 to 900
// bytes, each streamed, take 1.2 to 7 times as long.
constexpr std::int64_t streamed_row_bytes = 4096;

Tile::Side side_of(const Loop& loop, std::int64_t element) {
  return {loop.extent, loop.out_stride * element, loop.src_stride * element};
}

Lowered lower_to_shuffle(const Copy& copy, const Grouping& grouping, std::int64_t element,
                         bool streams) {
  const Tile::Side groups = side_of(copy.loops[grouping.at], element);
  Lowered lowered{"shuffle", shuffle, {grouping.bytes, Tile::once, groups}, copy.loops};
  lowered.around.truncate(grouping.at);
  if (grouping.at > 0) {
    lowered.tile.outer = side_of(lowered.around.back(), element);
    lowered.around.pop_back();
  }
  lowered.from = std::make_shared<const ShuffledBytes>(grouping.from);
  lowered.tile.from = lowered.from.get();
  lowered.tile.streams = streams && groups.extent * groups.dst >= streamed_row_bytes;
  lowered.dst_start = (grouping.out_offset - copy.out_offset) * element;
  return lowered;
}

class Lowering {
 public:
  Lowering(const Copy& copy, std::int64_t element, const Writing& writing)
      : copy_(copy),
        element_(element),
        streams_early_(writing.streams_early),
        owns_gaps_(writing.owns_gaps),
        lowered_{"run", copy_runs, {element, Tile::once, Tile::once}, copy.loops} {
    tile().streams = writing.streams;
    tile().is_vast = writing.is_vast;
  }

  Lowered run() {
    while (!loops().empty() && goes_on(loops().back())) {
      tile().unit *= loops().back().extent;
      loops().pop_back();
    }
    if (!loops().empty()) choose();
    put_repetitions_innermost();
    return std::move(lowered_);
  }

 private:
  Tile& tile() { return lowered_.tile; }
  SmallVector<Loop, 6>& loops() { return lowered_.around; }

  Tile::Side side(const Loop& loop) const { return side_of(loop, element_); }

  /// Whether the steps of a loop are one unit behind another on both sides.
  bool goes_on(const Loop& loop) const {
    const std::int64_t unit = lowered_.tile.unit;
    return loop.is_plain() && loop.out_stride * element_ == unit &&
           loop.src_stride * element_ == unit;
  }

  void use(std::string_view name, Kernel kernel) {
    lowered_.name = name;
    lowered_.kernel = kernel;
  }

  bool has_vector_unit() {
    const std::int64_t unit = tile().unit;
    return unit == 1 || unit == 2 || unit == 4 || unit == 8;
  }

  void take_outer() {
    put_repetitions_innermost();
    if (loops().empty() || !loops().back().is_plain()) return;
    tile().outer = side(loops().back());
    loops().pop_back();
  }

  /// What reads the same again finds its source in a cache.
  void put_repetitions_innermost() {
    std::size_t left = loops().size();
    for (std::size_t k = 0; left > 0; --left) {
      if (!loops()[k].is_repetition()) {
        ++k;
        continue;
      }
      const Loop repetition = loops()[k];
      loops().erase(loops().begin() + k);
      loops().push_back(repetition);
    }
  }

  void choose() {
    const Loop inner = loops().back();
    const std::int64_t unit = tile().unit;
    const std::int64_t to = inner.out_stride * element_, from = inner.src_stride * element_;
    if (inner.is_plain() && to == unit && from != 0 && unit < long_unit && try_transpose()) return;
    if (!has_own_kernel(to, from) && try_shuffle()) return;
    loops().pop_back();
    tile().inner = side(inner);
    if (!inner.is_plain()) {
      use("table", gather_table);
      tile().src_table = inner.src_table;
      tile().dst_table = inner.out_table;
      tile().element = element_;
    } else if (to == unit && from == 0) {
      use("fill", fill);
    } else if (unit >= long_unit) {
      use("run", copy_runs);
    } else if (to == unit && from == -unit) {
      use("reverse", reverse);
    } else if (to == unit && from == 2 * unit && has_vector_unit()) {
      use("take", take_every_second);
    } else if (to == 2 * unit && from == unit && has_vector_unit() && owns_gaps_) {
      use("put", put_every_second);
    } else {
      use("strided", copy_strided);
    }
    take_outer();
  }

  /// Whether vectors of whole units, one after another, are moved by their own kernel.
  bool has_own_kernel(std::int64_t to, std::int64_t from) {
    const std::int64_t unit = tile().unit;
    const bool is_long = loops().back().extent * unit > Grouping::most_bytes;
    return has_vector_unit() && to == unit && is_long && (from == 2 * unit || from == -unit);
  }

  bool try_shuffle() {
    if (tile().unit > Grouping::most_bytes || copy_.count() * element_ < fewest_shuffled_bytes)
      return false;
    const Copy* const copies[] = {&copy_};
    const auto grouping = find_grouping(copies, element_);
    if (!grouping || grouping->at >= loops().size()) return false;  // what is left are runs
    lowered_ = lower_to_shuffle(copy_, *grouping, element_, tile().is_vast);
    return true;
  }

  /// The loop that steps through the source by `stride` bytes, if any.
  std::size_t loop_along_source(std::int64_t stride) {
    for (std::size_t k = 0; k < loops().size(); ++k)
      if (loops()[k].is_plain() && loops()[k].src_stride * element_ == stride) return k;
    return none;
  }

  /// From its last step to its first.
  void turn_around(Loop& loop) {
    lowered_.dst_start += (loop.extent - 1) * loop.out_stride * element_;
    lowered_.src_start += (loop.extent - 1) * loop.src_stride * element_;
    loop.out_stride = -loop.out_stride;
    loop.src_stride = -loop.src_stride;
  }

  /// Where the innermost loop is contiguous in the output and another in the source.
  bool try_transpose() {
    const std::int64_t unit = tile().unit;
    std::size_t along = loop_along_source(unit);
    if (along == none) along = loop_along_source(-unit);
    if (along == none || along + 1 == loops().size()) return false;
    if (loops()[along].src_stride < 0) turn_around(loops()[along]);
    const Loop columns = loops().back(), rows = loops()[along];
    loops().pop_back();
    tile().inner = side(columns);
    tile().outer = side(rows);
    loops().erase(loops().begin() + along);
    if (has_vector_unit() && rows.extent >= 2 && rows.extent <= 4 &&
        tile().inner.src == rows.extent * unit) {
      use("deinterleave", deinterleave);
      tile().streams = streams_early_;
      return true;
    }
    if (has_vector_unit() && columns.extent >= 2 && columns.extent <= 4 &&
        tile().outer.dst == columns.extent * unit) {
      use("interleave", interleave);
      tile().streams = streams_early_;
      return true;
    }
    const Lowered unjoined = lowered_;
    join_sides();
    use("transpose", transpose_blocks);
    if (steps_of(tile().rows()) * steps_of(tile().columns()) >= fewest_in_blocks) return true;
    lowered_ = unjoined;
    use("strided", copy_strided);
    return true;
  }

  /// Short axes make long rows and columns together: the shorter side takes the loop that goes on
  /// where it ends.
  void join_sides() {
    std::size_t rows = 0, columns = 0;
    for (;;) {
      const std::int64_t row_steps = steps_of(tile().rows());
      const std::int64_t column_steps = steps_of(tile().columns());
      const bool can_row = rows < 2 && row_steps * tile().unit < long_side_bytes;
      const bool can_column = columns < 2 && column_steps * tile().unit < long_side_bytes;
      const auto join_row = [&] {
        const std::size_t k = can_row ? loop_along_source(row_steps * tile().unit) : none;
        if (k == none) return false;
        tile().more_outer[rows++] = side(loops()[k]);
        loops().erase(loops().begin() + k);
        return true;
      };
      const auto join_column = [&] {
        if (!can_column || loops().empty() || !loops().back().is_plain() ||
            loops().back().out_stride * element_ != column_steps * tile().unit)
          return false;
        tile().more_inner[columns++] = side(loops().back());
        loops().pop_back();
        return true;
      };
      if (row_steps < column_steps ? join_row() || join_column() : join_column() || join_row())
        continue;
      return;
    }
  }

  const Copy& copy_;
  const std::int64_t element_;
  const bool streams_early_, owns_gaps_;
  Lowered lowered_;
};

}  // namespace

Lowered lower(const Copy& copy, std::int64_t element, const Writing& writing) {
  return Lowering(copy, element, writing).run();
}

LoweredPiece lower(const Piece& piece, std::int64_t element, const Writing& writing) {
  const Copy& a = piece.copy;
  if (!piece.beside) return {lower(a, element, writing)};
  if (const auto grouping = piece.grouping(element))
    return {lower_to_shuffle(a, *grouping, element, writing.is_vast)};
  const auto at = piece.is_group ? std::nullopt : loop_over_pairs(a, element);
  // One step of it, cut off.
  if (!at) return {lower(a, element, writing), lower(*piece.beside, element, writing)};
  const auto side = [&](std::size_t k) {
    return Weave::Side{a.loops[k].extent, a.loops[k].out_stride * element,
                       a.loops[k].src_stride * element,
                       piece.beside->loops[k].src_stride * element};
  };
  LoweredPiece lowered{{"weave", nullptr, {}, a.loops}};
  lowered.weave = {
      a.loops[*at].out_stride / 2 * element, {1, 0, 0, 0}, side(*at), writing.streams_early};
  lowered.copy.around.truncate(*at);
  if (*at > 0) {
    lowered.weave->outer = side(*at - 1);
    lowered.copy.around.pop_back();
  }
  return lowered;
}

namespace {

/// Calls body(to, from) with the offsets of every step of nested loops, from loop k on.
template <class Body>
void at_every_step(const SmallVector<Loop, 6>& loops, std::size_t k, std::int64_t to,
                   std::int64_t from, const Body& body) {
  if (k == loops.size()) return body(to, from);
  for (std::int64_t i = 0; i < loops[k].extent; ++i)
    at_every_step(loops, k + 1, to + loops[k].out_at(i), from + loops[k].src_at(i), body);
}

/// The same with the offset beside `from`, of loops that have the same extents.
template <class Body>
void at_every_step(const SmallVector<Loop, 6>& loops, const SmallVector<Loop, 6>& beside,
                   std::size_t k, std::int64_t to, std::int64_t from, std::int64_t from_beside,
                   const Body& body) {
  if (k == loops.size()) return body(to, from, from_beside);
  for (std::int64_t i = 0; i < loops[k].extent; ++i)
    at_every_step(loops, beside, k + 1, to + loops[k].out_at(i), from + loops[k].src_at(i),
                  from_beside + beside[k].src_at(i), body);
}

}  // namespace

void carry_out(const Copy& copy, const Lowered& lowered, std::int64_t element, std::byte* out,
               const std::byte* src) noexcept {
  at_every_step(lowered.around, 0, copy.out_offset, copy.src_offset,
                [&](std::int64_t to, std::int64_t from) {
                  lowered.kernel(lowered.tile, out + to * element + lowered.dst_start,
                                 src + from * element + lowered.src_start);
                });
}

void carry_out(const Piece& piece, const LoweredPiece& lowered, std::int64_t element,
               std::byte* out, const std::byte* src, const std::byte* beside) noexcept {
  const Copy& a = piece.copy;
  if (lowered.weave)
    return at_every_step(lowered.copy.around, piece.beside->loops, 0, a.out_offset, a.src_offset,
                         piece.beside->src_offset,
                         [&](std::int64_t to, std::int64_t from, std::int64_t from_beside) {
                           weave_units(*lowered.weave, out + to * element, src + from * element,
                                       beside + from_beside * element);
                         });
  carry_out(a, lowered.copy, element, out, src);
  if (lowered.beside) carry_out(*piece.beside, *lowered.beside, element, out, beside);
}

}  // namespace weft
