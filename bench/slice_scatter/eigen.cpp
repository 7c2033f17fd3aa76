// SPDX-License-Identifier: Apache-2.0
// Slices replaced by Eigen: a copy, then a strided slice of it assigned; or a reverse.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> slice_scatter_eigen() {
  constexpr Index n = 4096;
  using At2 = Sizes<2>;
  using At3 = Sizes<3>;
  return {
      by_eigen("W6",
               [](const Inputs& in, std::byte* out) {
                 auto y = eigen_out<float, 2>(out, {n, n});
                 y.device(two_threads()) = eigen_in<float, 2>(in[0]);
                 y.stridedSlice(At2{0, 0}, At2{n, n}, At2{2, 2}).device(two_threads()) =
                     eigen_in<float, 2>(in[1]);
               }),
      by_eigen("W6b",
               [](const Inputs& in, std::byte* out) {
                 eigen_out<float, 2>(out, {n, n}).device(two_threads()) =
                     eigen_in<float, 2>(in[1]).reverse(Eigen::array<bool, 2>{true, true});
               }),
      by_eigen("W7",
               [](const Inputs& in, std::byte* out) {
                 using T = std::uint16_t;
                 auto y = eigen_out<T, 3>(out, {256, 4096, 128});
                 y.device(two_threads()) = EigenIn<T, 3>(in[0].data<T>(), 256, 4096, 128);
                 y.slice(At3{0, 777, 0}, At3{256, 1, 128}).device(two_threads()) =
                     EigenIn<T, 3>(in[1].data<T>(), 256, 1, 128);
               }),
  };
}

}  // namespace weft::bench
