// where: elements by a mask.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("where: takes elements of one tensor or another, broadcast") {
  const Tensor mask = array({true, false, true});
  expect<int>(where(mask, array({1, 2, 3}), array({10, 20, 30})), {3}, {1, 20, 3});
  expect<int>(where(mask, array({{1}, {2}}), scalar(0)), {2, 3}, {1, 0, 1, 2, 0, 2});
}

namespace weft::testing {

void draw_where(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  // Each operand may repeat on some axes, and lack leading ones.
  const auto broadcastable = [&] {
    List own = shape;
    for (std::int64_t& e : own)
      if (random.one_in(4)) e = 1;
    if (random.one_in(4))
      own.erase(own.begin(),
                own.begin() + static_cast<std::ptrdiff_t>(random.below(own.size() + 1)));
    return own;
  };
  const List mask_shape = broadcastable();
  std::int64_t count = 1;
  for (const std::int64_t e : mask_shape) count *= e;
  List holds;
  for (std::int64_t k = 0; k < count; ++k) holds.push_back(random.in(0, 1));
  const std::size_t x = drawing.x();
  const std::size_t mask = drawing.mask(mask_shape, holds);
  const std::size_t y = drawing.value_like(broadcastable());
  if (random.one_in(2)) drawing.add("where", {mask, x, y}, {});
  else drawing.add("where", {mask, y, x}, {});
}

}  // namespace weft::testing
