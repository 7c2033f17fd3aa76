// SPDX-License-Identifier: Apache-2.0
// real, imag and conj.
#include <complex>

#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("real, imag, conj: parts of complex numbers") {
  using C = std::complex<float>;
  const Tensor x = array({C(1, -2), C(-3, 0)});
  expect<float>(real(x), {2}, {1.0f, -3.0f});
  expect<float>(imag(x), {2}, {-2.0f, 0.0f});
  expect<C>(conj(x), {2}, {C(1, 2), C(-3, -0.0f)});
  expect<float>(x.flip().imag() + 1, {2}, {1.0f, -1.0f});
  CHECK(real(array({std::complex<double>(1, 2)})).dtype() == f64);
  expect<float>(sqrt(real(x * conj(x))), {2}, {std::sqrt(5.0f), 3.0f});
}

namespace weft::testing {

void draw_complex(Drawing& drawing) {
  if (is_complex(drawing.dtype_of(drawing.x()))) drawing.add("conj", {drawing.x()}, {});
}

}  // namespace weft::testing
