// concat: tensors one after another.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("concat: joins tensors along an axis") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(concat({x, array({{5, 6}})}), {3, 2}, {1, 2, 3, 4, 5, 6});
  expect<int>(concat({x, x, array({{5}, {6}})}, -1), {2, 5}, {1, 2, 1, 2, 5, 3, 4, 3, 4, 6});
  expect<int>(concat({x}), {2, 2}, {1, 2, 3, 4});
}

namespace weft::testing {

void draw_concat(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t axis = drawing.random_axis(), x = drawing.x();
  std::vector<std::size_t> tensors{x};
  const std::int64_t more = random.in(0, std::min<std::int64_t>(drawing.room(), 4));
  for (std::int64_t k = 0; k < more; ++k) {
    List own = shape;
    if (random.one_in(2)) own[axis] = random.in(0, shape[axis] + 1);
    tensors.push_back(random.one_in(4) ? x : drawing.value_like(own));
  }
  random.shuffle(tensors);
  drawing.add("concat", tensors, {List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing
