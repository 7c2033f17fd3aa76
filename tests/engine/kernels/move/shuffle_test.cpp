// SPDX-License-Identifier: Apache-2.0
// The shuffle kernel: groups of bytes, of one source or two.
#include <doctest/doctest.h>

#include <cstdlib>

#include "support/nests.h"

using namespace weft;
using weft::testing::bind_named;
using weft::testing::check_carried_out;
using weft::testing::check_kernel;
using weft::testing::chosen;
using weft::testing::Moved;
using weft::testing::nest_of_loops;
using weft::testing::on_every_target;

namespace {

/// Rows of `count` groups of `bytes`, byte b of each from `from(b)`, groups `step` apart in the
/// source: as the loops within a group when those are `outer` by `inner` bytes.
Nest groups(std::int64_t rows, std::int64_t count, std::int64_t step, ByteLoop outer,
            ByteLoop inner) {
  const std::int64_t bytes = outer.extent * inner.extent;
  Nest nest = nest_of_loops(
      1, {{rows, count * bytes + 3, count * std::abs(step) + 2}, {count, bytes, step}});
  for (const ByteLoop& side : {outer, inner})
    if (side.extent > 1) nest.loops.push_back({side.extent, side.dst, {side.src}});
  return nest;
}

/// Pixels of `channels` units, `own` of which, from unit `first` on, are moved; the others are of a
/// memory that stands still, one unit for all of them or each its own.
Nest padded(std::int64_t unit, std::int64_t count, std::int64_t step, std::int64_t channels,
            std::int64_t own, bool is_first, bool is_one_value) {
  const std::int64_t pixel = channels * unit, rest = channels - own;
  Nest nest =
      nest_of_loops(unit, {{3, count * pixel + 5, count * std::abs(step)}, {count, pixel, step}});
  nest.sources = 2;
  const std::size_t moving = is_first ? 0 : 1, still = 1 - moving;
  for (NestLoop& loop : nest.loops) {
    loop.src[moving] = loop.src[0];
    loop.src[still] = 0;
  }
  nest.of[1].memory = 1;
  nest.of[1].dst = (is_first ? own : rest) * unit;
  if (own > 1) nest.of[moving].own.push_back({own, unit, unit});
  if (rest > 1) nest.of[still].own.push_back({rest, unit, is_one_value ? 0 : unit});
  return nest;
}

/// With each instruction set with which the kernel takes it; counts those of the portable one.
void check_where_it_matches(const Nest& nest, std::int64_t shift, std::int64_t& found,
                            std::string_view kernel = "shuffle") {
  const Moved moved(nest, shift);
  on_every_target([&] {
    Nest left = nest;
    Bound bound;
    if (!bind_named(kernel, left, {}, bound)) return;
    found += instruction_set() == InstructionSet::baseline;
    check_carried_out(kernel, moved);
  });
}

}  // namespace

TEST_CASE("shuffles of every unit and count, up and down, near and far steps") {
  std::int64_t found = 0;
  for (std::int64_t unit = 1; unit <= 64; unit += unit < 8 || unit > 62 ? 1 : unit < 18 ? 2 : 5)
    for (const std::int64_t step :
         {unit, -unit, std::int64_t{1}, std::int64_t{-1}, unit + 1, -unit - 2, std::int64_t{40}})
      for (const std::int64_t count : {2, 5, 16, 17, 33, 64, 65, 100, 1500})
        if (count * unit < 6000) {
          const auto check = [&](ByteLoop outer, ByteLoop inner) {
            check_where_it_matches(groups(2, count, step, outer, inner), count % 5, found);
          };
          check(once, {unit, 1, -1});                              // reversed
          check(once, {unit, 1, 0});                               // one byte repeated
          if (unit % 2 == 0) check({unit / 2, 2, 1}, {2, 1, 0});   // each twice
          if (unit % 3 == 0) check({unit / 3, 3, 3}, {3, 1, -1});  // turned by threes
          if (unit % 2 == 0 && unit > 2) check({2, unit / 2, 1}, {unit / 2, 1, 2});  // dealt
        }
  CHECK(found > 500);
}

TEST_CASE("groups whose bytes lie further apart than a vector reaches: small squares, turned") {
  std::int64_t found = 0;
  for (std::int64_t a = 2; a <= 8; ++a)
    for (std::int64_t b = 2; b <= 8; ++b)
      for (const std::int64_t step : {a * b, -a * b, a * b + 9})
        for (const std::int64_t count : {5, 33, 100})
          for (const std::int64_t gap : {0, 3})
            check_where_it_matches(groups(3, count, step, {a, b, 1}, {b, 1, a + gap}), count % 7,
                                   found, "far_shuffle");
  CHECK(found > 700);
  on_every_target([] {
    const std::string_view expected = permutes_lines() ? "shuffle" : "far_shuffle";
    CHECK(chosen(groups(3, 100, 64, {8, 8, 1}, {8, 1, 8})) == expected);
    CHECK(chosen(groups(3, 100, 49, {7, 7, 1}, {7, 1, 7})) == expected);
  });
}

TEST_CASE("a row may write what the next one overwrites, and read what others read") {
  std::int64_t found = 0;
  for (const std::int64_t a : {2, 3, 5})
    for (const std::int64_t b : {2, 3, 7})
      for (const std::int64_t step : {a * b, -a * b})
        for (const std::int64_t count : {4, 9})
          for (const std::int64_t rows : {1, 2, 7})
            for (const std::int64_t sign : {1, -1})
              for (const std::int64_t gap : {0, 3}) {
                Nest nest = groups(rows, count, step, {a, b, 1}, {b, 1, a});
                const std::int64_t bytes = count * a * b;
                nest.loops[0].dst = bytes + gap;
                nest.loops[0].src[0] = sign * bytes;
                nest.loops.insert(nest.loops.begin(),
                                  {3, rows * (bytes + gap) + 1, {-sign * rows * bytes}});
                check_where_it_matches(nest, 0, found, "far_shuffle");
              }
  CHECK(found > 100);
}

TEST_CASE("rows are streamed where what lies between their groups is little") {
  const auto streams = [](std::int64_t step) {
    Nest nest = groups(1, 200, step, {8, 8, 1}, {8, 1, 8});
    Bound bound;
    REQUIRE(bind_named("far_shuffle", nest, {.is_vast = true}, bound));
    return bound.streams();
  };
  CHECK(streams(64));
  CHECK(streams(256));
  CHECK_FALSE(streams(257));
}

TEST_CASE("one byte of each few, where a vector makes several") {
  std::int64_t found = 0;
  for (const std::int64_t step : {2, 3, 5, -2, -3, -7})
    for (std::int64_t count = 64; count < 200; ++count)
      check_where_it_matches(nest_of_loops(1, {{3, count + 9, 5}, {count, 1, step}}), count % 64,
                             found);
  CHECK(found > 700);
}

TEST_CASE("pixels that get channels of a memory that stands still, behind or before their own") {
  std::int64_t found = 0;
  for (const std::int64_t unit : {1, 2, 3, 4, 8})
    for (std::int64_t channels = 2; channels * unit <= 40; ++channels)
      for (std::int64_t own = 1; own < channels; own += 2)
        for (const std::int64_t step : {own * unit, -own * unit, own * unit + 3})
          for (const std::int64_t count : {5, 33, 64, 101})
            for (const bool is_first : {true, false})
              check_where_it_matches(
                  padded(unit, count, step, channels, own, is_first, count % 2 == 1), count % 7,
                  found);
  CHECK(found > 1000);
  CHECK(chosen(padded(1, 400, 3, 4, 3, true, true)) == "shuffle");
  CHECK(chosen(padded(4, 400, 12, 4, 3, false, true)) == "shuffle");
}

TEST_CASE("a memory that stands still from pixel to pixel may move from row to row") {
  Nest nest = padded(1, 64, 3, 4, 3, true, true);
  nest.loops[0].src[1] = 1;
  CHECK(chosen(nest) == "shuffle");
  check_kernel("shuffle", nest, 0);
}

TEST_CASE("groups of two sources that both move, or with gaps, are none") {
  const auto is_none = [](const Nest& nest) {
    Nest left = nest;
    Bound bound;
    return !bind_named("shuffle", left, {}, bound) && !bind_named("far_shuffle", left, {}, bound);
  };
  const Nest nest = padded(1, 400, 3, 4, 3, true, true);
  CHECK_FALSE(is_none(nest));
  Nest other = nest;
  other.loops[1].src[1] = 1;
  CHECK(is_none(other));
  other = nest;
  other.of[1].dst = 5;  // beyond the rest of its group
  CHECK(is_none(other));
  CHECK(chosen(other) == "none");
}

TEST_CASE("what is read twice is counted once a group") {
  Nest nest = nest_of_loops(1, {{200, 2, 1}, {2, 1, 0}});
  Bound bound;
  REQUIRE(bind_cheapest(nest, {}, bound));
  CHECK(bound.name() == "shuffle");
  CHECK(bound.traffic() == Traffic{200, 400});
}

TEST_CASE("short rows, and groups that fill no store, are said to take longer, a byte") {
  const auto a_byte = [](std::int64_t rows, std::int64_t count, std::int64_t step) {
    Nest nest = groups(rows, count, step, {2, 2, 1}, {2, 1, 2});
    Bound bound;
    REQUIRE(bind_named("far_shuffle", nest, {}, bound));
    return bound.picoseconds(false) / static_cast<double>(bound.traffic().written);
  };
  CHECK(a_byte(512, 8, 4) > 2 * a_byte(1, 4096, 4));
  CHECK(a_byte(1, 4096, 100) > 2 * a_byte(1, 4096, 4));
}

TEST_CASE("groups stay whole when a nest is cut") {
  const Cutting cutting = *cutting_of(groups(2, 100, 3, once, {3, 1, -1}));
  CHECK(cutting.whole == 2);
  CHECK(cutting.step_bytes == 3);
}

TEST_CASE("groups that lie far apart are cut so that the second cache finds their lines again") {
  // The bytes of each pair change places, of 8 bytes.
  const auto cutting = [](std::int64_t count, std::int64_t apart, std::int64_t again) {
    return *cutting_of(
        nest_of_loops(1, {{320, count * 8, again}, {count, 8, apart}, {4, 2, 2}, {2, 1, -1}}));
  };
  CHECK(cutting(8192, 5120, 8).first == 1);
  CHECK(cutting(8192, 5120, 8).steps == 512);
  CHECK(cutting(8192, 4096, 8).steps == 128);
  CHECK(cutting(8192, 5120, 8).whole == 2);
  for (const Cutting& other : {cutting(512, 5120, 8), cutting(8192, 5120, 64),
                               cutting(8192, 5120, 0), cutting(8192, 8, 8)})
    CHECK(other.first == Cutting::none);
}

TEST_CASE("what is bound to permute lines is carried out without as well") {
  for (const std::int64_t count : {7, 100}) {
    Nest nest = groups(3, count, 20, {5, 4, 1}, {4, 1, 5});
    const Moved moved(nest);
    nest = moved.nest();
    Bound bound;
    REQUIRE(bind_named("far_shuffle", nest, {}, bound));
    on_every_target([&] { CHECK(moved.is_made_by(bound)); });
  }
}
