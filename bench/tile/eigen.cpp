// SPDX-License-Identifier: Apache-2.0
// Tiles by Eigen's broadcast.
#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {
namespace {

template <int Rank>
Rival broadcast(const char* workload, const Sizes<Rank>& repeats) {
  return by_eigen(workload, [repeats](const Inputs& in, std::byte* out) {
    const auto x = eigen_in<float, Rank>(in[0]);
    Sizes<Rank> sizes;
    for (int k = 0; k < Rank; ++k) sizes[k] = x.dimension(k) * repeats[k];
    eigen_out<float, Rank>(out, sizes).device(two_threads()) = x.broadcast(repeats);
  });
}

}  // namespace

std::vector<Rival> tile_eigen() {
  return {broadcast<2>("W5", {4, 4}), broadcast<2>("W5b", {4096, 1}),
          broadcast<1>("W5c", {1 << 24})};
}

}  // namespace weft::bench
