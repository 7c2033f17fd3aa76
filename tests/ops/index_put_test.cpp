// index_put: positions of an axis replaced by index.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("index_put: replaces positions of an axis, the last update stays") {
  const Tensor x = iota<int>({3, 2});
  expect<int>(x.index_put({2, 0, -1}, array({{10, 11}, {20, 21}, {30, 31}})), {3, 2},
              {20, 21, 2, 3, 30, 31});
  expect<int>(x.index_put({-1}, array({{10}, {20}, {30}}), 1), {3, 2}, {0, 10, 2, 20, 4, 30});
}

TEST_CASE("index_put: data that is given up is written in place") {
  Tensor cache = iota<int>({64, 512}).roll(1, 0).eval();
  const void* const memory = cache.data<int>();
  cache = std::move(cache).index_put({60, 3, 17}, full({3, 512}, -1)).eval();
  CHECK(cache.data<int>() == memory);
  CHECK(cache.data<int>()[17 * 512 + 5] == -1);
  CHECK(cache.data<int>()[18 * 512] == 17 * 512);
}

namespace weft::testing {

void draw_index_put(Drawing& drawing) {
  Random& random = drawing.random();
  List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  const std::int64_t count = extent == 0 ? 0 : random.in(0, random.one_in(2) ? extent + 1 : 3);
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  shape[axis] = count;
  const std::size_t x = drawing.x(), index = drawing.index({count}, indices);
  const std::size_t updates = drawing.value_like(shape);
  drawing.add("index_put", {x, index, updates}, {List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing
