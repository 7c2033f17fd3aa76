// SPDX-License-Identifier: Apache-2.0
// outer.
#include "ops/expect.h"
#include "ops/product/matrices.h"

using namespace weft;
using namespace weft::testing;

namespace {

TEST_CASE("outer: of every type, and of flattened tensors") {
  const auto check = []<class T>(T) {
    Random random(100);
    const Tensor x = somehow_lying<T>(random, {3, 5}), y = somehow_lying<T>(random, {7});
    const Tensor made = x.outer(y);
    CHECK(made.dtype() == dtype_of<T>);
    CHECK(made.shape() == Shape{15, 7});
    check_matrices<T>(made, x, y, 1, 15, 1, 7);
  };
  for_each_type<IntegerTypes>(check);
  for_each_type<FloatTypes>(check);
  CHECK(outer(full<float>({0}, 1), full<float>({3}, 1)).eval().shape() == Shape{0, 3});
  CHECK_THROWS_AS(outer(full<bool>({1}, true), full<bool>({1}, true)), DtypeError);
}

}  // namespace
