// SPDX-License-Identifier: Apache-2.0
// permute_dims: transpose by another name.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("permute_dims: is transpose") {
  const Tensor x = iota<int>({2, 3, 4});
  expect<int>(permute_dims(iota<int>({2, 3}), {1, 0}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_same(x.permute_dims({2, 0, 1}), x.transpose({2, 0, 1}));
  expect_same(permute_dims(x, {2, 0, 1}), x.transpose({2, 0, 1}));
  expect<int>(scalar(5).permute_dims({}), {}, {5});
}

TEST_CASE("permute_dims: refuses what transpose does") {
  refuses<AxisError>("not_a_permutation",
                     "transpose: order [0, 0] is not a permutation of 0 to 1 (shape [2, 3])", [] {
                       iota<int>({2, 3}).permute_dims({0, 0});
                     });
}

TEST_CASE("permute_dims: waits as a transpose") {
  const Tensor x = placeholder(f32, {"n", 4, 5});
  CHECK(to_string(permute_dims(x, {2, 0, 1}).partial_shape()) == "[5, n, 4]");
}
