// repeat: every position several times.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("repeat: each position as often as told") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.repeat(2), {8}, {1, 1, 2, 2, 3, 3, 4, 4});
  expect<int>(x.repeat(2, 0), {4, 2}, {1, 2, 1, 2, 3, 4, 3, 4});
  expect<int>(x.repeat({1, 3}, -1), {2, 4}, {1, 2, 2, 2, 3, 4, 4, 4});
  expect<int>(x.repeat(0, 1), {2, 0}, {});
}

namespace weft::testing {

void draw_repeat(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  const std::int64_t room = std::max<std::int64_t>(drawing.room(), 1);
  if (shape.empty() || random.one_in(6)) {
    drawing.add("repeat", {drawing.x()}, {List{random.in(0, room)}, Numbers()});
    return;
  }
  const std::size_t axis = drawing.random_axis();
  List repeats{random.in(random.one_in(9) ? 0 : 1, std::min<std::int64_t>(room, 9))};
  if (random.one_in(3)) {
    repeats.clear();
    for (std::int64_t k = 0; k < shape[axis]; ++k)
      repeats.push_back(random.in(0, std::min<std::int64_t>(room, 3)));
    if (repeats.size() == 1) repeats[0] = 1;
  }
  drawing.add("repeat", {drawing.x()}, {repeats, List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing
