// SPDX-License-Identifier: Apache-2.0
// Chains: six different ops, and up to 66 rolls and transposes.
#include <fmt/format.h>

#include "tasks.h"

namespace weft::bench {
namespace {

/// N ops on [512, 512, 16]: rolls at even steps, transposes at odd ones.
Workload chain(int ops) {
  return {fmt::format("W10.{}", ops), fmt::format("[512, 512, 16], {} rolls and transposes", ops),
          [] {
            return Inputs{iota<float>({512, 512, 16})};
          },
          [ops](Inputs& in) {
            Tensor y = in[0];
            for (int i = 0; i < ops; ++i)
              y = i % 2 == 0 ? y.roll({3 + i, -5}, {0, 1}) : y.transpose({1, 0, 2});
            return y;
          }};
}

}  // namespace

std::vector<Workload> chain_workloads() {
  std::vector<Workload> list{
      {"W9", "six ops on [64, 256, 1024]",
       [] {
         return Inputs{iota<float>({64, 256, 1024}), iota<float>({64, 256, 1024}, 1 << 23)};
       },
       [](Inputs& in) {
         return in[0]
             .transpose({2, 0, 1})
             .roll(5, 0)
             .tile({1, 2, 1})
             .roll(-3, 1)
             .transpose({1, 2, 0})
             .slice_scatter(in[1], {0}, {128}, {2}, {0});
       }}};
  for (const int ops : {1, 4, 8, 16, 32, 64, 2, 6, 66}) list.push_back(chain(ops));
  return list;
}

}  // namespace weft::bench
