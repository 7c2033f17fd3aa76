// SPDX-License-Identifier: Apache-2.0
// What repeats is made once and copied: the same, in whatever loops.
#include <doctest/doctest.h>

#include <vector>

#include <weft/engine/run/made_once.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;

namespace {

/// Element by element, from `from` or from what is made already.
void move(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src,
          const std::vector<int>& from, std::vector<int>& to) {
  if (k == copy.loops.size()) {
    to[static_cast<std::size_t>(out)] = from[static_cast<std::size_t>(src)];
    return;
  }
  for (std::int64_t i = 0; i < copy.loops[k].extent; ++i)
    move(copy, k + 1, out + copy.loops[k].out_at(i), src + copy.loops[k].src_at(i), from, to);
}

}  // namespace

TEST_CASE("a copy that repeats is its first repetition and copies of it") {
  Random random(20261130);
  int split = 0;
  for (int k = 0; k < 400; ++k) {
    CAPTURE(k);
    Copy copy{0, 0, random.in(0, 9), 0, {}};
    std::int64_t stride = 1, src = 1;
    SmallVector<Loop, 6> inner_first;
    for (int n = 0; n < 4; ++n) {
      const std::int64_t extent = random.in(2, n == 0 ? 700 : 9);
      inner_first.push_back({extent, stride, random.one_in(3) ? 0 : src});
      stride = stride * extent + (random.one_in(4) ? 3 : 0);
      src *= extent;
    }
    for (std::size_t n = inner_first.size(); n-- > 0;) copy.loops.push_back(inner_first[n]);
    std::vector<std::int64_t> table;  // for a loop that is none of the repetitions
    for (Loop& loop : copy.loops) {
      if (loop.src_stride == 0 || !table.empty() || !random.one_in(3)) continue;
      for (std::int64_t i = 0; i < loop.extent; ++i)
        table.push_back((i + 2) % loop.extent * loop.src_stride);
      loop = {loop.extent, loop.out_stride, 0, table.data()};
    }
    const auto made = made_once(copy, 4);
    if (!made) continue;
    ++split;
    std::vector<int> from(static_cast<std::size_t>(src)),
        expected(static_cast<std::size_t>(stride + 9), -1);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int>(i);
    std::vector<int> got = expected;
    move(copy, 0, copy.out_offset, 0, from, expected);
    move(made->once, 0, made->once.out_offset, made->once.src_offset, from, got);
    move(made->again, 0, made->again.out_offset, made->again.src_offset, got, got);
    CHECK(got == expected);
    CHECK(made->once.count() + made->again.count() == copy.count());
  }
  CHECK(split > 40);
}

TEST_CASE("explain tells what is made once: tiles of what is turned, not short runs of them") {
  const Tensor x = weft::testing::leaf(f32, {300, 40});
  CHECK(explain(x.transpose().tile({2, 1})).find("+run") != std::string::npos);
  CHECK(explain(x.roll(1, 1).transpose().tile({2, 1})).find("+run") != std::string::npos);
  CHECK(explain(x.tile({2, 1})).find("+run") == std::string::npos);
  CHECK(explain(x.tile({1, 2}).transpose({1, 0}).repeat(2, 1)).find("+run") == std::string::npos);
}
