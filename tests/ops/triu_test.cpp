// triu: a triangle.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("triu: keeps one side of a diagonal") {
  expect<int>(array({{1, 2, 3}, {4, 5, 6}}).triu(), {2, 3}, {1, 2, 3, 0, 5, 6});
}

namespace weft::testing {

void draw_triu(Drawing& drawing) {
  const List shape = drawing.shape();
  if (shape.size() < 2) return;
  drawing.add("triu", {drawing.x()},
              {List{drawing.random().in(-shape[shape.size() - 2] - 1, shape.back() + 1)}});
}

}  // namespace weft::testing
