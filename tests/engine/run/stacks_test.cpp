// SPDX-License-Identifier: Apache-2.0
// Stacks: several copies that write units in turn are one, and write the same.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>

#include <weft/engine/run/pass_steps.h>
#include <weft/engine/run/pieces.h>
#include <weft/engine/run/stacks.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;

namespace {

using From = std::pair<std::size_t, std::int64_t>;  // source and position
using Writes = std::map<std::int64_t, From>;

void collect(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src, Writes& writes) {
  if (k == copy.loops.size()) {
    CHECK(writes.count(out) == 0);
    writes[out] = {copy.source, src};
    return;
  }
  for (std::int64_t i = 0; i < copy.loops[k].extent; ++i)
    collect(copy, k + 1, out + copy.loops[k].out_at(i), src + copy.loops[k].src_at(i), writes);
}

Writes writes_of(const std::vector<Piece>& pieces) {
  Writes writes;
  for (const Piece& piece : pieces) {
    REQUIRE_FALSE(piece.beside.has_value());
    for_each_of_stack(piece, [&](const Copy& copy) {
      collect(copy, 0, copy.out_offset, copy.src_offset, writes);
    });
  }
  return writes;
}

/// `units` copies of rows of units of `unit` elements in turn, in any order.
std::vector<Piece> random_stack(Random& random, std::int64_t units, std::int64_t unit) {
  const std::int64_t rows = random.in(1, 3), count = random.in(20, 40);
  const std::int64_t row = units * unit * count + random.in(0, 5), first = random.in(0, 9);
  std::vector<Piece> pieces;
  for (std::int64_t n = 0; n < units; ++n) {
    Copy copy{random.below(4), 0, first + n * unit, random.in(0, 99), {}};
    if (rows > 1) copy.loops.push_back({rows, row, count * unit + 1});
    copy.loops.push_back({count, units * unit, unit});
    if (unit > 1) copy.loops.push_back({unit, 1, 1});
    pieces.push_back({copy});
  }
  random.shuffle(pieces);
  return pieces;
}

}  // namespace

TEST_CASE("stacks write what their copies wrote, also cut") {
  constexpr std::uint64_t seed = 20261127;
  Random random(seed);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(seed);
    CAPTURE(round);
    const std::int64_t units = random.in(3, 16), unit = random.in(1, 2);
    std::vector<Piece> pieces = random_stack(random, units, unit);
    const Writes expected = writes_of(pieces);
    const bool lacks_one = random.one_in(8);
    if (lacks_one) {
      pieces.pop_back();
      CHECK(stack_up(pieces, 4).size() == pieces.size());
      continue;
    }
    const std::vector<Piece> stacks = stack_up(pieces, 4);
    REQUIRE(stacks.size() == 1);
    CHECK(std::ssize(stacks[0].stacked) == units - 1);
    CHECK(stacks[0].count() == std::ssize(expected));
    CHECK(writes_of(stacks) == expected);
    const std::vector<Piece> parts = cut(stacks, 4, 1024, false);
    CHECK(writes_of(parts) == expected);
    CHECK((expected.size() < 1024 || parts.size() > 1));
    for (const Piece& part : parts) CHECK(std::ssize(part.stacked) == units - 1);
    // As copies, where stretches are written one by one.
    std::vector<Piece> copies;
    for (Copy& copy : paint_pairs(stacks)) copies.push_back({std::move(copy)});
    CHECK(writes_of(copies) == expected);
  }
}

TEST_CASE("tensors stacked along the last axis are what each element says") {
  Random random(20261127);
  for (const DType type : {u8, u16, f32, f64, opaque(3), c128})
    for (const std::int64_t n : {3, 4, 5, 7, 8, 16})
      for (const std::int64_t width : {7, 40, 333}) {
        CAPTURE(type.name());
        CAPTURE(n);
        CAPTURE(width);
        const std::int64_t rows = random.in(1, 60);
        Tensors planes;
        for (std::int64_t k = 0; k < n; ++k)
          planes.push_back(
              slice(testing::leaf(type, {rows, width + 5}, static_cast<std::size_t>(k)), {2},
                    {2 + width}, {1}, {1}));
        CHECK(testing::disagreement(stack(planes, 2)).empty());
      }
}

TEST_CASE("explain tells that planes are put together") {
  Tensors planes;
  for (std::size_t k = 0; k < 3; ++k) planes.push_back(testing::leaf(u8, {64, 64}, k));
  const std::string text = explain(stack(planes, 2));
  CAPTURE(text);
  CHECK(text.find("interleave") != std::string::npos);
  CHECK(text.find("strided") == std::string::npos);
}
