// SPDX-License-Identifier: Apache-2.0
// Rows that several boxes write, a long run among them, are put together as one.
#include <doctest/doctest.h>

#include <string>

#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/nests.h"

using namespace weft;

namespace {

bool is_assembled(const Tensor& tensor) {
  return explain(tensor).find("assemble") != std::string::npos;
}

}  // namespace

TEST_CASE("padded and rolled rows are what each element says") {
  for (const DType type : {u8, u16, f32, f64, opaque(3), c128}) {
    CAPTURE(type.name());
    const std::int64_t width = 400 / type.size();
    const Tensor x = testing::leaf(type, {3, 350, width});
    for (const std::string mode : {"constant", "edge", "reflect", "symmetric", "wrap"})
      for (const std::int64_t border : {1, 3, 9}) {
        CAPTURE(mode);
        CAPTURE(border);
        const Tensor padded = pad(x, {0, 2, border}, {0, 1, border}, mode);
        CHECK((border > 3 || is_assembled(padded)));
        CHECK(testing::disagreement(padded).empty());
        CHECK(testing::disagreement(flip(padded, {1})).empty());
      }
    for (const std::int64_t shift : {1, 5, -3}) {
      const Tensor rolled = roll(x, {shift}, {2});
      CHECK(is_assembled(rolled));
      CHECK(testing::disagreement(rolled).empty());
      CHECK(testing::disagreement(repeat(rolled, {2}, {1})).empty());
    }
  }
}

TEST_CASE("rows that tasks share are put together in each") {
  const Tensor x = testing::leaf(f32, {5, 99, 300});
  for (const Tensor& padded :
       {pad(x, {0, 3, 3}, {0, 3, 3}, "reflect"), pad(x, {0, 0, 2}, {0, 0, 7})}) {
    CHECK(is_assembled(padded));
    CHECK(testing::disagreement(padded).empty());
  }
}

TEST_CASE("rows are put together where no lines are permuted, too") {
  testing::without_lines([] {
    const Tensor x = testing::leaf(f32, {600, 130});
    for (const Tensor& padded : {pad(x, {2, 3}, {1, 3}, "reflect"), pad(x, {0, 2}, {0, 7})}) {
      CHECK(is_assembled(padded));
      CHECK(testing::disagreement(padded).empty());
    }
  });
}

TEST_CASE("long rows, and few that follow one another, are written part by part") {
  CHECK_FALSE(is_assembled(pad(testing::leaf(f32, {300, 600}), {0, 3}, {0, 3}, "reflect")));
  const auto rows_of_pages = [](std::int64_t rows) {
    return slice(testing::leaf(f32, {140, 12, 128}), {0}, {rows}, {1}, {1});
  };
  CHECK_FALSE(is_assembled(pad(rows_of_pages(5), {0, 0, 3}, {0, 0, 3}, "reflect")));
  CHECK(is_assembled(pad(rows_of_pages(8), {0, 0, 3}, {0, 0, 3}, "reflect")));
}
