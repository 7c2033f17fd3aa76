// SPDX-License-Identifier: Apache-2.0
// The lower triangle by Eigen: a triangular view, which uses one thread.
#include <Eigen/Dense>

#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> triangle_eigen() {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return {by_eigen("G7", [](const Inputs& in, std::byte* out) {
    const Eigen::Map<const Rows> x(in[0].data<float>(), 4096, 4096);
    Eigen::Map<Rows>(reinterpret_cast<float*>(out), 4096, 4096) = x.triangularView<Eigen::Lower>();
  })};
}

}  // namespace weft::bench
