// 48 elements: what an evaluation costs beside moving bytes.
#include "tasks.h"

namespace weft::bench {
namespace {

Inputs inputs() { return {iota<float>({2, 3, 4}), iota<float>({4, 2, 3}, 100)}; }

Tensor four_ops(Inputs& in) {
  return in[0].roll(1, 2).transpose({2, 0, 1}).tile({2, 1, 1}).slice_scatter(in[1], {0}, {8}, {2},
                                                                             {0});
}

}  // namespace

std::vector<Workload> tiny_workloads() {
  return {
      {"W13", "four ops on [2, 3, 4], built, planned and evaluated", inputs, four_ops,
       Manner::returned},
      {"W13.p", "the same expression, built once, into a buffer again and again", inputs, four_ops,
       Manner::planned},
  };
}

}  // namespace weft::bench
