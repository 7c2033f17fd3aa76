// SPDX-License-Identifier: Apache-2.0
// Uses weft as another project would: through its public headers only.
#include <weft/eigen.h>
#include <weft/elementwise_op.h>
#include <weft/io/program_json.h>
#include <weft/op.h>
#include <weft/testing/check.h>

int main() {
  const weft::Tensor x = weft::array({1, 2, 3}).roll({1}, {0});
  const weft::Program turn({weft::placeholder(weft::i32, {3})},
                           [](const weft::Tensor& y) { return y.flip(); });
  const weft::Tensor back = weft::program_from_json(weft::to_json(turn))(x)[0];
  const auto flip = [](const weft::Tensor& y) { return y.flip(); };
  if (!weft::testing::check_op(flip, {2, 3}).empty()) return 1;
  return x.as<int, 1>()(0) == 3 && back.as<int, 1>()(2) == 3 ? 0 : 1;
}
