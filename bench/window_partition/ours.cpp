// SPDX-License-Identifier: Apache-2.0
// Swin's windows of 7 x 7, rolled by 3, and back.
#include "tasks.h"

namespace weft::bench {
namespace {

/// For any batch size.
Tensor partition(const Tensor& x) {
  return x.roll({-3, -3}, {1, 2})
      .reshape({-1, 8, 7, 8, 7, 96})
      .transpose({0, 1, 3, 2, 4, 5})
      .reshape({-1, 49, 96});
}

/// The same, its axes named.
Tensor named_partition(const Tensor& x) {
  return x.roll({-3, -3}, {1, 2})
      .rearrange("b (h p) (w q) c -> (b h w) (p q) c", {{"p", 7}, {"q", 7}});
}

/// Evaluates the spelled-out form into memory that is used again.
std::function<void()> spelled_out(const Inputs& in) {
  const std::shared_ptr<std::byte> out = allocate(in[0].bytes());
  return [x = in[0], out] { eval_into(partition(x), out.get(), x.bytes()); };
}

}  // namespace

Program window_partition_program() {
  return {{placeholder(f32, {"batch", 56, 56, 96})}, partition};
}

std::vector<Workload> window_partition_workloads() {
  return {
      {"W8", "Swin window partition of [8, 56, 56, 96], rolled",
       [] {
         return Inputs{iota<float>({8, 56, 56, 96})};
       },
       [](Inputs& in) { return partition(in[0]); }},
      {"W8.einops", "the same by rearrange; over the same spelled out",
       [] {
         return Inputs{iota<float>({8, 56, 56, 96})};
       },
       [](Inputs& in) { return named_partition(in[0]); }, Manner::into, spelled_out},
      {"W8i", "and back",
       [] {
         return Inputs{iota<float>({512, 49, 96})};
       },
       [](Inputs& in) {
         return in[0]
             .reshape({8, 8, 8, 7, 7, 96})
             .transpose({0, 1, 3, 2, 4, 5})
             .reshape({8, 56, 56, 96})
             .roll({3, 3}, {1, 2});
       }},
  };
}

}  // namespace weft::bench
