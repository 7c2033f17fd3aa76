// stack: tensors along a new axis.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("stack: joins tensors along a new axis") {
  const Tensor x = array({1, 2}), y = array({3, 4});
  expect<int>(stack({x, y}), {2, 2}, {1, 2, 3, 4});
  expect<int>(stack({x, y}, -1), {2, 2}, {1, 3, 2, 4});
  expect<int>(stack({scalar(1), scalar(2)}), {2}, {1, 2});
}

namespace weft::testing {

void draw_stack(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.size() >= Drawing::most_axes) return;
  std::vector<std::size_t> tensors{drawing.x()};
  const std::int64_t more = random.in(0, std::min<std::int64_t>(drawing.room(), 3));
  for (std::int64_t k = 0; k < more; ++k) tensors.push_back(drawing.value_like(shape));
  random.shuffle(tensors);
  drawing.add("stack", tensors,
              {List{drawing.with_sign(random.below(shape.size() + 1), shape.size() + 1)}});
}

}  // namespace weft::testing
