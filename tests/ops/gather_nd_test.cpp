// gather_nd: slices by tuples of indices.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("gather_nd: picks a slice for every tuple") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.gather_nd(array({{0, 0}, {1, -1}})), {2}, {1, 4});
  expect<int>(x.gather_nd(array({{1}, {0}})), {2, 2}, {3, 4, 1, 2});
  expect<int>(x.gather_nd(array({1, 0})), {}, {3});
}

namespace weft::testing {

void draw_gather_nd(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t length = random.below(shape.size()) + 1;
  std::int64_t leading = 1;
  for (std::size_t k = 0; k < length; ++k) leading *= shape[k];
  List index_shape;
  if (random.one_in(2)) index_shape.push_back(random.in(0, 3));
  if (random.one_in(2)) index_shape.push_back(random.in(1, 3));
  std::int64_t count = 1;
  for (const std::int64_t e : index_shape) count *= e;
  if (leading == 0 && count > 0) return;
  if (count > std::max<std::int64_t>(leading, 1) * std::max<std::int64_t>(drawing.room(), 1))
    return;
  if (index_shape.size() + shape.size() - length > Drawing::most_axes) return;
  List indices;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < length; ++k) indices.push_back(random.in(-shape[k], shape[k] - 1));
  index_shape.push_back(static_cast<std::int64_t>(length));
  const std::size_t index = drawing.index(index_shape, indices);
  drawing.add("gather_nd", {drawing.x(), index}, {});
}

}  // namespace weft::testing
