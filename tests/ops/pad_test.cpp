// pad: more positions on both sides.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("pad: the modes of numpy.pad") {
  const Tensor x = array({1, 2, 3});
  expect<int>(x.pad({2}, {1}), {6}, {0, 0, 1, 2, 3, 0});
  expect<int>(x.pad({2}, {1}, 9), {6}, {9, 9, 1, 2, 3, 9});
  expect<int>(x.pad(2, 1, "edge"), {6}, {1, 1, 1, 2, 3, 3});
  expect<int>(x.pad(2, 2, "reflect"), {7}, {3, 2, 1, 2, 3, 2, 1});
  expect<int>(x.pad(3, 2, "symmetric"), {8}, {3, 2, 1, 1, 2, 3, 3, 2});
  expect<int>(x.pad(3, 2, "wrap"), {8}, {1, 2, 3, 1, 2, 3, 1, 2});
  expect<int>(array({{1, 2}}).pad({1, 0}, {0, 1}, 7), {2, 3}, {7, 7, 7, 1, 2, 7});
}

namespace weft::testing {

void draw_pad(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  static constexpr const char* modes[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
  const std::size_t mode = random.below(5);
  List before, after;
  std::int64_t room = drawing.room();
  for (const std::int64_t n : shape) {
    const std::int64_t allowed = mode == 0 ? 4 : n == 0 ? 0 : mode == 1 ? 4 : mode == 2 ? n - 1 : n;
    const std::int64_t most = room > 2 ? std::min<std::int64_t>(allowed, 2 * n + 1) : 0;
    before.push_back(random.one_in(2) ? random.in(0, most) : 0);
    after.push_back(random.one_in(2) ? random.in(0, most) : 0);
    if (before.back() + after.back() > 0) room /= 5;
  }
  const std::size_t x = drawing.x(), value = drawing.leaf({});
  drawing.add("pad", {x, value}, {before, after}, {modes[mode]});
}

}  // namespace weft::testing
