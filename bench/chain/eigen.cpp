// SPDX-License-Identifier: Apache-2.0
// Chains by Eigen, an op after the other.
#include <fmt/format.h>

#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {
namespace {

using Cube = EigenTensor<float, 3>;

Rival rolls_and_shuffles(int ops) {
  constexpr Index n = 512, channels = 16;
  return by_eigen(fmt::format("W10.{}", ops).c_str(),
                  [ops, a = Cube(n, n, channels), b = Cube(n, n, channels)](
                      const Inputs& in, std::byte* out) mutable {
                    const Sizes<3> sizes{n, n, channels};
                    const float* from = in[0].data<float>();
                    // Each op writes where the last result is not; the last one writes the output.
                    const auto other = [&] { return from == a.data() ? b.data() : a.data(); };
                    for (int i = 0; i < ops; ++i) {
                      float* to = i + 1 == ops ? reinterpret_cast<float*>(out) : other();
                      if (i % 2 == 0) {
                        EigenOut<float, 3> half(other(), sizes);
                        eigen_roll(half, EigenIn<float, 3>(from, sizes), 0, 3 + i, two_threads());
                        from = half.data();
                        if (i + 1 < ops) to = other();
                        EigenOut<float, 3> whole(to, sizes);
                        eigen_roll(whole, half, 1, -5, two_threads());
                      } else {
                        EigenOut<float, 3>(to, sizes).device(two_threads()) =
                            EigenIn<float, 3>(from, sizes).shuffle(Sizes<3>{1, 0, 2});
                      }
                      from = to;
                    }
                  });
}

Rival six_ops() {
  return by_eigen("W9", [a = Cube(1024, 64, 256), b = Cube(1024, 64, 256), c = Cube(1024, 128, 256),
                         d = Cube(1024, 128, 256)](const Inputs& in, std::byte* out) mutable {
    const auto& device = two_threads();
    a.device(device) = eigen_in<float, 3>(in[0]).shuffle(Sizes<3>{2, 0, 1});
    eigen_roll(b, a, 0, 5, device);
    c.device(device) = b.broadcast(Sizes<3>{1, 2, 1});
    eigen_roll(d, c, 1, -3, device);
    auto y = eigen_out<float, 3>(out, {128, 256, 1024});
    y.device(device) = d.shuffle(Sizes<3>{1, 2, 0});
    y.stridedSlice(Sizes<3>{0, 0, 0}, Sizes<3>{128, 256, 1024}, Sizes<3>{2, 1, 1}).device(device) =
        eigen_in<float, 3>(in[1]);
  });
}

}  // namespace

std::vector<Rival> chain_eigen() {
  std::vector<Rival> list{six_ops()};
  for (const int ops : {1, 4, 8, 16, 32, 64, 2, 6, 66}) list.push_back(rolls_and_shuffles(ops));
  return list;
}

}  // namespace weft::bench
