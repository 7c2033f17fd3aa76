// SPDX-License-Identifier: Apache-2.0
// A framed, rolled and transposed picture by Eigen: a pad, a roll an axis, a shuffle.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> pad_eigen() {
  constexpr Index wide = 4096;
  using Picture = EigenTensor<float, 2>;
  return {by_eigen("W14", [a = Picture(wide, wide), b = Picture(wide, wide)](
                              const Inputs& in, std::byte* out) mutable {
    const Eigen::array<std::pair<Index, Index>, 2> frame{std::pair<Index, Index>{64, 64},
                                                         std::pair<Index, Index>{64, 64}};
    a.device(two_threads()) = eigen_in<float, 2>(in[0]).pad(frame, 1.5f);
    eigen_roll(b, a, 0, 1000, two_threads());
    eigen_roll(a, b, 1, -700, two_threads());
    eigen_out<float, 2>(out, {wide, wide}).device(two_threads()) = a.shuffle(Sizes<2>{1, 0});
  })};
}

}  // namespace weft::bench
