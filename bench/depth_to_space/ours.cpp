// SPDX-License-Identifier: Apache-2.0
// Depth to space: blocks of 4 x 4 channels become pixels.
#include "tasks.h"

namespace weft::bench {
namespace {

Inputs inputs() { return {iota<float>({8, 256, 64, 64})}; }

Tensor to_space(const Tensor& x) {
  return x.reshape({8, 16, 4, 4, 64, 64}).transpose({0, 1, 4, 2, 5, 3}).reshape({8, 16, 256, 256});
}

/// The same, its axes named.
Tensor named_to_space(const Tensor& x) {
  return x.rearrange("b (c p q) h w -> b c (h p) (w q)", {{"p", 4}, {"q", 4}});
}

/// Evaluates the spelled-out form into memory that is used again.
std::function<void()> spelled_out(const Inputs& in) {
  const std::shared_ptr<std::byte> out = allocate(in[0].bytes());
  return [x = in[0], out] { eval_into(to_space(x), out.get(), x.bytes()); };
}

}  // namespace

std::vector<Workload> depth_to_space_workloads() {
  return {{"W12", "depth to space by 4 of [8, 256, 64, 64]", inputs,
           [](Inputs& in) { return to_space(in[0]); }},
          {"W12.einops", "the same by rearrange; over the same spelled out", inputs,
           [](Inputs& in) { return named_to_space(in[0]); }, Manner::into, spelled_out}};
}

}  // namespace weft::bench
