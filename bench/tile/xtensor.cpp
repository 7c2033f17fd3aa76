// SPDX-License-Identifier: Apache-2.0
// Tiles by xtensor.
#include "tasks.h"
#include "xtensor_rival.h"

namespace weft::bench {
namespace {

/// [2, 3] by [5, 6] is [1, 2, 1, 3] broadcast to [5, 2, 6, 3]. (xt::tile of 0.24 ends in
/// std::bad_array_new_length.)
Rival tile_by(const char* workload, const XShape& repeats) {
  return by_xtensor(workload, [repeats](const Inputs& in, std::byte* out) {
    XShape from, to;
    for (std::size_t k = 0; k < repeats.size(); ++k) {
      const auto extent = static_cast<std::size_t>(in[0].shape()[k]);
      from.insert(from.end(), {1, extent});
      to.insert(to.end(), {repeats[k], extent});
    }
    auto y = xtensor_over(reinterpret_cast<float*>(out), to);
    xt::noalias(y) = xt::broadcast(xtensor_over(in[0].data<float>(), from), to);
  });
}

}  // namespace

std::vector<Rival> tile_xtensor() {
  return {tile_by("W5", {4, 4}), tile_by("W5b", {4096, 1}), tile_by("W5c", {1 << 24})};
}

}  // namespace weft::bench
