// SPDX-License-Identifier: Apache-2.0
// Windows by Eigen: a roll an axis, and a shuffle between reshapes.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {
namespace {

using Picture = EigenTensor<float, 4>;
const Sizes<4> picture{8, 56, 56, 96};
const Sizes<6> split{8, 8, 7, 8, 7, 96}, parted{8, 8, 8, 7, 7, 96}, order{0, 1, 3, 2, 4, 5};

}  // namespace

std::vector<Rival> window_partition_eigen() {
  return {
      by_eigen(
          "W8",
          [a = Picture(picture), b = Picture(picture)](const Inputs& in, std::byte* out) mutable {
            eigen_roll(a, eigen_in<float, 4>(in[0]), 1, -3, two_threads());
            eigen_roll(b, a, 2, -3, two_threads());
            eigen_out<float, 6>(out, parted).device(two_threads()) =
                b.reshape(split).shuffle(order);
          }),
      by_eigen(
          "W8i",
          [a = Picture(picture), b = Picture(picture)](const Inputs& in, std::byte* out) mutable {
            const EigenIn<float, 6> windows(in[0].data<float>(), parted);
            EigenOut<float, 6>(a.data(), split).device(two_threads()) = windows.shuffle(order);
            eigen_roll(b, a, 1, 3, two_threads());
            auto y = eigen_out<float, 4>(out, picture);
            eigen_roll(y, b, 2, 3, two_threads());
          }),
  };
}

}  // namespace weft::bench
