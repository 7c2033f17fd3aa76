// gather_elements: an index for every place.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("gather_elements: picks along an axis for every place anew") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.gather_elements(array({{0, 0}, {1, 0}}), 1), {2, 2}, {1, 1, 4, 3});
  expect<int>(x.gather_elements(array({{-1, 0}}), 0), {1, 2}, {3, 2});
  expect<int>(x.gather_elements(array({{0, 0, -1}}), 1), {1, 3}, {1, 1, 2});
}

namespace weft::testing {

void draw_gather_elements(Drawing& drawing) {
  Random& random = drawing.random();
  if (drawing.rank() == 0) return;
  List shape = drawing.shape();
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  if (extent == 0) return;
  shape[axis] =
      random.in(0, extent * std::min<std::int64_t>(std::max<std::int64_t>(drawing.room(), 1), 2));
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (k != axis && random.one_in(4)) shape[k] = random.in(0, shape[k]);
  std::int64_t count = 1;
  for (const std::int64_t e : shape) count *= e;
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  const std::size_t index = drawing.index(shape, indices);
  drawing.add("gather_elements", {drawing.x(), index},
              {List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing
