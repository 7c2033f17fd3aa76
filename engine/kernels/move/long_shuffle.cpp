// SPDX-License-Identifier: Apache-2.0
// The long_shuffle kernel: groups of more than a line, each line of them by one store of what a few
// loads and permutations make; where the machine permutes lines.
#include <algorithm>
#include <bit>
#include <limits>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/byte_loops.h>
#include <weft/engine/kernels/move/line_permutation.h>
#include <weft/engine/kernels/move/long_groups.h>
#include <weft/engine/kernels/move/turned_loops.h>

namespace weft {

bool WithinGroup::add(const NestLoop& loop, std::int64_t element) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (static_cast<std::size_t>(count_) == loops_.size() || loop.dst_table || table_ ||
      loop.extent > most_bytes || std::abs(loop.src[0]) > most / most_bytes)
    return false;
  table_ = loop.src_table;
  element_ = static_cast<std::int32_t>(element);
  loops_[static_cast<std::size_t>(count_++)] = {static_cast<std::int32_t>(loop.extent),
                                                static_cast<std::int32_t>(loop.dst),
                                                static_cast<std::int32_t>(loop.src[0])};
  return true;
}

bool WithinGroup::write(std::int64_t bytes, std::int64_t unit, Places& places) const {
  std::int64_t written = 0;
  return write(0, 0, 0, unit, bytes, places, written) && written == bytes;
}

bool WithinGroup::write(std::size_t k, std::int64_t dst, std::int64_t src, std::int64_t unit,
                        std::int64_t bytes, Places& places, std::int64_t& written) const {
  if (k == static_cast<std::size_t>(count_)) {
    if (dst < 0 || dst + unit > bytes) return false;
    for (std::int64_t b = 0; b < unit; ++b)
      places[static_cast<std::size_t>(dst + b)] = static_cast<std::int32_t>(src + b);
    written += unit;
    return true;
  }
  const Loop& loop = loops_[k];
  const bool is_listed = table_ && k + 1 == static_cast<std::size_t>(count_);
  for (std::int64_t i = 0; i < loop.extent; ++i)
    if (!write(k + 1, dst + i * loop.dst, src + (is_listed ? table_[i] * element_ : i * loop.src),
               unit, bytes, places, written))
      return false;
  return true;
}

namespace {

constexpr std::int64_t line = 64;
constexpr std::int64_t most_stores = WithinGroup::most_bytes / line;
// Of one store; more take longer than moves one by one.
constexpr std::int64_t most_loads = 8;
// What stores are made of is laid out with each call, which takes about a microsecond.
constexpr std::int64_t fewest_bytes_a_call = 24 * 1024;
// A table has been found to pay; parts that are cut of it take longer one by one from here on.
constexpr std::int64_t fewest_listed_bytes = 1024;

/// Groups along three loops, the innermost first; strides in bytes.
struct LongShuffle {
  std::int64_t bytes, unit;  ///< of a group, and what it is made of
  ByteLoops loops;
  WithinGroup within;

  std::int64_t all_bytes() const { return steps_of(loops) * bytes; }
};

std::int64_t stores_of(std::int64_t bytes) { return (bytes + line - 1) / line; }
/// Where a store starts in its group: the last one ends with it.
std::int64_t start_of(std::int64_t store, std::int64_t bytes) {
  return std::min(store * line, bytes - line);
}

/// The loads of a line that the bytes [begin, begin + line) are made of, each from the first of
/// these that those before do not have; no more than `most_loads` + 1.
SmallVector<std::int64_t, most_loads + 1> loads_of(const WithinGroup::Places& places,
                                                   std::int64_t begin) {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  SmallVector<std::int64_t, most_loads + 1> starts;
  const std::int32_t* const first = places.data() + begin;
  for (std::int32_t past = std::numeric_limits<std::int32_t>::min(); starts.size() <= most_loads;) {
    std::int32_t next = none;
    for (std::int64_t b = 0; b < line; ++b)
      next = std::min(next, first[b] >= past ? first[b] : none);
    if (next == none) break;
    starts.push_back(next);
    past = next + line;
  }
  return starts;
}

#if WEFT_PERMUTES_LINES

/// What stores are made of: of each two loads the bytes that they take by one permutation.
class Lines {
 public:
  Lines(const WithinGroup::Places& places, std::int64_t bytes)
      : bytes_(bytes), stores_(stores_of(bytes)) {
    for (std::int64_t s = 0; s < stores_; ++s) {
      const std::int64_t begin = start_of(s, bytes);
      const auto loads = loads_of(places, begin);
      for (std::size_t n = 0; n < loads.size(); n += 2)
        add(places.data() + begin, loads[n], loads[std::min(n + 1, loads.size() - 1)]);
      past_[s] = pairs_;
    }
  }

  WEFT_VBMI void run(const ByteLoops& loops, std::byte* dst, const std::byte* src) const {
    const auto& [near, far, farther] = loops;
    // Lines are loaded whole but where they would reach beyond what the last group is made of.
    std::int64_t last = *std::max_element(ends_, ends_ + pairs_);
    const std::int64_t reach = *std::max_element(&starts_[0][0], &starts_[pairs_][0]) + line;
    for (const ByteLoop& loop : loops)
      last += std::max<std::int64_t>(0, (loop.extent - 1) * loop.src);
    for (std::int64_t k = 0; k < farther.extent; ++k)
      for (std::int64_t j = 0; j < far.extent; ++j) {
        std::byte* to = dst + k * farther.dst + j * far.dst;
        std::int64_t at = k * farther.src + j * far.src;
        for (std::int64_t i = 0; i < near.extent; ++i, to += near.dst, at += near.src) {
          if (at + reach <= last) group<false>(to, src + at);
          else group<true>(to, src + at);
        }
      }
  }

 private:
  /// Two loads from these starts on of what lies at these places.
  void add(const std::int32_t* places, std::int64_t first, std::int64_t second) {
    std::uint8_t* const lanes = lanes_[pairs_];
    const std::int64_t starts[] = {first, second};
    std::uint8_t last[2] = {};
    for (std::int64_t n = 2; n-- > 0;) {
      for (std::int64_t b = 0; b < line; ++b) {
        const std::int64_t lane = places[b] - starts[n];
        if (lane < 0 || lane >= line) continue;
        lanes[b] = static_cast<std::uint8_t>(lane + n * line);
        last[n] = std::max(last[n], static_cast<std::uint8_t>(lane));
        taken_[pairs_] |= std::uint64_t{1} << b;
      }
      read_[pairs_][n] = ~std::uint64_t{0} >> (line - 1 - last[n]);
      starts_[pairs_][n] = starts[n];
    }
    ends_[pairs_] = std::max(first + last[0], second + last[1]) + 1;
    ++pairs_;
  }

  template <bool is_last>
  WEFT_VBMI_INLINE void group(std::byte* dst, const std::byte* src) const {
    std::int64_t pair = 0;
    for (std::int64_t s = 0; s < stores_; ++s) {
      __m512i made = made_of<is_last>(pair, src);
      for (++pair; pair < past_[s]; ++pair)
        made = _mm512_mask_mov_epi8(made, taken_[pair], made_of<is_last>(pair, src));
      _mm512_storeu_si512(dst + start_of(s, bytes_), made);
    }
  }
  template <bool is_last>
  WEFT_VBMI_INLINE __m512i made_of(std::int64_t pair, const std::byte* src) const {
    const __m512i lanes = _mm512_load_si512(lanes_[pair]);
    const __m512i first = line_at<is_last>(pair, 0, src);
    if (starts_[pair][0] == starts_[pair][1])
      return _mm512_maskz_permutexvar_epi8(~std::uint64_t{0}, lanes, first);
    return _mm512_permutex2var_epi8(first, lanes, line_at<is_last>(pair, 1, src));
  }
  template <bool is_last>
  WEFT_VBMI_INLINE __m512i line_at(std::int64_t pair, int n, const std::byte* src) const {
    if constexpr (is_last) return _mm512_maskz_loadu_epi8(read_[pair][n], src + starts_[pair][n]);
    else return _mm512_loadu_si512(src + starts_[pair][n]);
  }

  static constexpr std::int64_t most_pairs = most_stores * (most_loads + 1) / 2;
  const std::int64_t bytes_, stores_;
  std::int64_t pairs_ = 0;
  std::int64_t past_[most_stores];  ///< the pairs of each store end before
  std::int64_t starts_[most_pairs + 1][2], ends_[most_pairs];
  std::uint64_t taken_[most_pairs] = {}, read_[most_pairs][2];
  alignas(line) std::uint8_t lanes_[most_pairs][line] = {};
};

#endif

void move_bytes(const LongShuffle& shuffle, const WithinGroup::Places& places, std::byte* dst,
                const std::byte* src) {
  const auto& [near, far, farther] = shuffle.loops;
  for (std::int64_t k = 0; k < farther.extent; ++k)
    for (std::int64_t j = 0; j < far.extent; ++j)
      for (std::int64_t i = 0; i < near.extent; ++i)
        for (std::int64_t b = 0; b < shuffle.bytes; ++b)
          dst[k * farther.dst + j * far.dst + i * near.dst + b] =
              src[k * farther.src + j * far.src + i * near.src +
                  places[static_cast<std::size_t>(b)]];
}

/// How many pieces take as long, one by one, as a load and its permutation. Rows of a table are
/// joined where that pays (joined_rows.cpp).
std::int64_t pieces_a_load(const Nest& nest) {
  if (!nest.innermost().is_plain()) return 2;
  return nest.rows != no_loop && has_turned_word(nest) ? 8 : 5;
}

Cost match(const Nest& nest, const Writing&) {
  if (!permutes_lines()) return no_match;
  const bool is_listed = !nest.innermost().is_plain();
  if (nest.bytes() < (is_listed ? fewest_listed_bytes : fewest_bytes_a_call)) return no_match;
  return is_listed ? 16 : nest.rows != no_loop ? 46 : 590;
}

bool bind(Nest& nest, const Writing&, BoundArguments& arguments) {
  const auto group = find_long_group(nest);
  if (!group || group->pieces < pieces_a_load(nest) * group->loads) return false;
  LongShuffle shuffle{group->bytes, nest.unit, {once, once, once}, group->within};
  std::size_t left = group->at + 1;
  for (ByteLoop& loop : shuffle.loops)
    if (left > 0 && nest.loops[left - 1].is_plain()) loop = nest.side(--left);
  if (nest.innermost().is_plain() && shuffle.all_bytes() < fewest_bytes_a_call) return false;
  nest.loops.truncate(left);
  arguments.keep(shuffle);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& shuffle = arguments.as<LongShuffle>();
  WithinGroup::Places places;
  shuffle.within.write(shuffle.bytes, shuffle.unit, places);
#if WEFT_PERMUTES_LINES
  if (permutes_lines()) Lines(places, shuffle.bytes).run(shuffle.loops, dst, src[0]);
  else
#endif
    move_bytes(shuffle, places, dst, src[0]);
  count_moved(shuffle.all_bytes(), shuffle.all_bytes());
}

Traffic traffic(const BoundArguments& arguments) {
  const std::int64_t bytes = arguments.as<LongShuffle>().all_bytes();
  return {bytes, bytes};
}

/// Groups stay whole.
Cutting cutting(const Nest& nest) {
  const auto group = find_long_group(nest);
  return {group->at + 1, group->bytes};
}

}  // namespace

std::optional<LongGroup> find_long_group(const Nest& nest) {
  std::int64_t bytes = nest.unit;
  for (std::size_t at = nest.loops.size(); at-- > 1 && bytes <= WithinGroup::most_bytes;) {
    bytes *= nest.loops[at].extent;
    const NestLoop& over = nest.loops[at - 1];
    if (bytes <= line || bytes > WithinGroup::most_bytes || !over.is_plain() ||
        std::abs(over.dst) < bytes)
      continue;
    LongGroup group{at - 1, bytes, {}, 1, 0};
    bool fits = true;
    for (std::size_t k = at; k < nest.loops.size() && fits; ++k)
      fits = group.within.add(nest.loops[k], nest.element);
    WithinGroup::Places places;
    if (!fits || !group.within.write(bytes, nest.unit, places)) continue;
    for (std::size_t b = 1; b < static_cast<std::size_t>(bytes); ++b)
      group.pieces += places[b] != places[b - 1] + 1;
    for (std::int64_t s = 0; s < stores_of(bytes) && fits; ++s) {
      const std::size_t loads = loads_of(places, start_of(s, bytes)).size();
      group.loads += static_cast<std::int64_t>(loads);
      fits = loads <= most_loads;
    }
    if (fits) return group;
  }
  return std::nullopt;
}

extern const KernelDefinition long_shuffle_kernel;
const KernelDefinition long_shuffle_kernel{
    "long_shuffle", listed | repeated | packed | turned, match, bind, run, traffic, cutting};

}  // namespace weft
