// SPDX-License-Identifier: Apache-2.0
// The few-columns kernel: a transpose whose rows are short, or whose columns are read in turn. A
// vector of each column, as long as it comes from the source, is turned in registers; what leaves
// them are rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/few_columns.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/first_cache.h>
#include <weft/engine/kernels/move/rows.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/engine/kernels/move/turn-inl.h>
#include <weft/engine/kernels/move/turned_loops.h>

#ifndef WEFT_FEW_COLUMNS
#define WEFT_FEW_COLUMNS
namespace weft {
namespace {

/// The same turned again and again.
struct FewColumnsLoops {
  TurnedLoops turned;
  ByteLoop outer;
};

constexpr std::int64_t most_columns = 256;

/// The shortest vector of a column.
constexpr std::int64_t fewest_column_bytes(std::int64_t unit) {
  if (unit == 16) return 64;
  return unit == 1 || unit == 2 || unit == 4 ? 8 : 16;
}

}  // namespace
}  // namespace weft
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// Where columns are, in bytes from the first source.
void write_all_columns(const FewColumnsLoops& loops, const std::byte* const* src,
                       std::int64_t* to) {
  const std::int64_t columns = steps_of(loops.turned.columns);
  if (loops.turned.are_apart)
    for (std::int64_t k = 0; k < columns; ++k) to[k] = bytes_between(src[0], src[k]);
  else write_columns(loops.turned, 0, columns, to);
}

#if HWY_TARGET != HWY_SCALAR

// Room for a vector of rows, however many columns.
constexpr std::int64_t aside_bytes = 16 * 1024, most_depth = 512;
// So far ahead long columns of large results are asked for: there are more of them than the
// processor sees coming (two threads; u8, 43 columns, 17 MiB: 3.5 ms, 3.1; f16, 112 columns, 48 MiB
// 14.5, 9.5; but columns of 32 bytes take 1.6 times as long).
constexpr std::int64_t ahead_bytes = 128;
static_assert(aside_bytes >= vector_bytes * most_columns);

template <std::int64_t Bytes>
using ByteVector = hn::FixedTag<std::uint8_t, Bytes>;

/// The first `Size` bytes of block `Block` of 16 bytes.
template <std::int64_t Block, std::int64_t Size, class D>
HWY_INLINE void store_block(D d, hn::Vec<D> v, std::byte* to) {
  auto* const out = reinterpret_cast<std::uint8_t*>(to);
  if constexpr (hn::MaxLanes(d) > 16) {
    const hn::Half<D> half;
    constexpr auto halves = static_cast<std::int64_t>(hn::MaxLanes(d) / 32);
    if constexpr (Block < halves) store_block<Block, Size>(half, hn::LowerHalf(half, v), to);
    else store_block<Block - halves, Size>(half, hn::UpperHalf(half, v), to);
  } else if constexpr (Size == 16) {
    hn::StoreU(v, d, out);
  } else {
    static_assert(Size == 12);
    const hn::Half<D> half;
    const std::uint32_t last =
        hn::ExtractLane(hn::BitCast(hn::Repartition<std::uint32_t, D>(), v), 2);
    hn::StoreU(hn::LowerHalf(half, v), half, out);
    std::memcpy(out + 8, &last, sizeof last);
  }
}

/// Vectors of `Bytes` bytes of units that are turned as T's, which may be a third longer; of `Side`
/// columns, which are as many as fit into 16 bytes, or half as many.
template <class T, std::int64_t Unit, std::int64_t Side, std::int64_t Bytes>
struct Turning {
  static constexpr auto word = static_cast<std::int64_t>(sizeof(T));
  static constexpr bool is_padded = Unit < word;
  static constexpr std::int64_t unit = Unit, side = Side;
  static constexpr std::int64_t block = std::min<std::int64_t>(Bytes, 16);
  static constexpr std::int64_t blocks = Bytes / block, rows_a_block = block / word;
  static constexpr std::int64_t rows = blocks * rows_a_block;       ///< that a vector has
  static constexpr std::int64_t rows_at_once = 16 / (Side * word);  ///< in 16 bytes
  static constexpr std::int64_t row_bytes = Side * Unit;
  /// What a padded vector reads beyond its rows.
  static constexpr std::int64_t beyond = is_padded ? 16 - rows_a_block * Unit : 0;

  using D = hn::FixedTag<T, static_cast<std::size_t>(blocks * 16 / word)>;
  using ByteLanes = ByteVector<blocks * 16>;

  explicit Turning(std::int64_t columns) {
    const ByteVector<16> d;
    alignas(16) std::uint8_t lanes[16] = {};
    const std::int64_t made = std::min(columns, Side) * Unit;
    for (std::int64_t r = 0; r < rows_at_once; ++r)
      for (std::int64_t b = 0; b < made; ++b)
        lanes[r * made + b] = static_cast<std::uint8_t>((r * Side + b / Unit) * word + b % Unit);
    hn::Store(hn::Load(d, lanes), d, closed_);
  }

  /// `rows` rows from `src` on; put(n, block, lanes) is what the caller does with the 16 bytes of
  /// row n, which are that block of the lanes. `is_last`: nothing may be read beyond them.
  template <class Last, class Put>
  HWY_INLINE void operator()(const std::byte* src, const std::int64_t* columns, Last last_column,
                             bool is_last, const Put& put) const {
    const D d;
    hn::Vec<D> row[side];
    turn(
        d,
        [&](std::int64_t k) HWY_ATTR {
          return load(src + columns[std::min<std::int64_t>(k, last_column)], is_last);
        },
        row);
    close(row, put, std::make_integer_sequence<std::int64_t, blocks>());
  }

 private:
  HWY_INLINE hn::Vec<D> load(const std::byte* at, [[maybe_unused]] bool is_last) const {
    if constexpr (is_padded) {
      const auto lanes = hn::LoadDup128(ByteLanes(), is_last ? before_.at : after_.at);
      const auto all =
          load_blocks<std::uint8_t, Bytes>(at - (is_last ? beyond : 0), rows_a_block * Unit);
      return hn::BitCast(D(), hn::TableLookupBytes(all, lanes));
    } else if constexpr (block < 16) {
      const hn::Half<D> half;
      return hn::ZeroExtendVector(D(), hn::LoadU(half, reinterpret_cast<const T*>(at)));
    } else {
      return hn::LoadU(D(), reinterpret_cast<const T*>(at));
    }
  }

  template <class Put, std::int64_t... Block>
  HWY_INLINE void close(const hn::Vec<D> (&row)[side], const Put& put,
                        std::integer_sequence<std::int64_t, Block...>) const {
    constexpr std::int64_t count = (rows_a_block + rows_at_once - 1) / rows_at_once;
    const ByteLanes bytes;
    hn::Vec<ByteLanes> closed[count];
    HWY_UNROLL(16)
    for (std::int64_t k = 0; k < count; ++k) {
      closed[k] = hn::BitCast(bytes, row[k]);
      if constexpr (is_padded || rows_at_once > 1)
        closed[k] = hn::TableLookupBytes(closed[k], hn::LoadDup128(bytes, closed_));
    }
    const auto put_block = [&](auto block) HWY_ATTR {
      HWY_UNROLL(16)
      for (std::int64_t k = 0; k < count; ++k)
        put(block() * rows_a_block + k * rows_at_once, block, closed[k]);
    };
    (put_block(std::integral_constant<std::int64_t, Block>{}), ...);
  }

  alignas(16) std::uint8_t closed_[16];
  const PaddingLanes after_{word, Unit, 0}, before_{word, Unit, beyond};
};

/// Units of 16 bytes, which nothing turns: a line of a column.
struct LineOfUnits {
  static constexpr std::int64_t unit = 16, side = 1, rows = 4, rows_at_once = 1, row_bytes = unit;
  static constexpr std::int64_t beyond = 0;

  explicit LineOfUnits(std::int64_t) {}

  template <class Last, class Put>
  HWY_INLINE void operator()(const std::byte* src, const std::int64_t* columns, Last, bool,
                             const Put& put) const {
    const ByteVector<unit> d;
    const auto* const from = reinterpret_cast<const std::uint8_t*>(src + columns[0]);
    HWY_UNROLL(4)
    for (std::int64_t n = 0; n < rows; ++n)
      put(n, std::integral_constant<std::int64_t, 0>{}, hn::LoadU(d, from + n * unit));
  }
};

/// Rows that leave registers go to the output, or aside, where each may write beyond its end what
/// the next puts right.
template <class Turning>
class FewColumns {
 public:
  FewColumns(const FewColumnsLoops& loops, const std::byte* const* src)
      : loops_(loops.turned),
        outer_(loops.outer),
        rows_(steps_of(loops_.rows)),
        columns_(steps_of(loops_.columns)),
        row_bytes_(columns_ * Turning::unit),
        together_(rows_together(loops_)),
        is_ahead_(loops_.is_large && rows_ * Turning::unit > ahead_bytes),
        turning_(columns_) {
    write_all_columns(loops, src, column_src_);
  }

  void run(std::byte* dst, const std::byte* src) {
    const ByteLoop outer = outer_;
    const std::int64_t bytes = outer.extent * rows_ * row_bytes_;
    count_moved(bytes, bytes);
    // Rows of fewer columns than a square has are written beyond their ends.
    const bool is_closed = columns_ >= Turning::side && Turning::rows_at_once == 1;
    const bool is_aside = loops_.streams || !is_closed,
               are_together = together_ == rows_ && loops_.rolled == 0;
    const std::int64_t most =
        is_aside ? std::clamp(aside_bytes / row_bytes_, Turning::rows, most_depth) : most_depth;
    if (is_aside)
      for (std::int64_t k = 0; k < most; ++k) offsets_[k] = k * row_bytes_;
    const std::int64_t turned_bytes = rows_ * row_bytes_;
    for (std::int64_t i = 0; i < outer.extent; ++i, dst += outer.dst, src += outer.src) {
      // What is written later.
      const std::int64_t after =
          outer.dst == turned_bytes ? (outer.extent - 1 - i) * turned_bytes : 0;
      for (std::int64_t done = 0; done < rows_;) {
        const auto [first, count] = next_rows(done, most);
        done = first + count;
        if (!is_aside) {
          if (i == 0 || rows_ > most) write_row_offsets(loops_, first, count, offsets_);
          turn_rows(first, count, src, dst);
        } else if (!loops_.streams && are_together &&
                   (rows_ - done) * row_bytes_ + after >= vector_bytes) {
          turn_rows(first, count, src, dst + first * row_bytes_);
        } else {
          turn_rows(first, count, src, aside_);
          if (are_together)
            copy_run(dst + first * row_bytes_, aside_, count * row_bytes_, loops_.streams);
          else write_rows(loops_, together_, first, count, dst, aside_);
        }
      }
    }
  }

 private:
  struct Rows {
    std::int64_t first, count;
  };

  /// Those after the first `done`, at most so many, and some of these again where few are left.
  Rows next_rows(std::int64_t done, std::int64_t most) const {
    const std::int64_t count = std::min(most, std::max(rows_ - done, Turning::rows));
    return {std::min(done, rows_ - count), count};
  }

  void turn_rows(std::int64_t first, std::int64_t count, const std::byte* src,
                 std::byte* out) const {
    constexpr std::int64_t side = Turning::side;
    for (std::int64_t i = 0; i < count; i += Turning::rows) {
      const std::int64_t at = std::min(i, count - Turning::rows);
      const std::byte* const from = src + (first + at) * Turning::unit;
      const bool is_last =
          (first + at + Turning::rows) * Turning::unit + Turning::beyond > rows_ * Turning::unit;
      const auto put_to = [&](std::byte* to) HWY_ATTR {
        return [this, at, to](std::int64_t n, auto block, auto lanes) HWY_ATTR {
          store_block<block(), Turning::row_bytes * Turning::rows_at_once>(
              hn::DFromV<decltype(lanes)>(), lanes, to + offsets_[at + n]);
        };
      };
      if (columns_ < side) {
        turning_(from, column_src_, columns_ - 1, is_last, put_to(out));
        continue;
      }
      if (is_ahead_)
        for (std::int64_t j = 0; j < columns_; ++j)
          __builtin_prefetch(from + column_src_[j] + ahead_bytes);
      // A last column that is a constant leaves a full square no choice to make.
      constexpr std::integral_constant<std::int64_t, side - 1> last{};
      for (std::int64_t j = 0; j < columns_; j += side) {
        const std::int64_t column = std::min(j, columns_ - side);
        turning_(from, column_src_ + column, last, is_last, put_to(out + column * Turning::unit));
      }
    }
  }

  const TurnedLoops& loops_;
  const ByteLoop outer_;
  const std::int64_t rows_, columns_, row_bytes_, together_;
  const bool is_ahead_;
  const Turning turning_;
  std::int64_t column_src_[most_columns];
  std::int64_t offsets_[most_depth];  ///< of rows, where they are written to
  alignas(line_bytes) std::byte aside_[aside_bytes + 2 * line_bytes];
};

template <class T, std::int64_t Unit, std::int64_t Side>
void move(const FewColumnsLoops& loops, std::byte* dst, const std::byte* const* src) {
  using Long = Turning<T, Unit, Side, vector_bytes>;
  const std::int64_t bytes = steps_of(loops.turned.rows) * Unit;
  const auto by = [&](auto vector_size) {
    FewColumns<Turning<T, Unit, Side, vector_size()>>(loops, src).run(dst, src[0]);
  };
  if (bytes >= Long::rows * Unit + Long::beyond)
    return by(std::integral_constant<std::int64_t, vector_bytes>{});
  if constexpr (fewest_column_bytes(Unit) < 16)
    if (bytes < 16) return by(std::integral_constant<std::int64_t, 8>{});
  by(std::integral_constant<std::int64_t, 16>{});
}

void move_lines(const FewColumnsLoops& loops, std::byte* dst, const std::byte* const* src) {
  FewColumns<LineOfUnits>(loops, src).run(dst, src[0]);
}

#else

/// Unit by unit, where there are no vectors.
template <class T, std::int64_t Unit, std::int64_t Side>
void move(const FewColumnsLoops& loops, std::byte* dst, const std::byte* const* src) {
  constexpr std::int64_t most_rows = 512;
  const std::int64_t rows = steps_of(loops.turned.rows), columns = steps_of(loops.turned.columns);
  const UnitStrip<FixedUnit<Unit>> strip{};
  std::int64_t column_src[most_columns], row_dst[most_rows];
  write_all_columns(loops, src, column_src);
  for (std::int64_t first = 0; first < rows; first += most_rows) {
    const std::int64_t count = std::min(most_rows, rows - first);
    write_row_offsets(loops.turned, first, count, row_dst);
    for (std::int64_t n = 0; n < loops.outer.extent; ++n)
      strip.gather(src[0] + n * loops.outer.src + first * Unit, column_src, columns,
                   dst + n * loops.outer.dst, row_dst, count, false);
  }
  const std::int64_t bytes = loops.outer.extent * rows * columns * Unit;
  count_moved(bytes, bytes);
}
void move_lines(const FewColumnsLoops& loops, std::byte* dst, const std::byte* const* src) {
  move<void, 16, 1>(loops, dst, src);
}

#endif

}  // namespace

/// `src`: the source, or where each column starts.
void move_few_columns(const FewColumnsLoops& loops, std::byte* dst, const std::byte* const* src) {
  switch (loops.turned.unit) {
    case 1:
      if (steps_of(loops.turned.columns) <= 8) return move<std::uint8_t, 1, 8>(loops, dst, src);
      return move<std::uint8_t, 1, 16>(loops, dst, src);
    case 2:
      return move<std::uint16_t, 2, 8>(loops, dst, src);
    case 3:
      return move<std::uint32_t, 3, 4>(loops, dst, src);
    case 4:
      return move<std::uint32_t, 4, 4>(loops, dst, src);
    case 6:
      return move<std::uint64_t, 6, 2>(loops, dst, src);
    case 8:
      return move<std::uint64_t, 8, 2>(loops, dst, src);
    default:
      return move_lines(loops, dst, src);
  }
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_few_columns);

namespace {

constexpr std::int64_t fewest_columns = 3, fewest_places = 64, line = 64;

/// Columns of what is streamed are read line by line in turn, each ahead of time, where squares are
/// staged from so few lines of each that the processor sees none coming (one thread, ns a byte;
/// f32, 29 columns: 0.38, here 0.15; f64, 101: 0.32, 0.21). Not where rows are pairs of lines (f64,
/// 64: 0.12, 0.25) or lie apart (f32, 148 columns, every second row: 0.17, 0.20), nor short columns
/// of which there are many (3 bytes, 143 of 50: 0.20, 0.25).
bool is_quicker_in_turn(const Nest& nest, std::int64_t rows_apart, const RowsAndColumns& turned) {
  constexpr std::int64_t pair = 2 * line, short_bytes = 1024, many = 32;
  const std::int64_t row_bytes = turned.columns() * nest.unit;
  if (rows_apart != row_bytes || (row_bytes > pair && row_bytes % pair == 0)) return false;
  return turned.columns() <= many || turned.rows() * nest.unit >= short_bytes;
}

/// Beyond this, squares at a time cost less. But these come back to the lines of a column: where
/// the first cache has no place for all of them, and the others have, whole lines cost half as much
/// (MiB of u8, 64 columns 16 KiB apart: 0.11 ns a byte, by squares 0.18; u16, 32 columns: 0.08 and
/// 0.18; 3 bytes, 64 columns: 0.14 and 0.33; f32, 128 columns: 0.12 and 0.08), unless it has none
/// for the rows either (u16, 1024 x 1024: 0.12 ns a byte, from staged columns 0.03).
std::int64_t most_columns_of(const Nest& nest, std::size_t rows, const RowsAndColumns& turned,
                             const Writing& writing) {
  const std::int64_t unit = nest.unit;
  const NestLoop& inner = nest.innermost();
  // Short rows that have a table lie together as a rule, however far apart their columns are (two
  // threads; u8 [64, 5532, 13, 18], both inner axes rolled: 24.7 ms, by squares 38; but f16 of 256
  // columns, 447 MiB: 134, by squares 76).
  constexpr std::int64_t short_listed_bytes = 256;
  if (inner.src_table && unit <= 3 && turned.columns() * unit <= short_listed_bytes)
    return unit == 3 ? line / unit : most_columns;
  // What has a table is taken to be as far apart as its first two.
  const std::int64_t apart =
      inner.src_table ? (inner.src_table[1] - inner.src_table[0]) * unit : inner.src[0];
  const bool are_kept = lines_kept(apart) >= turned.columns();
  if (writing.streams_turned && are_kept && is_quicker_in_turn(nest, nest.loops[rows].dst, turned))
    return most_columns;
  if (unit > 8) return 0;  // nothing is turned in registers then
  if (unit <= 3 && !are_kept && !writing.is_vast &&
      lines_kept(nest.loops[rows].dst) >= fewest_places)
    return most_columns;
  // Squares have no room in rows shorter than a line; fewer units than squares take would go one by
  // one (one thread, ns a unit; f32, 16 x 16: 0.41, here 0.08; f64, 8 x 8: 0.42, 0.18).
  if (unit <= 2 || turned.rows() * unit < line || turned.steps() < fewest_in_squares) return 64;
  // Rows that the caches keep cost less up to two lines (one thread, ns a unit; f32, 32 x 24: 0.15,
  // 0.08; f64, 32 x 16: 0.24, 0.15), but not those that are streamed, nor of columns that push one
  // another out.
  if (are_kept && !writing.streams_turned && unit != 3) return 2 * line / unit;
  return unit == 3 ? 16 : (line - 1) / unit;
}

/// Of sources that move alike: each is a column.
Cost match_apart(const Nest& nest) {
  if (!(has_turned_word(nest) || nest.unit == 16) || nest.loops.empty()) return no_match;
  const NestLoop& row = nest.innermost();
  const bool are_columns = row.dst == static_cast<std::int64_t>(nest.sources) * nest.unit;
  return are_columns && row.src[0] == nest.unit &&
                 row.extent * nest.unit >= fewest_column_bytes(nest.unit)
             ? 47
             : no_match;
}

Cost match(const Nest& nest, const Writing& writing) {
  if (nest.sources > most_sources) return match_apart(nest);
  const NestLoop& innermost = nest.innermost();
  if (!(has_turned_word(nest) || nest.unit == 16) ||
      nest.loops.size() > RowsAndColumns::most_loops || !may_be_columns(nest))
    return no_match;
  const std::size_t rows = rows_of(nest);
  if (rows == no_loop) return no_match;
  const RowsAndColumns turned(nest, rows);
  const std::int64_t columns = turned.columns();
  if (columns < fewest_columns || columns > most_columns_of(nest, rows, turned, writing))
    return no_match;
  if (turned.rows() * nest.unit < fewest_column_bytes(nest.unit)) return no_match;
  // What is repeated alone is filled or shuffled; repetitions side by side are filled one by one.
  return innermost.is_plain() && innermost.src[0] == 0 ? 640 : 47;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  if (nest.sources > most_sources) {
    const ByteLoop columns{static_cast<std::int64_t>(nest.sources), nest.unit, 0};
    const ByteLoop rows = nest.take_innermost();
    const std::int64_t bytes = rows.extent * rows.dst;
    const TurnedLoops loops{nest.unit,
                            {rows, once, once},
                            {columns, once, once},
                            writing.streams_turned && bytes >= fewest_streamed_bytes,
                            writing.is_large,
                            writing.is_vast,
                            writing.in_turns,
                            true};
    arguments.keep(FewColumnsLoops{loops, nest.take_outer(bytes)});
    return true;
  }
  const std::size_t rows = rows_of(nest);
  const RowsAndColumns turned(nest, rows);
  turned.turn_rows_forwards(nest);
  Writing own = writing;
  own.in_turns = false;  // rows that lie apart are not streamed here
  const TurnedLoops loops = turned.loops(own);
  turned.take_off(nest);
  arguments.keep(FewColumnsLoops{loops, nest.take_outer(turned.steps() * nest.unit)});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_few_columns_by_set)(arguments.as<FewColumnsLoops>(), dst, src);
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& loops = arguments.as<FewColumnsLoops>();
  const Traffic once = traffic_of(loops.turned);
  return {loops.outer.extent * once.read, loops.outer.extent * once.written};
}

/// Rows stay whole.
Cutting cutting(const Nest& nest) {
  if (nest.sources > most_sources) return cutting_of_stack(nest);
  const RowsAndColumns turned(nest);
  return {.whole = nest.loops.size() - turned.column_loops(), .never = turned.mask_of_rolled()};
}

bool streams(const BoundArguments& arguments) {
  return arguments.as<FewColumnsLoops>().turned.streams;
}

/// So many parts of lines, far apart, that the first cache has no place for all of the lines; or 0.
std::int64_t far_parts(const TurnedLoops& loops) {
  constexpr std::int64_t first_cache = 512;
  const std::int64_t row_bytes = steps_of(loops.columns) * loops.unit;
  const std::int64_t stretch = bytes_together(loops.rows, row_bytes);
  const std::int64_t parts = steps_of(loops.rows) * row_bytes / stretch;
  return stretch < line && parts >= first_cache ? parts : 0;
}

/// Rows of fewer columns than a square that go to places of their own, one by one.
std::int64_t rows_alone(const TurnedLoops& loops, std::int64_t side) {
  const bool is_aside = steps_of(loops.columns) < side;
  return is_aside && rows_together(loops) == 1 ? steps_of(loops.rows) : 0;
}

/// Few rows of few columns take as long as squares of them (one thread; f32, 5 rows of 7 columns:
/// 0.17 ns a byte, many rows 0.04).
double picoseconds(const BoundArguments& arguments) {
  constexpr double a_step = 8000, a_square = 2000, a_piece = 500;  // of a row that leaves a square
  constexpr double a_far_part = 8000, a_row_alone = 2500;
  const auto& loops = arguments.as<FewColumnsLoops>();
  const std::int64_t unit = loops.turned.unit, rows = steps_of(loops.turned.rows);
  const std::int64_t columns = steps_of(loops.turned.columns);
  const auto word = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(unit)));
  const std::int64_t side = unit == 1 && columns <= 8 ? 8 : 16 / word;
  const std::int64_t depth = (rows * unit < line ? 16 : line) / word;
  const std::int64_t across = (columns + side - 1) / side, down = (rows + depth - 1) / depth;
  return static_cast<double>(loops.outer.extent) *
         (a_step + a_square * static_cast<double>(across * down) +
          a_piece * static_cast<double>(across * rows) +
          a_row_alone * static_cast<double>(rows_alone(loops.turned, side)) +
          (columns < side ? a_far_part * static_cast<double>(far_parts(loops.turned)) : 0));
}

}  // namespace

extern const KernelDefinition few_columns_kernel;
const KernelDefinition few_columns_kernel{
    "few_columns", turned | repeated | listed | stacked | turned_by_table,
    match,         bind,
    run,           traffic,
    cutting,       streams,
    picoseconds};

}  // namespace weft
#endif
