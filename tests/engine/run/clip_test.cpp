// SPDX-License-Identifier: Apache-2.0
// Clipping: the pieces write what the copy writes inside the stretch, and nothing else.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include <weft/engine/run/clip.h>

using namespace weft;

namespace {

using Writes = std::map<std::int64_t, std::int64_t>;  // output position to source position

void collect(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src, Writes& writes) {
  if (k == copy.loops.size()) {
    CHECK(writes.emplace(out, src).second);
    return;
  }
  const Loop& loop = copy.loops[k];
  for (std::int64_t i = 0; i < loop.extent; ++i)
    collect(copy, k + 1, out + loop.out_at(i), src + loop.src_at(i), writes);
}

Writes writes_of(const std::vector<Copy>& copies) {
  Writes writes;
  for (const Copy& copy : copies) collect(copy, 0, copy.out_offset, copy.src_offset, writes);
  return writes;
}

void check_all_stretches(const Copy& copy) {
  const Writes all = writes_of({copy});
  for (std::int64_t begin = 0; begin <= last_position(copy) + 1; ++begin)
    for (std::int64_t end = begin; end <= last_position(copy) + 2; ++end) {
      std::vector<Copy> pieces;
      clip(copy, begin, end, pieces);
      CHECK(pieces.size() <= 2 * copy.loops.size() + 1);
      const Writes expected(all.lower_bound(begin), all.lower_bound(end));
      CHECK(writes_of(pieces) == expected);
    }
}

}  // namespace

TEST_CASE("clipping plain loops keeps exactly the stretch") {
  check_all_stretches({0, 0, 3, 50, {{3, 12, -7}, {2, 5, 0}, {3, 1, 4}}});
  check_all_stretches({0, 0, 0, 0, {{20, 1, 1}}});
  check_all_stretches({0, 0, 4, 9, {}});
}

TEST_CASE("clipping random nested loops keeps exactly the stretch") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Copy copy{0, 0, static_cast<std::int64_t>(random() % 4), 100, {}};
    std::int64_t span = 0;
    std::vector<Loop> loops;
    for (unsigned k = 0; k < 1 + random() % 3; ++k) {
      const std::int64_t stride = span + 1 + static_cast<std::int64_t>(random() % 3);
      const std::int64_t extent = 2 + static_cast<std::int64_t>(random() % 3);
      loops.push_back({extent, stride, static_cast<std::int64_t>(random() % 9) - 4});
      span += stride * (extent - 1);
    }
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) copy.loops.push_back(*loop);
    check_all_stretches(copy);
  }
}

TEST_CASE("clipping loops over tables keeps exactly the stretch") {
  const std::vector<std::int64_t> in{5, 1, 9, 9, 0}, out{0, 4, 12, 15, 30};
  Copy copy{0, 0, 2, 20, {{5, 3, 0, in.data(), out.data()}, {3, 1, 2}}};
  check_all_stretches(copy);
  copy.loops[0].out_table = nullptr;
  check_all_stretches(copy);
}
