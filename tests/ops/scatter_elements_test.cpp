// scatter_elements: an index for every update.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("scatter_elements: replaces along an axis for every place anew, the last update stays") {
  const Tensor x = array({{1, 2, 3}, {4, 5, 6}});
  expect<int>(x.scatter_elements(array({{0, 0}, {2, -2}}), array({{10, 20}, {30, 40}}), 1), {2, 3},
              {20, 2, 3, 4, 40, 30});
  expect<int>(x.scatter_elements(array({{1, 0}, {1, 1}}), array({{10, 20}, {30, 40}}), 0), {2, 3},
              {1, 20, 3, 30, 40, 6});
}

TEST_CASE("scatter_elements: lines longer than a core's cache, fewer updates than lines") {
  const Tensor x = iota<float>({2, 70000});
  const Tensor y =
      x.scatter_elements(array<int>({{69999, 0, -1}}), array<float>({{-1, -2, -3}}), 1);
  std::vector<float> expected(x.span<float>().begin(), x.span<float>().end());
  expected[69999] = -3;
  expected[0] = -2;
  expect<float>(y, {2, 70000}, expected);
}

namespace weft::testing {

void draw_scatter_elements(Drawing& drawing) {
  Random& random = drawing.random();
  List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  if (extent == 0) return;
  // The reference looks at all updates of a line for each element.
  shape[axis] = random.in(0, std::min<std::int64_t>(extent + 1, 200));
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (k != axis && random.one_in(4)) shape[k] = random.in(0, shape[k]);
  std::int64_t count = 1;
  for (const std::int64_t e : shape) count *= e;
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  const std::size_t x = drawing.x(), index = drawing.index(shape, indices);
  const std::size_t updates = drawing.value_like(shape);
  drawing.add("scatter_elements", {x, index, updates},
              {List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing
