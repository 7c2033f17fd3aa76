// SPDX-License-Identifier: Apache-2.0
// The shuffle kernel: as many units as a vector of 16 bytes holds, or as many vectors as a unit
// asks for, each by one load, one shuffle and one store. What a vector has room for beyond its
// units is overwritten by the next.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/shuffle.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/kernel.h>

#ifndef WEFT_SHUFFLE
#define WEFT_SHUFFLE
namespace weft {
namespace {

/// What is made by one load, and the most that is made of one unit.
constexpr std::int64_t shuffled_at_once = 16, most_shuffled_bytes = most_group_bytes;
using ShuffledBytes = std::array<std::int8_t, most_shuffled_bytes>;

/// Rows of units that lie one behind another; strides in bytes.
struct Shuffle {
  std::int64_t unit;
  ByteLoop outer, inner;
  bool streams;
  std::int64_t read;  ///< so many different bytes make a unit
  /// Where each byte of a unit comes from, beside where its source is. Those of each 16 of them,
  /// from the first on, come from within 16 bytes.
  ShuffledBytes from;
};

}  // namespace
}  // namespace weft
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t vector_bytes = shuffled_at_once, line_bytes = 64;
constexpr std::int64_t most_vectors = most_shuffled_bytes / vector_bytes;
// Streamed rows are put together in a block of so many bytes, which stays in the first cache.
constexpr std::int64_t block_bytes = 2048;

class Shuffler {
 public:
  explicit Shuffler(const Shuffle& shuffle)
      : shuffle_(shuffle),
        unit_(shuffle.unit),
        step_(shuffle.inner.src),
        distance_(std::abs(step_)) {
    const auto [low, high] =
        std::minmax_element(shuffle.from.begin(), shuffle.from.begin() + unit_);
    if (unit_ <= vector_bytes)
      units_ = std::min(vector_bytes / unit_, (vector_bytes - (*high - *low + 1)) / distance_ + 1);
    reach_ = *high - *low;
    for (std::int64_t begin = 0; begin < unit_; begin += vector_bytes) {
      const std::int64_t start = add_vector(begin);
      reach_ = std::min(reach_, step_ > 0 ? *high - start : start - *low + vector_bytes - 1);
    }
    reach_ -= vector_bytes - 1;
  }

  /// `count` units of a row with `left` units before its end.
  void run(std::byte* dst, const std::byte* src, std::int64_t count,
           [[maybe_unused]] std::int64_t left) const {
    std::int64_t k = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::FixedTag<std::uint8_t, vector_bytes> d;
    const auto move = [&](std::int64_t v, auto lanes) {
      const auto* from = reinterpret_cast<const std::uint8_t*>(src + k * step_ + starts_[v]);
      hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from), lanes), d,
                 reinterpret_cast<std::uint8_t*>(dst + k * unit_ + v * vector_bytes));
    };
    const std::int64_t end = std::min(last_store(count), last_load(left));
    if (const auto lanes = hn::Load(d, lanes_); vectors_ == 1)
      for (; k <= end; k += units_) move(0, lanes);
    for (; k <= end; ++k)
      for (std::int64_t v = 0; v < vectors_; ++v) move(v, hn::Load(d, lanes_ + v * vector_bytes));
#endif
    for (; k < count; ++k)
      for (std::int64_t b = 0; b < unit_; ++b)
        dst[k * unit_ + b] = src[k * step_ + shuffle_.from[static_cast<std::size_t>(b)]];
    count_moved(k * shuffle_.read, k * unit_);
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
      run(block, src + k * step_, now, count - k);
      copy_run(dst + k * unit_, block, now * unit_, true);
      k += now;
    }
  }

 private:
  /// What makes the bytes from `begin` on, of so many units; where it reads, beside the first's.
  std::int64_t add_vector(std::int64_t begin) {
    const std::int8_t* const from = shuffle_.from.data() + begin;
    const std::int64_t bytes = std::min(unit_ - begin, vector_bytes);
    const auto [low, high] = std::minmax_element(from, from + bytes);
    // Going up, a vector reads from its lowest byte on, and beyond what it needs; going down, up to
    // its highest.
    const std::int64_t start = step_ > 0 ? *low : *high + 1 - vector_bytes;
    std::uint8_t* const lanes = lanes_ + vectors_ * vector_bytes;
    for (std::int64_t u = 0; u < units_; ++u)
      for (std::int64_t b = 0; b < bytes; ++b)
        lanes[u * unit_ + b] = static_cast<std::uint8_t>(u * step_ + from[b] - start);
    starts_[vectors_++] = start;
    return start;
  }

  /// How many units there are from where a line starts to `dst`; 0 where no unit starts there.
  std::int64_t units_past_line(const std::byte* dst) const {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % line_bytes);
    for (std::int64_t k = 0; k < line_bytes; ++k)
      if (k * unit_ % line_bytes == past) return k;
    return 0;
  }

  /// The last unit from which on a vector lies within the units, or below 0.
  std::int64_t last_store(std::int64_t count) const {
    const std::int64_t room = count * unit_ - vectors_ * vector_bytes;
    return room < 0 ? -1 : room / unit_;
  }
  std::int64_t last_load(std::int64_t left) const {
    const std::int64_t room = (left - 1) * distance_ + reach_;
    return room < 0 ? -1 : room / distance_;
  }

  const Shuffle& shuffle_;
  const std::int64_t unit_, step_, distance_;
  std::int64_t units_ = 1, vectors_ = 0;
  std::int64_t reach_;  ///< vectors are loaded up to so far beyond the last unit, below 0 before it
  std::int64_t starts_[most_vectors] = {};
  alignas(vector_bytes) std::uint8_t lanes_[most_shuffled_bytes] = {};
};

}  // namespace

void move_shuffle(const Shuffle& shuffle, std::byte* dst, const std::byte* src) {
  const Shuffler shuffler(shuffle);
  const std::int64_t count = shuffle.inner.extent;
  for (std::int64_t i = 0; i < shuffle.outer.extent; ++i) {
    std::byte* const to = dst + i * shuffle.outer.dst;
    const std::byte* const from = src + i * shuffle.outer.src;
    if (shuffle.streams) shuffler.stream(to, from, count);
    else shuffler.run(to, from, count, count);
  }
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_shuffle);

namespace {

// Less than this is moved sooner than its groups are found.
constexpr std::int64_t fewest_shuffled_bytes = 256;
// Fewer bytes than this in a row are moved as quickly one by one.
constexpr std::int64_t fewest_row_bytes = 64;
// Shorter rows lose more by the lines that they share than streaming saves: rows of 66 to 900
// bytes, each streamed, take 1.2 to 7 times as long.
constexpr std::int64_t streamed_row_bytes = 4096;
constexpr std::int64_t furthest = 127;

/// The bytes of one group that are known, and where they come from.
class Group {
 public:
  Group(std::int64_t bytes, std::int64_t unit) : bytes_(bytes), unit_(unit) {}

  /// The units that the loops from `k` on write; whether each is within the group, and new.
  bool add(const SmallVector<ByteLoop, 8>& loops, std::size_t k, std::int64_t dst,
           std::int64_t src) {
    if (k == loops.size()) return add_unit(dst, src);
    const ByteLoop& loop = loops[k];
    if (loop.extent > bytes_) return false;
    for (std::int64_t i = 0; i < loop.extent; ++i)
      if (!add(loops, k + 1, dst + i * loop.dst, src + i * loop.src)) return false;
    return true;
  }

  bool is_whole() const { return known_ == bytes_; }
  /// From the first source of bytes [begin, begin + 16) to their last.
  std::int64_t span(std::int64_t begin) const {
    const auto first = from_.begin() + begin;
    const auto [low, high] =
        std::minmax_element(first, first + std::min(bytes_ - begin, shuffled_at_once));
    return *high - *low + 1;
  }
  bool is_run() const {
    for (std::size_t b = 1; b < static_cast<std::size_t>(bytes_); ++b)
      if (from_[b] != from_[b - 1] + 1) return false;
    return true;
  }
  /// How many different bytes it is made of.
  std::int64_t read() const {
    std::array<bool, 256> is_read{};
    for (std::int64_t b = 0; b < bytes_; ++b)
      is_read[static_cast<std::uint8_t>(from_[static_cast<std::size_t>(b)])] = true;
    return std::count(is_read.begin(), is_read.end(), true);
  }
  const ShuffledBytes& from() const { return from_; }

 private:
  bool add_unit(std::int64_t dst, std::int64_t src) {
    if (dst < 0 || dst + unit_ > bytes_ || known_ == bytes_) return false;
    if (src < -furthest || src + unit_ > furthest) return false;
    for (std::int64_t b = 0; b < unit_; ++b)
      from_[static_cast<std::size_t>(dst + b)] = static_cast<std::int8_t>(src + b);
    known_ += unit_;
    return true;
  }

  const std::int64_t bytes_, unit_;
  std::int64_t known_ = 0;
  ShuffledBytes from_{};
};

struct Grouping {
  std::size_t at;           ///< the loop over groups; what lies further in is one group
  std::int64_t bytes, dst;  ///< of a group, and where the first starts
  Group group;
};

/// Whether all sources are one memory, through which the loops up to `at` step alike.
bool are_alike(const Nest& nest, std::size_t at) {
  for (std::size_t s = 1; s < nest.sources; ++s) {
    if (nest.of[s].memory != nest.of[0].memory) return false;
    for (std::size_t k = 0; k <= at; ++k)
      if (nest.loops[k].src[s] != nest.loops[k].src[0]) return false;
  }
  return true;
}

std::optional<Grouping> grouping_at(const Nest& nest, std::size_t at) {
  const NestLoop& loop = nest.loops[at];
  const std::int64_t bytes = loop.dst, step = std::abs(loop.src[0]);
  if (step == 0 || loop.extent * step < 2 * shuffled_at_once || !are_alike(nest, at))
    return std::nullopt;
  std::int64_t start = nest.of[0].dst;
  for (std::size_t s = 1; s < nest.sources; ++s) start = std::min(start, nest.of[s].dst);
  Group group(bytes, nest.unit);
  for (std::size_t s = 0; s < nest.sources; ++s) {
    SmallVector<ByteLoop, 8> within;
    for (std::size_t k = at + 1; k < nest.loops.size(); ++k)
      within.push_back({nest.loops[k].extent, nest.loops[k].dst, nest.loops[k].src[s]});
    for (const ByteLoop& side : nest.of[s].own) within.push_back(side);
    if (!group.add(within, 0, nest.of[s].dst - start, nest.of[s].src - nest.of[0].src))
      return std::nullopt;
  }
  if (!group.is_whole()) return std::nullopt;
  for (std::int64_t begin = 0; begin < bytes; begin += shuffled_at_once)
    if (group.span(begin) > shuffled_at_once) return std::nullopt;
  // A plain move does as well where a vector has room for a single group whose bytes stay together.
  const bool is_alone = 2 * bytes > shuffled_at_once || group.span(0) + step > shuffled_at_once;
  if (is_alone && group.is_run()) return std::nullopt;
  return Grouping{at, bytes, start, group};
}

/// How the sources make whole groups; none where they leave out bytes of them or are better moved
/// otherwise.
std::optional<Grouping> find_grouping(const Nest& nest) {
  for (std::size_t at = 0; at < nest.loops.size(); ++at) {
    const NestLoop& loop = nest.loops[at];
    if (loop.dst > most_shuffled_bytes || loop.extent * loop.dst < fewest_row_bytes) continue;
    if (!std::all_of(nest.loops.begin(), nest.loops.end(),
                     [](const NestLoop& other) { return other.is_plain(); }))
      return std::nullopt;
    if (const auto grouping = grouping_at(nest, at)) return grouping;
  }
  return std::nullopt;
}

Cost match(const Nest& nest, const Writing&) {
  if (nest.unit > most_shuffled_bytes) return no_match;
  return nest.sources > 1 || nest.bytes() >= fewest_shuffled_bytes ? 100 : no_match;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const auto grouping = find_grouping(nest);
  if (!grouping) return false;
  const auto& [at, bytes, dst, group] = *grouping;
  const ByteLoop inner = nest.side(at), outer = at == 0 ? once : nest.side(at - 1);
  nest.loops.truncate(at == 0 ? 0 : at - 1);
  nest.of[0].dst = dst;
  const bool streams = writing.is_vast && inner.extent * bytes >= streamed_row_bytes;
  arguments.keep(Shuffle{bytes, outer, inner, streams, group.read(), group.from()});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_shuffle_by_set)(arguments.as<Shuffle>(), dst, src[0]);
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& shuffle = arguments.as<Shuffle>();
  const std::int64_t units = shuffle.outer.extent * shuffle.inner.extent;
  return {units * shuffle.read, units * shuffle.unit};
}

/// Groups stay whole.
Cutting cutting(const Nest& nest) {
  const auto grouping = find_grouping(nest);
  return {grouping->at + 1, grouping->bytes};
}

bool streams(const BoundArguments& arguments) { return arguments.as<Shuffle>().streams; }

}  // namespace

extern const KernelDefinition shuffle_kernel;
const KernelDefinition shuffle_kernel{
    "shuffle", repeated | packed | turned | joint, match, bind, run, traffic, cutting, streams};

}  // namespace weft
#endif
