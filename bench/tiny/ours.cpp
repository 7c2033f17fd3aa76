// SPDX-License-Identifier: Apache-2.0
// 48 elements: what an evaluation costs beside moving bytes.
#include <cstring>

#include "tasks.h"

namespace weft::bench {
namespace {

Inputs inputs() { return {iota<float>({2, 3, 4}), iota<float>({4, 2, 3}, 100)}; }

Tensor four_ops(Inputs& in) {
  return in[0].roll(1, 2).transpose({2, 0, 1}).tile({2, 1, 1}).slice_scatter(in[1], {0}, {8}, {2},
                                                                             {0});
}

std::function<void()> by_program(Inputs& in, std::byte* out) {
  return [&in, out, program = tiny_program(), shift = array<std::int64_t>({1})] {
    const Tensor y = program(in[0], in[1], shift)[0];
    std::memcpy(out, y.node().value().get(), static_cast<std::size_t>(y.bytes()));
  };
}

}  // namespace

Program tiny_program() {
  return {{placeholder(f32, {2, 3, 4}), placeholder(f32, {4, 2, 3}), placeholder(i64, {1})},
          [](const Tensor& x, const Tensor& updates, const Tensor& shift) {
            return x.roll(shift, 2).transpose({2, 0, 1}).tile({2, 1, 1}).slice_scatter(
                updates, {0}, {8}, {2}, {0});
          }};
}

std::vector<Workload> tiny_workloads() {
  return {
      {"W13", "four ops on [2, 3, 4], built, planned and evaluated", inputs, four_ops,
       Manner::returned},
      {"W13.p", "the same expression, built once, into a buffer again and again", inputs, four_ops,
       Manner::planned},
      {"W13.run", "the same by a program whose plan is there, to a tensor", inputs, four_ops,
       Manner::into, nullptr, by_program},
  };
}

}  // namespace weft::bench
