// take: positions of an axis by index.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("take: picks positions of an axis, also from the end, in the shape of the indices") {
  const Tensor x = iota<int>({3, 2});
  expect<int>(x.take({2, 0, -1}, 0), {3, 2}, {4, 5, 0, 1, 4, 5});
  expect<int>(x.take(array({{0, 1}, {1, 1}}), 1), {3, 2, 2}, {0, 1, 1, 1, 2, 3, 3, 3, 4, 5, 5, 5});
  expect<int>(x.take(1, -1), {3}, {1, 3, 5});
  expect<int>(x.take({5, 0}), {2}, {5, 0});
  expect<int>(x.take(Ints(), 0), {0, 2}, {});
  expect<int>(gather(x, {1}), {1, 2}, {2, 3});
}

namespace weft::testing {

void draw_take(Drawing& drawing) {
  Random& random = drawing.random();
  if (drawing.rank() == 0) return;
  const List shape = drawing.shape();
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  List index_shape;
  if (random.one_in(4) && drawing.rank() < Drawing::most_axes)
    index_shape = {random.in(0, 3), random.in(1, 2)};
  else if (!random.one_in(4))
    index_shape = {random.in(0, extent * std::min<std::int64_t>(drawing.room(), 3) + 1)};
  std::int64_t count = 1;
  for (const std::int64_t e : index_shape) count *= e;
  if (extent == 0 && count > 0) return;
  if (count > extent * std::max<std::int64_t>(drawing.room(), 1)) return;
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  const std::size_t index = drawing.index(index_shape, indices);
  drawing.add("take", {drawing.x(), index}, {List{drawing.with_sign(axis, drawing.rank())}});
}

}  // namespace weft::testing
