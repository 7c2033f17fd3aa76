// SPDX-License-Identifier: Apache-2.0
// Eight transposed squares, one below another.
#include "tasks.h"

namespace weft::bench {

std::vector<Workload> concat_workloads() {
  return {{"W15", "concat of eight transposed [512, 512]",
           [] {
             Inputs in;
             for (std::int64_t k = 0; k < 8; ++k) in.push_back(iota<float>({512, 512}, k << 18));
             return in;
           },
           [](Inputs& in) {
             Tensors parts;
             for (const Tensor& x : in) parts.push_back(x.transpose());
             return concat(parts);
           }}};
}

}  // namespace weft::bench
