// SPDX-License-Identifier: Apache-2.0
// Lowering: which nests copies make, and that a lowered piece is carried out again and again.
#include <doctest/doctest.h>

#include <vector>

#include <weft/engine/run/lower.h>

using namespace weft;

TEST_CASE("runs of a copy become the unit of its nest, and elements bytes") {
  const Copy copy{0, 0, 3, 5, {{7, 60, 12}, {3, 20, 90}, {4, 5, 5}, {5, 1, 1}}};
  const Nest nest = nest_of(copy, 4);
  CHECK(nest.sources == 1);
  CHECK(nest.unit == 80);
  CHECK(nest.of[0].dst == 12);
  CHECK(nest.of[0].src == 20);
  REQUIRE(nest.loops.size() == 2);
  CHECK(nest.loops[0].extent == 7);
  CHECK(nest.loops[1].dst == 80);
  CHECK(nest.loops[1].src[0] == 360);
}

TEST_CASE("a run over a table is no unit") {
  const std::vector<std::int64_t> table{4, 2, 9};
  Copy copy{0, 0, 0, 0, {{3, 1, 1}}};
  copy.loops[0].src_table = table.data();
  const Nest nest = nest_of(copy, 2);
  CHECK(nest.unit == 2);
  CHECK(nest.element == 2);
  REQUIRE(nest.loops.size() == 1);
  CHECK(nest.loops[0].src_table == table.data());
}

TEST_CASE("two copies share the loops that are the same in the output, and keep the others") {
  const Copy a{0, 0, 1, 0, {{9, 30, 30}, {10, 3, 3}, {2, 1, 1}}};
  const Copy b{0, 0, 0, 2, {{9, 30, 30}, {10, 3, 3}}};
  const auto nest = joint_nest_of(a, b, 2);
  REQUIRE(nest);
  CHECK(nest->unit == 2);
  CHECK(nest->loops.size() == 2);
  CHECK(nest->of[0].own.size() == 1);
  CHECK(nest->of[1].own.empty());
  CHECK(nest->of[1].src == 4);
  CHECK(nest->bytes() == 9 * 10 * 3 * 2);
  Copy other = b;
  other.loops[0].extent = 8;
  CHECK_FALSE(joint_nest_of(a, other, 2));
}

TEST_CASE("runs that two copies share are their unit") {
  const Copy a{0, 0, 0, 0, {{9, 8, 4}, {4, 1, 1}}}, b{1, 0, 4, 0, {{9, 8, 8}, {4, 1, 1}}};
  const auto nest = joint_nest_of(a, b, 2);
  REQUIRE(nest);
  CHECK(nest->unit == 8);
  REQUIRE(nest->loops.size() == 1);
  CHECK(nest->loops[0].src[1] == 16);
  CHECK(nest->of[1].memory == 1);
}

TEST_CASE("what is lowered once is carried out again and again, wherever it was moved to") {
  const std::vector<std::uint8_t> from{10, 11, 12, 13, 14, 15, 16, 17}, beside{20, 21, 22, 23};
  const auto bytes = [](const std::vector<std::uint8_t>& values) {
    return reinterpret_cast<const std::byte*>(values.data());
  };
  std::vector<LoweredPiece> kept;
  {
    Piece piece{Copy{0, 0, 0, 0, {{4, 2, 2}}}, std::nullopt, false};
    piece.beside = Copy{1, 0, 1, 0, {{4, 2, 1}}};
    kept.push_back(lower(piece, 1));
    piece.beside->out_offset = 9;  // apart: each by a kernel of its own
    kept.push_back(lower(piece, 1));
  }
  CHECK(kept[0].copy.name() == "weave");
  CHECK_FALSE(kept[0].beside);
  CHECK(kept[1].beside);
  const std::vector<LoweredPiece> moved = std::move(kept);
  for (int again = 0; again < 2; ++again) {
    std::vector<std::uint8_t> out(16, 0);
    carry_out(moved[0], reinterpret_cast<std::byte*>(out.data()), bytes(from), bytes(beside));
    CHECK(out == std::vector<std::uint8_t>{10, 20, 12, 21, 14, 22, 16, 23, 0, 0, 0, 0, 0, 0, 0, 0});
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    carry_out(moved[1], reinterpret_cast<std::byte*>(out.data()), bytes(from), bytes(beside));
    CHECK(out == std::vector<std::uint8_t>{10, 0, 12, 0, 14, 0, 16, 0, 0, 20, 0, 21, 0, 22, 0, 23});
  }
}
