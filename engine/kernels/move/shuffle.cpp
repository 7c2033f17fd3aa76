// SPDX-License-Identifier: Apache-2.0
// The shuffle kernel: as many units as a vector holds, of 16 bytes or, where the machine permutes
// lines, of one line, or as many vectors as a unit asks for, each by one store of what one load and
// one shuffle, or a few of them, make. What a vector has room for beyond its units is overwritten
// by the next. Of each unit some bytes may be those of a second source, which stands still: pixels
// that get one more channel of one value.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/shuffle.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/byte_loops.h>
#include <weft/engine/kernels/move/copy_few-inl.h>
#include <weft/engine/kernels/move/first_cache.h>
#include <weft/engine/kernels/move/grouping.h>
#include <weft/engine/kernels/move/lanes.h>

#ifndef WEFT_SHUFFLE
#define WEFT_SHUFFLE
namespace weft {
namespace {

/// Rows of units that lie one behind another; strides in bytes.
struct Shuffle {
  std::int64_t unit;
  std::array<ByteLoop, 2> outer;
  ByteLoop inner;
  std::int64_t read;  ///< so many different bytes make a unit, but for those that stand still
  UnitBytes bytes;
  std::uint8_t at_once;  ///< bytes of a vector
  bool streams;
  std::uint8_t moving;  ///< which source is no still one
  std::uint8_t loads;   ///< that a unit is made of

  std::int64_t rows() const { return outer[0].extent * outer[1].extent; }
  /// So many units are made by one store: of one load, whose bytes come from [low, high].
  std::int64_t units_a_store(std::int64_t low, std::int64_t high) const {
    if (unit > at_once || high - low >= at_once) return 1;
    return std::min(
        {at_once / unit, (at_once - (high - low + 1)) / std::abs(inner.src) + 1, inner.extent});
  }
};

}  // namespace
}  // namespace weft
#endif

HWY_BEFORE_NAMESPACE();

#undef WEFT_SHUFFLES_LINES
// Lines are permuted in the target that machines which can do it use.
#define WEFT_SHUFFLES_LINES (WEFT_PERMUTES_LINES && HWY_TARGET == HWY_AVX3)
#if WEFT_SHUFFLES_LINES
#include <weft/engine/kernels/move/by_bytes-inl.h>
#include <weft/engine/kernels/move/line_permutation-inl.h>
// The same, the other way.
#include <weft/engine/kernels/move/by_words-inl.h>
#include <weft/engine/kernels/move/line_permutation-inl.h>
#endif

namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t vector_bytes = 16, line_bytes = 64;
constexpr std::int64_t most_vectors = most_shuffled_bytes / vector_bytes;
constexpr std::uint8_t no_lane = LineStores::no_lane;
// Streamed rows are put together in a block of so many bytes, which stays in the first cache.
constexpr std::int64_t block_bytes = 2048;

class Shuffler {
 public:
  Shuffler(const Shuffle& shuffle, const std::byte* still)
      : shuffle_(shuffle),
        still_(still),
        unit_(shuffle.unit),
        step_(shuffle.inner.src),
        distance_(std::abs(step_)),
        at_once_(shuffle.at_once) {
    const auto [low, high] = *shuffle.bytes.moved_from(0, unit_);
    units_ = shuffle.units_a_store(low, high);
    reach_ = high - low;
    for (std::int64_t begin = 0; begin < unit_; begin += at_once_) add_vector(begin, low, high);
    reach_ -= at_once_ - 1;
  }

  /// All rows.
  void run(std::byte* dst, const std::byte* src) const {
    const std::int64_t count = shuffle_.inner.extent;
#if WEFT_SHUFFLES_LINES
    if (at_once_ != vector_bytes && !shuffle_.streams) {
      by_loads([&](auto loads) { rows_of_lines<loads()>(dst, src); });
      return count_moved(shuffle_.rows() * count * shuffle_.read, shuffle_.rows() * count * unit_);
    }
#endif
    const auto one = [&](std::byte* to, const std::byte* from, const Last& last) {
      if (shuffle_.streams) stream(to, from, count);
      else row(to, from, count, last);
    };
    const ByteLoop& near = shuffle_.outer[0];
    each_row(
        dst, src,
        [&](std::byte* to, const std::byte* from, std::int64_t rows) {
          for (std::int64_t i = 0; i < rows; ++i)
            one(to + i * near.dst, from + i * near.src, {count - 1, count - 1});
        },
        one);
  }

 private:
  /// The units of a row up to which vectors lie within what may be written and what may be read;
  /// below 0 where none does.
  struct Last {
    std::int64_t stored, loaded;
  };
  /// Of `count` units, with `left` before the end of their row, where nothing beyond these may be
  /// written or read.
  Last last_within(std::int64_t count, std::int64_t left) const {
    const std::int64_t room = count * unit_ - vectors_ * at_once_;
    const std::int64_t seen = (left - 1) * distance_ + reach_;
    return {room < 0 ? -1 : room / unit_, seen < 0 ? -1 : seen / distance_};
  }

  /// Calls `free_rows`(where, from where, how many) for rows that follow one another and have
  /// room for vectors around them, and `row`(where, from where, its last) for others.
  template <class FreeRows, class Row>
  HWY_INLINE void each_row(std::byte* dst, const std::byte* src, const FreeRows& free_rows,
                           const Row& row) const {
    const auto& [near, far] = shuffle_.outer;
    const std::int64_t count = shuffle_.inner.extent;
    // What a row writes beyond its end is overwritten by the next, and what it reads there is of
    // other rows; but for those at either end.
    const WrittenLater written_later(shuffle_.outer, count * unit_);
    std::int64_t before = 0, all = 0;  // where the source starts, and its bytes but for one row
    for (const ByteLoop& loop : shuffle_.outer) {
      const std::int64_t reach = (loop.extent - 1) * loop.src;
      before -= std::min<std::int64_t>(0, reach);
      all += std::abs(reach);
    }
    const Last alone = last_within(count, count);
    // So many further ones that each have `less` less room than that before have enough.
    const auto enough = [&](std::int64_t room, std::int64_t less) {
      return less > 0 ? (room - at_once_) / less : near.extent;
    };
    const std::int64_t nearer = step_ < 0 ? -near.src : near.src;
    for (std::int64_t j = 0; j < far.extent; ++j)
      for (std::int64_t i = 0; i < near.extent;) {
        const std::int64_t at = j * far.src + i * near.src;
        const std::int64_t later = written_later(j, i);
        const std::int64_t around = step_ < 0 ? before + at : all - before - at;
        std::byte* const to = dst + j * far.dst + i * near.dst;
        if (later >= at_once_ && around >= at_once_) {
          const std::int64_t free =
              1 + std::min({near.extent - 1 - i, enough(later, near.dst), enough(around, nearer)});
          free_rows(to, src + at, free);
          i += free;
          continue;
        }
        row(to, src + at,
            Last{later >= at_once_ ? count - 1 : alone.stored,
                 around >= at_once_ ? count - 1 : alone.loaded});
        ++i;
      }
  }

  /// `count` units of a row.
  void row(std::byte* dst, const std::byte* src, std::int64_t count,
           [[maybe_unused]] const Last& last) const {
    std::int64_t k = 0;
    [[maybe_unused]] const std::int64_t end = std::min({last.stored, last.loaded, count - units_});
    if (at_once_ != vector_bytes) {
#if WEFT_SHUFFLES_LINES
      if (count >= units_) {
        by_loads([&](auto loads) { row_of_lines<loads()>(dst, src, count, end); });
        k = count;
      }
#endif
    } else {
#if HWY_TARGET != HWY_SCALAR
      k = by_vectors(dst, src, end);
      alignas(vector_bytes) std::byte aside[most_shuffled_bytes];
      for (; k < count && k <= last.loaded; k += units_) {
        by_vectors(aside, src + k * step_, 0);
        copy_few(dst + k * unit_, aside, std::min(units_, count - k) * unit_);
      }
#endif
    }
    for (; k < count; ++k)
      for (std::int64_t b = 0; b < unit_; ++b) {
        const std::int64_t from = shuffle_.bytes.of(b);
        dst[k * unit_ + b] = shuffle_.bytes.is_still(b) ? still_[from] : src[k * step_ + from];
      }
    count_moved(count * shuffle_.read, count * unit_);
  }

  /// In blocks that end where a cache line does, if any unit ends there.
  void stream(std::byte* dst, const std::byte* src, std::int64_t count) const {
    alignas(line_bytes) std::byte block[block_bytes];
    const std::int64_t room = block_bytes / unit_;
    const std::int64_t lines =
        line_bytes / std::gcd(unit_, line_bytes);  // units that end at a line
    const std::int64_t most = room < lines ? room : room / lines * lines;
    const std::int64_t past = room < lines ? 0 : units_past_line(dst);
    for (std::int64_t k = 0; k < count;) {
      const std::int64_t now = std::min(k == 0 ? most - past : most, count - k);
      ask_for(src + (k + now) * step_, most * distance_);
      row(block, src + k * step_, now, last_within(now, count - k));
      copy_run(dst + k * unit_, block, now * unit_, true);
      k += now;
    }
  }

#if WEFT_SHUFFLES_LINES
  /// Of the one vector that there is.
  template <class Body>
  void by_loads(const Body& body) const {
    static_assert(most_loads == 4);
    const std::int64_t loads = first_load_[1];
    if (loads == 1) body(std::integral_constant<std::int64_t, 1>{});
    else if (loads == 2) body(std::integral_constant<std::int64_t, 2>{});
    else if (loads == 3) body(std::integral_constant<std::int64_t, 3>{});
    else body(std::integral_constant<std::int64_t, 4>{});
  }
  LineStores stores() const { return {lanes_, still_lanes_, starts_, used_, units_, unit_, step_}; }
  template <std::int64_t loads>
  void row_of_lines(std::byte* dst, const std::byte* src, std::int64_t count,
                    std::int64_t end) const {
    if (permutes_bytes()) by_bytes::make_row<loads>(stores(), dst, src, count, end);
    else by_words::make_row<loads>(stores(), dst, src, count, end);
  }
  template <std::int64_t loads>
  void rows_of_lines(std::byte* dst, const std::byte* src) const {
    const std::int64_t count = shuffle_.inner.extent, units = units_;
    const ByteSteps apart{shuffle_.outer[0].dst, shuffle_.outer[0].src};
    const auto each = [&](const auto& free_rows, const auto& one) __attribute__((always_inline)) {
      each_row(dst, src, free_rows, [&](std::byte* to, const std::byte* from, const Last& last) {
        one(to, from, std::min({last.stored, last.loaded, count - units}));
      });
    };
    if (permutes_bytes()) by_bytes::make_rows<loads>(stores(), count, apart, each);
    else by_words::make_rows<loads>(stores(), count, apart, each);
  }
#endif

#if HWY_TARGET != HWY_SCALAR
  using Lanes = hn::FixedTag<std::uint8_t, vector_bytes>;

  static HWY_INLINE hn::Vec<Lanes> load(const std::byte* from) {
    return hn::LoadU(Lanes(), reinterpret_cast<const std::uint8_t*>(from));
  }
  static HWY_INLINE void store(hn::Vec<Lanes> made, std::byte* to) {
    hn::StoreU(made, Lanes(), reinterpret_cast<std::uint8_t*>(to));
  }
  HWY_INLINE hn::Vec<Lanes> lanes_of(std::int64_t n) const {
    return hn::Load(Lanes(), lanes_ + n * vector_bytes);
  }
  HWY_INLINE hn::Vec<Lanes> still_of(std::int64_t v) const {
    return hn::Load(Lanes(), still_lanes_ + v * vector_bytes);
  }

  /// Groups of units that start at `end` or before; how many units that makes.
  std::int64_t by_vectors(std::byte* dst, const std::byte* src, std::int64_t end) const {
    static_assert(most_vectors == 4);
    if (!is_by_single_loads_) return by_several_loads(dst, src, end);
    if (vectors_ == 1) return by_single_loads<1>(dst, src, end);
    if (vectors_ == 2) return by_single_loads<2>(dst, src, end);
    if (vectors_ == 3) return by_single_loads<3>(dst, src, end);
    return by_single_loads<4>(dst, src, end);
  }

  template <std::int64_t vectors>
  std::int64_t by_single_loads(std::byte* dst, const std::byte* src, std::int64_t end) const {
    // What the loop goes by is copied: what it writes might be it, for all the compiler knows.
    const std::int64_t unit = unit_, step = step_, units = vectors == 1 ? units_ : 1;
    hn::Vec<Lanes> lanes[vectors], still[vectors];
    std::int64_t starts[vectors];
    for (std::int64_t v = 0; v < vectors; ++v)
      lanes[v] = lanes_of(v), still[v] = still_of(v), starts[v] = starts_[v];
    const auto move = [&](const std::byte* from, std::byte* to) HWY_ATTR {
      for (std::int64_t v = 0; v < vectors; ++v)
        store(hn::Or(hn::TableLookupBytesOr0(load(from + starts[v]), lanes[v]), still[v]),
              to + v * vector_bytes);
    };
    if (end < 0) return 0;
    const std::byte* from = src;
    std::byte* to = dst;
    for (std::int64_t k = 0; k < end; k += units, from += units * step, to += units * unit)
      move(from, to);
    move(src + end * step, dst + end * unit);  // some once more where they are no whole groups
    return end + units;
  }

  std::int64_t by_several_loads(std::byte* dst, const std::byte* src, std::int64_t end) const {
    const std::int64_t unit = unit_, step = step_, vectors = vectors_;
    std::int64_t k = 0;
    for (; k <= end; ++k, src += step, dst += unit)
      for (std::int64_t v = 0; v < vectors; ++v) {
        auto made = still_of(v);
        const std::int64_t past = first_load_[v + 1];
        for (std::int64_t n = first_load_[v]; n < past; ++n)
          made = hn::Or(made, hn::TableLookupBytesOr0(load(src + starts_[n]), lanes_of(n)));
        store(made, dst + v * vector_bytes);
      }
    return k;
  }
#endif

  /// What makes the bytes from `begin` on, of so many units whose bytes come from [low, high].
  void add_vector(std::int64_t begin, std::int64_t low, std::int64_t high) {
    const UnitBytes& unit = shuffle_.bytes;
    const std::int64_t end = std::min(unit_, begin + at_once_);
    const std::int64_t first = first_load_[vectors_];
    std::int64_t last = first;
    // Going up, a vector reads from its lowest byte on, and beyond what it needs; going down, up to
    // its highest.
    for (const std::int64_t start : unit.loads(begin, end, at_once_, step_ < 0, high)) {
      std::fill_n(lanes_ + last * at_once_, at_once_, no_lane);
      reach_ = std::min(reach_, step_ > 0 ? high - start : start - low + at_once_ - 1);
      starts_[last++] = start;
    }
    for (std::int64_t u = 0; u < units_; ++u)
      for (std::int64_t b = begin; b < end; ++b) {
        const std::int64_t from = unit.of(b), at = u * unit_ + b - begin;
        if (unit.is_still(b)) {
          still_lanes_[vectors_ * at_once_ + at] = static_cast<std::uint8_t>(still_[from]);
          continue;
        }
        std::int64_t n = first;
        while (from < starts_[n] || from >= starts_[n] + at_once_) ++n;
        const auto lane = static_cast<std::uint8_t>(u * step_ + from - starts_[n]);
        lanes_[n * at_once_ + at] = lane;
        if (n < most_loads) used_[n] |= std::uint64_t{1} << lane % 64;
      }
    first_load_[++vectors_] = last;
    is_by_single_loads_ &= last == first + 1;
  }

  /// Lines that come next, whichever way: rows that are read backwards are not foreseen as well.
  void ask_for(const std::byte* src, std::int64_t bytes) const {
    for (std::int64_t b = 0; b < bytes; b += line_bytes)
      __builtin_prefetch(step_ < 0 ? src - b : src + b);
  }

  /// How many units there are from where a line starts to `dst`; 0 where no unit starts there.
  std::int64_t units_past_line(const std::byte* dst) const {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % line_bytes);
    for (std::int64_t k = 0; k < line_bytes; ++k)
      if (k * unit_ % line_bytes == past) return k;
    return 0;
  }

  const Shuffle& shuffle_;
  const std::byte* const still_;
  const std::int64_t unit_, step_, distance_, at_once_;
  std::int64_t units_ = 1, vectors_ = 0;
  std::int64_t reach_;  ///< vectors are loaded up to so far beyond the last unit, below 0 before it
  std::int64_t first_load_[most_vectors + 1] = {};  ///< of each vector
  bool is_by_single_loads_ = true;
  std::int64_t starts_[most_vectors * most_loads];
  std::uint64_t used_[most_loads] = {};  ///< of each load of a first vector, by bytes
  alignas(line_bytes) std::uint8_t lanes_[most_shuffled_bytes * most_loads];
  alignas(line_bytes) std::uint8_t still_lanes_[most_shuffled_bytes] = {};
};

}  // namespace

void move_shuffle(const Shuffle& shuffle, std::byte* dst, const std::byte* src,
                  const std::byte* still) {
  Shuffler(shuffle, still).run(dst, src);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_shuffle);

namespace {

// Less than this is moved sooner than its groups are found.
constexpr std::int64_t fewest_shuffled_bytes = 256;
// Rows up to this length cost the kernels that have one after another 0.1 to 0.6 ns a byte, and as
// groups 0.02 to 0.13 (one thread, u8: rows of 4 woven 0.64, 0.02; 5 x 4 turned 0.44, 0.13).
constexpr std::int64_t fewest_a_load = 4;
// Shorter rows lose more by the lines that they share than streaming saves: rows of 66 to 900
// bytes, each streamed, take 1.2 to 7 times as long.
constexpr std::int64_t streamed_row_bytes = 4096;
// What lies between groups that are streamed is asked for, too.
constexpr std::int64_t most_streamed_steps = 4;

bool is_large_enough(const Nest& nest) {
  if (nest.unit > most_shuffled_bytes) return false;
  return nest.sources > 1 || nest.bytes() >= fewest_shuffled_bytes;
}

/// Whether it is asked before others, which start anew with each row, or weave two sources.
bool goes_first(const Nest& nest, Loads most) {
  const bool has_short_rows = nest.innermost().extent * nest.unit <= shuffled_at_once();
  if (permutes_lines()) return has_short_rows || nest.sources > 1;
  return has_short_rows && bytes_of_groups(nest, most) >= fewest_a_load;
}

Cost match(const Nest& nest, const Writing&) {
  if (!is_large_enough(nest)) return no_match;
  return goes_first(nest, Loads::one) ? 14 : 100;
}
/// Beside what moves units one by one, but for short rows.
Cost match_several(const Nest& nest, const Writing&) {
  if (!is_large_enough(nest) || nest.unit >= shuffled_at_once()) return no_match;
  return goes_first(nest, Loads::several) ? 15 : 595;
}

template <Loads Most>
bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const auto grouping = find_grouping(nest, Most);
  if (!grouping) return false;
  const auto& [at, bytes, dst, moving, from, read, loads, bytes_a_load, at_once] = *grouping;
  if (Most == Loads::several && goes_first(nest, Most) && bytes_a_load < fewest_a_load)
    return false;
  const auto rows =
      take_rows(nest, at, bytes, from.still != 0 ? std::optional(1 - moving) : std::nullopt);
  if (!rows) return false;
  const auto side = [moving = moving](const NestLoop& loop) {
    return ByteLoop{loop.extent, loop.dst, loop.src[moving]};
  };
  const ByteLoop inner = side(rows->inner);
  const std::array<ByteLoop, 2> outer{side(rows->outer[0]), side(rows->outer[1])};
  nest = rows->left;
  nest.of[0].dst = dst;
  const bool is_near = std::abs(inner.src) <= most_streamed_steps * bytes;
  const bool streams = writing.is_vast && is_near && inner.extent * bytes >= streamed_row_bytes;
  arguments.keep(Shuffle{bytes, outer, inner, read, from, static_cast<std::uint8_t>(at_once),
                         streams, static_cast<std::uint8_t>(moving),
                         static_cast<std::uint8_t>(loads)});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& shuffle = arguments.as<Shuffle>();
  const std::byte* const still = shuffle.bytes.still == 0 ? nullptr : src[1 - shuffle.moving];
  on_this_machine(move_shuffle_by_set)(shuffle, dst, src[shuffle.moving], still);
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& shuffle = arguments.as<Shuffle>();
  const std::int64_t units = shuffle.rows() * shuffle.inner.extent;
  return {units * shuffle.read, units * shuffle.unit};
}

// Groups are cut where pairs of lines of the output end.
constexpr std::int64_t line = 64, out_quantum = 2 * line;

/// So many groups of loop `at` are read before the loop around it comes back to the lines they lie
/// in, that the second cache still has those; 0 where it comes back to none, or has all of them.
std::int64_t groups_between(const Nest& nest, std::size_t at, std::int64_t bytes) {
  if (at == 0 || nest.sources > 1) return 0;
  const NestLoop& groups = nest.loops[at];
  const std::int64_t apart = std::abs(groups.src[0]), again = std::abs(nest.loops[at - 1].src[0]);
  if (!groups.is_plain() || apart < line || again == 0 || again >= line) return 0;
  const std::int64_t quantum = out_quantum / std::gcd(out_quantum, bytes);
  const std::int64_t most = std::max(lines_kept_second(apart) / quantum * quantum, quantum);
  return groups.extent > most ? most : 0;
}

/// Groups stay whole.
template <Loads Most>
Cutting cutting(const Nest& nest) {
  const auto grouping = find_grouping(nest, Most);
  Cutting cutting{grouping->at + 1, grouping->bytes};
  cutting.steps = groups_between(nest, grouping->at, grouping->bytes);
  if (cutting.steps > 0) cutting.first = grouping->at;
  return cutting;
}

bool streams(const BoundArguments& arguments) { return arguments.as<Shuffle>().streams; }

/// Short groups take as many stores as long ones (one thread, 308 random chains: 0.5 to 2 of what
/// this says in all but four).
double picoseconds(const BoundArguments& arguments) {
  constexpr double a_store = 1000, a_further_load = 400, a_byte = 12, a_row_alone = 3000;
  const auto& shuffle = arguments.as<Shuffle>();
  const std::int64_t unit = shuffle.unit, at_once = shuffle.at_once;
  const auto [low, high] = *shuffle.bytes.moved_from(0, unit);
  const auto stores = static_cast<double>((unit + at_once - 1) / at_once);
  const double of_units = a_store * stores + a_further_load * (shuffle.loads - stores);
  const std::int64_t units = shuffle.units_a_store(low, high), row = shuffle.inner.extent;
  const bool is_alone = shuffle.outer[0].dst != row * unit && shuffle.rows() > 1;
  const auto times = static_cast<double>((row + units - 1) / units);
  return static_cast<double>(shuffle.rows()) * ((is_alone ? a_row_alone : 0) + times * of_units +
                                                a_byte * static_cast<double>(row * unit));
}

constexpr unsigned forms = listed | repeated | packed | turned | joint;

}  // namespace

extern const KernelDefinition shuffle_kernel;
const KernelDefinition shuffle_kernel{"shuffle",           forms,   match,
                                      bind<Loads::one>,    run,     traffic,
                                      cutting<Loads::one>, streams, picoseconds};

extern const KernelDefinition far_shuffle_kernel;
const KernelDefinition far_shuffle_kernel{"far_shuffle",           forms,   match_several,
                                          bind<Loads::several>,    run,     traffic,
                                          cutting<Loads::several>, streams, picoseconds};

}  // namespace weft
#endif
