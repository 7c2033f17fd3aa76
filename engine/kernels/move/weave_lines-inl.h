// SPDX-License-Identifier: Apache-2.0
// Weaving groups of two sources by permutations of lines; included for each way of lanes.h.
#include <weft/engine/kernels/move/lanes.h>
#include <weft/engine/kernels/move/weave_lines.h>

namespace weft::WEFT_BY {

using weave_lines::line;
using weave_lines::Stores;
using weave_lines::WeaveLines;

class Weaver {
 public:
  WEFT_LINES explicit Weaver(const WeaveLines& weave)
      : weave_(weave), groups_(weave.groups_a_store()), stores_(weave, groups_) {}

  WEFT_LINES void run(std::byte* dst, const std::byte* first, const std::byte* second) const {
    first += stores_.starts[0];
    second += stores_.starts[1];
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
  WEFT_LINES void move_row(std::byte* dst, const std::byte* x, const std::byte* y,
                           std::int64_t count, std::int64_t later) const {
    const Lanes a(_mm512_load_si512(stores_.lanes[0]), stores_.taken[0]),
        b(_mm512_load_si512(stores_.lanes[1]), stores_.taken[1]);
    const __mmask64 used_a = stores_.used[0], used_b = stores_.used[1];
    const auto made_of = [=](const std::byte* from_a, const std::byte* from_b) WEFT_LINES {
      const __m512i loaded_a = _mm512_maskz_loadu_epi8(used_a, from_a);
      const __m512i loaded_b = _mm512_maskz_loadu_epi8(used_b, from_b);
      return b.over(a.of(loaded_a), loaded_b);
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
  WEFT_LINES void stream(std::byte* dst, const std::byte* x, const std::byte* y) const {
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

  static constexpr std::int64_t block_bytes = 2048;

  const WeaveLines& weave_;
  const std::int64_t groups_;
  const Stores stores_;
};

}  // namespace weft::WEFT_BY
