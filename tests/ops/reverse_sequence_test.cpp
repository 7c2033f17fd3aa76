// reverse_sequence: beginnings reversed.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("reverse_sequence: reverses the beginning of every sequence") {
  const Tensor x = iota<int>({3, 4});
  expect<int>(x.reverse_sequence({0, 3, 4}), {3, 4}, {0, 1, 2, 3, 6, 5, 4, 7, 11, 10, 9, 8});
  expect<int>(x.reverse_sequence({1, 2, 3, 2}, 1, 0), {3, 4},
              {0, 5, 10, 7, 4, 1, 6, 3, 8, 9, 2, 11});
}

namespace weft::testing {

void draw_reverse_sequence(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.size() < 2) return;
  const std::size_t batch = drawing.random_axis();
  const std::size_t seq = (batch + 1 + random.below(shape.size() - 1)) % shape.size();
  List lengths;
  for (std::int64_t b = 0; b < shape[batch]; ++b) lengths.push_back(random.in(0, shape[seq]));
  const std::size_t x = drawing.x(), index = drawing.index({shape[batch]}, lengths);
  drawing.add(
      "reverse_sequence", {x, index},
      {List{drawing.with_sign(batch, shape.size())}, List{drawing.with_sign(seq, shape.size())}});
}

}  // namespace weft::testing
