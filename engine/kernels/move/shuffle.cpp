// SPDX-License-Identifier: Apache-2.0
// The shuffle kernel: as many units as a vector of 16 bytes holds, or as many vectors as a unit
// asks for, each by one load, one shuffle and one store. What a vector has room for beyond its
// units is overwritten by the next.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/shuffle.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <weft/engine/kernels/move/kernels.h>

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
  explicit Shuffler(const Tile& tile)
      : tile_(tile), unit_(tile.unit), step_(tile.inner.src), distance_(std::abs(step_)) {
    const auto [low, high] = std::minmax_element(tile.from->begin(), tile.from->begin() + unit_);
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
        dst[k * unit_ + b] = src[k * step_ + (*tile_.from)[static_cast<std::size_t>(b)]];
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
    const std::int8_t* const from = tile_.from->data() + begin;
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

  const Tile& tile_;
  const std::int64_t unit_, step_, distance_;
  std::int64_t units_ = 1, vectors_ = 0;
  std::int64_t reach_;  ///< vectors are loaded up to so far beyond the last unit, below 0 before it
  std::int64_t starts_[most_vectors] = {};
  alignas(vector_bytes) std::uint8_t lanes_[most_shuffled_bytes] = {};
};

}  // namespace

void shuffle_tile(const Tile& tile, std::byte* dst, const std::byte* src) {
  const Shuffler shuffler(tile);
  const std::int64_t count = tile.inner.extent;
  for (std::int64_t i = 0; i < tile.outer.extent; ++i) {
    std::byte* const to = dst + i * tile.outer.dst;
    const std::byte* const from = src + i * tile.outer.src;
    if (tile.streams) shuffler.stream(to, from, count);
    else shuffler.run(to, from, count, count);
  }
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(shuffle_tile);

void shuffle(const Tile& tile, std::byte* dst, const std::byte* src) {
  HWY_DYNAMIC_DISPATCH(shuffle_tile)(tile, dst, src);
}

}  // namespace weft
#endif
