// SPDX-License-Identifier: Apache-2.0
// The weave_lines kernel: groups of a few bytes of two sources, of which each moves on in its own
// way, by one permutation of a line of each and one store; where the machine permutes lines.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/byte_loops.h>
#include <weft/engine/kernels/move/grouping.h>
#include <weft/engine/kernels/move/line_permutation.h>

namespace weft {
namespace {

constexpr std::int64_t line = 64;
// A store takes as long as so many moves of a piece.
// Those of units that no word has take longer.
constexpr std::int64_t fewest_pieces = 5, fewest_odd_pieces = 3;
// Wider units that lie near are woven as quickly by vectors of both sources.
constexpr std::int64_t narrow_unit = 3;
// Shorter rows share too many lines, each of which is then written twice.
constexpr std::int64_t streamed_row_bytes = 512;
constexpr std::int64_t most_streamed_steps = 4, block_bytes = 2048;

/// Rows of groups that lie one behind another.
struct WeaveLines {
  std::int64_t bytes;  ///< of a group
  std::array<SharedLoop, 2> outer;
  SharedLoop inner;
  UnitBytes from;  ///< what is still there is of the second source
  bool streams;

  std::int64_t all_bytes() const {
    return outer[0].extent * outer[1].extent * inner.extent * bytes;
  }
};

using Span = std::pair<std::int64_t, std::int64_t>;

/// The first and the last byte of a source that a group is made of.
Span span_of(const UnitBytes& from, std::int64_t bytes, bool is_second) {
  Span span{max_shuffled_reach, -max_shuffled_reach};
  for (std::int64_t b = 0; b < bytes; ++b)
    if (from.is_still(b) == is_second)
      span = {std::min(span.first, from.of(b)), std::max(span.second, from.of(b))};
  return span;
}

/// Groups that one store makes of a line of each source; 0: not even one.
std::int64_t groups_of_lines(const UnitBytes& from, std::int64_t bytes, const SharedLoop& inner) {
  std::int64_t groups = std::min(line / bytes, inner.extent);
  for (const bool is_second : {false, true}) {
    const auto [low, high] = span_of(from, bytes, is_second);
    const std::int64_t step = std::abs(inner.src[is_second]), left = line - (high - low + 1);
    if (left < 0) return 0;
    if (step > 0) groups = std::min(groups, left / step + 1);
  }
  return groups;
}

#if WEFT_PERMUTES_LINES

/// What stores are made of.
struct Lines {
  alignas(line) std::uint8_t lanes[2][line] = {};
  std::uint64_t taken[2] = {}, used[2] = {};
  std::int64_t starts[2];

  Lines(const WeaveLines& weave, std::int64_t groups) {
    for (const bool is_second : {false, true}) {
      const std::int64_t step = weave.inner.src[is_second];
      const auto [low, high] = span_of(weave.from, weave.bytes, is_second);
      starts[is_second] = step < 0 ? high + 1 - line : low;
    }
    for (std::int64_t g = 0; g < groups; ++g)
      for (std::int64_t b = 0; b < weave.bytes; ++b) {
        const bool s = weave.from.is_still(b);
        const std::int64_t at = g * weave.bytes + b;
        const std::int64_t lane = g * weave.inner.src[s] + weave.from.of(b) - starts[s];
        lanes[s][at] = static_cast<std::uint8_t>(lane);
        taken[s] |= std::uint64_t{1} << at;
        used[s] |= std::uint64_t{1} << lane;
      }
  }
};

class Weaver {
 public:
  WEFT_VBMI explicit Weaver(const WeaveLines& weave)
      : weave_(weave),
        groups_(groups_of_lines(weave.from, weave.bytes, weave.inner)),
        lines_(weave, groups_) {}

  WEFT_VBMI void run(std::byte* dst, const std::byte* first, const std::byte* second) const {
    first += lines_.starts[0];
    second += lines_.starts[1];
    const auto& [near, far] = weave_.outer;
    // What is written beyond a row is overwritten by the next.
    const WrittenLater written_later(weave_.outer, weave_.inner.extent * weave_.bytes);
    for (std::int64_t j = 0; j < far.extent; ++j)
      for (std::int64_t i = 0; i < near.extent; ++i) {
        std::byte* const to = dst + j * far.dst + i * near.dst;
        const std::byte* const x = first + j * far.src[0] + i * near.src[0];
        const std::byte* const y = second + j * far.src[1] + i * near.src[1];
        if (weave_.streams) stream(to, x, y);
        else move_row(to, x, y, weave_.inner.extent, written_later(j, i));
      }
  }

 private:
  /// `count` groups, no fewer than a store makes; `later` bytes behind them are written later.
  WEFT_VBMI void move_row(std::byte* dst, const std::byte* x, const std::byte* y,
                          std::int64_t count, std::int64_t later) const {
    const __m512i a = _mm512_load_si512(lines_.lanes[0]), b = _mm512_load_si512(lines_.lanes[1]);
    const __mmask64 taken_a = lines_.taken[0], taken_b = lines_.taken[1];
    const __mmask64 used_a = lines_.used[0], used_b = lines_.used[1];
    const auto made_of = [=](const std::byte* from_a, const std::byte* from_b) WEFT_VBMI {
      const __m512i loaded_a = _mm512_maskz_loadu_epi8(used_a, from_a);
      const __m512i loaded_b = _mm512_maskz_loadu_epi8(used_b, from_b);
      return _mm512_mask_permutexvar_epi8(_mm512_maskz_permutexvar_epi8(taken_a, a, loaded_a),
                                          taken_b, b, loaded_b);
    };
    const auto [step_a, step_b] = weave_.inner.src;
    const std::int64_t made = groups_ * weave_.bytes, last = count - groups_;
    const std::int64_t by_a = groups_ * step_a, by_b = groups_ * step_b;
    const __mmask64 within = ~std::uint64_t{0} >> (line - made);
    std::byte* const last_dst = dst + last * weave_.bytes;
    const std::byte* const last_x = x + last * step_a;
    const std::byte* const last_y = y + last * step_b;
    // Whole lines that start here or before end where they may.
    const std::byte* const end = dst + count * weave_.bytes + later - line;
    for (; dst < last_dst && dst <= end; dst += made, x += by_a, y += by_b)
      _mm512_storeu_si512(dst, made_of(x, y));
    for (; dst < last_dst; dst += made, x += by_a, y += by_b)
      _mm512_mask_storeu_epi8(dst, within, made_of(x, y));
    // Some once more where they are no whole stores.
    if (last_dst <= end) _mm512_storeu_si512(last_dst, made_of(last_x, last_y));
    else _mm512_mask_storeu_epi8(last_dst, within, made_of(last_x, last_y));
  }

  /// A row, put together in blocks that the first cache keeps.
  WEFT_VBMI void stream(std::byte* dst, const std::byte* x, const std::byte* y) const {
    alignas(line) std::byte block[block_bytes + line];
    const std::int64_t most = block_bytes / weave_.bytes;
    for (std::int64_t k = 0; k < weave_.inner.extent;) {
      std::int64_t now = std::min(most, weave_.inner.extent - k);
      if (now < groups_) k -= groups_ - now, now = groups_;
      move_row(block, x + k * weave_.inner.src[0], y + k * weave_.inner.src[1], now, line);
      copy_run(dst + k * weave_.bytes, block, now * weave_.bytes, true);
      k += now;
    }
  }

  const WeaveLines& weave_;
  const std::int64_t groups_;
  const Lines lines_;
};

#endif

void move_bytes(const WeaveLines& weave, std::byte* dst, const std::byte* const* src) {
  const auto& [near, far] = weave.outer;
  for (std::int64_t j = 0; j < far.extent; ++j)
    for (std::int64_t i = 0; i < near.extent; ++i)
      for (std::int64_t g = 0; g < weave.inner.extent; ++g)
        for (std::int64_t b = 0; b < weave.bytes; ++b) {
          const bool s = weave.from.is_still(b);
          dst[j * far.dst + i * near.dst + g * weave.bytes + b] =
              src[s][j * far.src[s] + i * near.src[s] + g * weave.inner.src[s] + weave.from.of(b)];
        }
}

Cost match(const Nest& nest, const Writing&) {
  if (!permutes_lines() || nest.sources != 2 || bytes_of_groups(nest, Loads::several) == 0)
    return no_match;
  return nest.unit <= narrow_unit ? 16 : 45;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const auto weaving = find_weaving(nest);
  if (!weaving) return false;
  const auto rows = take_rows(nest, weaving->at, weaving->bytes);
  if (!rows) return false;
  const auto side = [](const NestLoop& loop) {
    return SharedLoop{loop.extent, loop.dst, loop.src};
  };
  WeaveLines weave{weaving->bytes,
                   {side(rows->outer[0]), side(rows->outer[1])},
                   side(rows->inner),
                   weaving->from,
                   false};
  const std::int64_t groups = groups_of_lines(weave.from, weave.bytes, weave.inner);
  if (groups == 0) return false;
  const std::int64_t stores = (weave.inner.extent + groups - 1) / groups;
  const std::int64_t fewest = nest.has_vector_unit() ? fewest_pieces : fewest_odd_pieces;
  if (weaving->pieces * weave.inner.extent < fewest * stores) return false;
  const auto is_near = [&](std::int64_t step) {
    return std::abs(step) <= most_streamed_steps * weave.bytes;
  };
  weave.streams = writing.streams_early && is_near(weave.inner.src[0]) &&
                  is_near(weave.inner.src[1]) &&
                  weave.inner.extent * weave.bytes >= streamed_row_bytes;
  nest = rows->left;
  nest.of[0].dst = weaving->dst;
  arguments.keep(weave);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& weave = arguments.as<WeaveLines>();
#if WEFT_PERMUTES_LINES
  if (permutes_lines()) {
    Weaver(weave).run(dst, src[0], src[1]);
  } else
#endif
    move_bytes(weave, dst, src);
  count_moved(weave.all_bytes(), weave.all_bytes());
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& weave = arguments.as<WeaveLines>();
  return {weave.all_bytes(), weave.all_bytes()};
}

/// Groups stay whole.
Cutting cutting(const Nest& nest) {
  const auto weaving = find_weaving(nest);
  return {weaving->at + 1, weaving->bytes};
}

bool streams(const BoundArguments& arguments) { return arguments.as<WeaveLines>().streams; }

}  // namespace

extern const KernelDefinition weave_lines_kernel;
const KernelDefinition weave_lines_kernel{"weave_lines", joint,   match,   bind,
                                          run,           traffic, cutting, streams};

}  // namespace weft
