// unfold: sliding windows.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("unfold: shows every window along a new last axis") {
  const Tensor x = iota<int>(7);
  expect<int>(x.unfold(0, 3, 2), {3, 3}, {0, 1, 2, 2, 3, 4, 4, 5, 6});
  expect<int>(iota<int>({3, 2}).unfold(0, 2), {2, 2, 2}, {0, 2, 1, 3, 2, 4, 3, 5});
  expect<int>(x.unfold(0, 0, 3), {3, 0}, {});
}

namespace weft::testing {

void draw_unfold(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty() || shape.size() >= Drawing::most_axes) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t step = random.in(1, 3);
  const std::int64_t most = std::min(shape[axis], step * std::max<std::int64_t>(drawing.room(), 1));
  const std::int64_t size = random.in(std::min<std::int64_t>(1, most), most);
  drawing.add("unfold", {drawing.x()},
              {List{drawing.with_sign(axis, shape.size())}, List{size}, List{step}});
}

}  // namespace weft::testing
