// SPDX-License-Identifier: Apache-2.0
// 48 elements by Eigen, sizes known to the compiler: no pool, which would only cost.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {
namespace {

template <Index... sizes>
using Fixed = Eigen::TensorFixedSize<float, Eigen::Sizes<sizes...>, Eigen::RowMajor, Index>;

void four_ops(const Inputs& in, std::byte* out) {
  const Eigen::DefaultDevice device;
  Fixed<2, 3, 4> rolled;
  eigen_roll(rolled, eigen_in<float, 3>(in[0]), 2, 1, device);
  Eigen::TensorMap<Fixed<8, 2, 3>> y(reinterpret_cast<float*>(out), Eigen::Sizes<8, 2, 3>());
  y = rolled.shuffle(Sizes<3>{2, 0, 1}).broadcast(Sizes<3>{2, 1, 1});
  y.stridedSlice(Sizes<3>{0, 0, 0}, Sizes<3>{8, 2, 3}, Sizes<3>{2, 1, 1}) =
      eigen_in<float, 3>(in[1]);
}

}  // namespace

std::vector<Rival> tiny_eigen() { return {by_eigen("W13", four_ops), by_eigen("W13.p", four_ops)}; }

}  // namespace weft::bench
