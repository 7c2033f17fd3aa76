// SPDX-License-Identifier: Apache-2.0
// permute_dims: transpose with axes that may count from the end.
#include <numeric>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("permute_dims: is transpose") {
  const Tensor x = iota<int>({2, 3, 4});
  expect<int>(permute_dims(iota<int>({2, 3}), {1, 0}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_same(x.permute_dims({2, 0, 1}), x.transpose({2, 0, 1}));
  expect_same(permute_dims(x, {2, 0, 1}), x.transpose({2, 0, 1}));
  expect_same(x.permute_dims({}), x.transpose());
  expect<int>(scalar(5).permute_dims({}), {}, {5});
}

TEST_CASE("permute_dims: negative axes count from the end") {
  const Tensor x = iota<int>({2, 3, 4});
  expect_same(x.permute_dims({-1, 0, 1}), x.transpose({2, 0, 1}));
  expect_same(x.permute_dims({-1, -2, -3}), x.transpose());
  CHECK_THROWS_AS((void)x.transpose({-1, 0, 1}), AxisError);
}

TEST_CASE("permute_dims: what is no permutation is refused in its own name") {
  const Tensor x = iota<int>({2, 3});
  refuses<AxisError>("duplicate_axes",
                     "permute_dims: axis 0 is named twice in axes [0, -2] (rank 2)", [&] {
                       (void)x.permute_dims({0, -2});
                     });
  refuses<AxisError>("bad_axis", "permute_dims: axis 2 is out of range for rank 2 (shape [2, 3])",
                     [&] {
                       (void)x.permute_dims({0, 2});
                     });
  refuses<ParameterError>("length_mismatch",
                          "permute_dims: axes [0] has 1 entries, expected 2 (shape [2, 3])",
                          [&] { (void)x.permute_dims({0}); });
  refuses<ParameterError>("bad_rank", "permute_dims: axes has rank 0, expected a list (rank 1)",
                          [&] { (void)x.permute_dims(0); });
  refuses<ParameterError>("bad_rank", "permute_dims: axes is none, expected a list (rank 1)",
                          [&] { (void)x.permute_dims(none); });
  refuses<DtypeError>("dtype_mismatch", "permute_dims: axes is f32, expected an integer type", [&] {
    (void)x.permute_dims(ints_of(f32, 1, {0, 1}));
  });
}

TEST_CASE("permute_dims: permutes what is known of the extents; unknown axes open all") {
  CHECK(shape_of(open({"n", 4, 5}).permute_dims({-1, 0, 1})) == "[5, n, 4]");
  CHECK(shape_of(open({"n", 4, 5}).permute_dims({})) == "[5, 4, n]");
  CHECK(shape_of(open({"n", 4, 5}).permute_dims(integers({3}))) == "[?, ?, ?]");
  CHECK(shape_of(open(PartialShape::any()).permute_dims({1, 0})) == "[?, ?]");
  CHECK_THROWS_AS((void)open({"n", 4}).permute_dims({0, 2}), AxisError);
}

TEST_CASE("permute_dims: moves the bytes of any element") {
  moves_any_element({2, 3, 4}, [](const Tensor& x) { return x.permute_dims({-1, 0, -2}); });
}

namespace weft::testing {

void draw_permute_dims(Drawing& drawing) {
  List axes(drawing.rank());
  std::iota(axes.begin(), axes.end(), 0);
  drawing.random().shuffle(axes);
  if (drawing.random().one_in(4)) axes.clear();
  drawing.add("permute_dims", {drawing.x()}, {drawing.with_signs(axes, drawing.rank())});
}

}  // namespace weft::testing
