// SPDX-License-Identifier: Apache-2.0
// Rows that are rolled and turned: two copies, carried out as one.
#include <doctest/doctest.h>

#include <string>

#include <weft/graph/plan/rolled_rows.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

using namespace weft;
using weft::testing::disagreement;
using weft::testing::leaf;

namespace {

/// [columns, rows] turned, its rows rolled by `shift`.
Tensor rolled(DType dtype, std::int64_t columns, std::int64_t rows, std::int64_t shift) {
  return leaf(dtype, {columns, rows}).roll(shift, 1).transpose();
}

bool are_one(const Tensor& tensor) { return explain(tensor).find(": table)") != std::string::npos; }

}  // namespace

TEST_CASE("rolled rows: every shift, forwards and backwards, has the elements that it means") {
  for (const DType dtype : {u8, u16, opaque(3), f32, f64, c128})
    for (const std::int64_t rows : {3, 7, 9})
      for (std::int64_t shift = 1; shift < rows; ++shift)
        for (const bool is_flipped : {false, true}) {
          CAPTURE(dtype.name());
          CAPTURE(rows);
          CAPTURE(shift);
          Tensor tensor = rolled(dtype, 700, rows, shift);
          if (is_flipped) tensor = tensor.flip(0);
          CHECK(disagreement(tensor) == "");
        }
}

TEST_CASE("rolled rows: two copies are one where a kernel turns them") {
  CHECK(are_one(rolled(u8, 5000, 8, 3)));
  CHECK(are_one(rolled(f32, 5000, 8, 1)));
  CHECK(are_one(rolled(opaque(3), 5000, 8, 7)));
  CHECK(are_one(leaf(u8, {500, 7, 16}).roll(2, 2).flip(1).transpose({2, 1, 0})));
  CHECK_FALSE(are_one(rolled(u8, 5000, 300, 3)));  // whole lines in each part
  CHECK_FALSE(are_one(rolled(f32, 6, 40, 3)));     // columns that nothing turns
}

TEST_CASE("rolled rows: in other loops, joined, repeated and cut") {
  const Tensor x = leaf(u8, {40, 21, 17, 9});
  CHECK(disagreement(x.roll(4, 3).transpose({3, 0, 2, 1})) == "");
  CHECK(disagreement(x.roll({4, 5}, {3, 2}).transpose({0, 3, 2, 1})) == "");
  CHECK(disagreement(x.roll(1, 3).transpose({0, 3, 1, 2}).tile({1, 2, 1, 1})) == "");
  CHECK(disagreement(x.roll(-1, 3).flip({0, 3}).transpose({2, 3, 1, 0}).slice({3}, {14})) == "");
  const Tensor large = leaf(u8, {30000, 11, 7}).roll(2, 2).transpose({2, 0, 1});
  CHECK(are_one(large));
  CHECK(disagreement(large) == "");
}

TEST_CASE("rolled rows: other sources, steps and places are none") {
  const Copy a{0, 0, 0, 3, {{5, 100, 1}, {100, 1, 8}}}, b{0, 0, 500, 0, {{3, 100, 1}, {100, 1, 8}}};
  REQUIRE(rolled_rows(a, b, 1).has_value());
  const RolledRows rows = *rolled_rows(a, b, 1);
  CHECK(rows.copy.loops[rows.loop].extent == 8);
  CHECK(rows.from(0) == 3);
  CHECK(rows.from(4) == 7);
  CHECK(rows.from(5) == 0);
  CHECK_FALSE(rolled_rows(b, a, 1));
  CHECK_FALSE(rolled_rows(a, b, 64));  // rows of a few lines
  const auto changed = [&](const auto& change) {
    Copy other = b;
    change(other);
    return rolled_rows(a, other, 1).has_value();
  };
  CHECK_FALSE(changed([](Copy& other) { other.source = 1; }));
  CHECK_FALSE(changed([](Copy& other) { other.layer = 1; }));
  CHECK_FALSE(changed([](Copy& other) { other.src_offset = 1; }));
  CHECK_FALSE(changed([](Copy& other) { other.out_offset = 600; }));
  CHECK_FALSE(changed([](Copy& other) { other.loops[0].src_stride = -1; }));
  CHECK_FALSE(changed([](Copy& other) { other.loops[1].extent = 99; }));
  CHECK_FALSE(changed([](Copy& other) { other.loops[1].src_stride = 9; }));
}
