// scatter_nd: slices replaced by tuples of indices.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("scatter_nd: replaces a slice for every tuple, the last update stays") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.scatter_nd(array({{0, 0}, {1, -1}, {0, 0}}), array({10, 20, 30})), {2, 2},
              {30, 2, 3, 20});
  expect<int>(x.scatter_nd(array({{-1}}), array({{10, 20}})), {2, 2}, {1, 2, 10, 20});
}

namespace weft::testing {

void draw_scatter_nd(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t length = random.below(shape.size()) + 1;
  std::int64_t leading = 1;
  for (std::size_t k = 0; k < length; ++k) leading *= shape[k];
  const std::int64_t count =
      leading == 0 ? 0 : random.in(0, std::min<std::int64_t>(leading + 1, 9));
  List indices, updates_shape{count};
  for (std::int64_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < length; ++k) indices.push_back(random.in(-shape[k], shape[k] - 1));
  updates_shape.insert(updates_shape.end(), shape.begin() + static_cast<std::ptrdiff_t>(length),
                       shape.end());
  const std::size_t x = drawing.x();
  const std::size_t index = drawing.index({count, static_cast<std::int64_t>(length)}, indices);
  const std::size_t updates = drawing.value_like(updates_shape);
  drawing.add("scatter_nd", {x, index, updates}, {});
}

}  // namespace weft::testing
