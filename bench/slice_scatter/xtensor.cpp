// SPDX-License-Identifier: Apache-2.0
// Slices replaced by xtensor: a copy, then a view of it assigned.
#include "tasks.h"
#include "xtensor_rival.h"

namespace weft::bench {

std::vector<Rival> slice_scatter_xtensor() {
  return {
      by_xtensor("W6",
                 [](const Inputs& in, std::byte* out) {
                   auto y = xtensor_over(reinterpret_cast<float*>(out), {4096, 4096});
                   xt::noalias(y) = xtensor_in<float>(in[0]);
                   xt::noalias(xt::view(y, xt::range(0, 4096, 2), xt::range(0, 4096, 2))) =
                       xtensor_in<float>(in[1]);
                 }),
      by_xtensor("W6b",
                 [](const Inputs& in, std::byte* out) {
                   auto y = xtensor_over(reinterpret_cast<float*>(out), {4096, 4096});
                   xt::noalias(y) = xt::flip(xt::flip(xtensor_in<float>(in[1]), 0), 1);
                 }),
      by_xtensor("W7",
                 [](const Inputs& in, std::byte* out) {
                   using T = std::uint16_t;
                   auto y = xtensor_over(reinterpret_cast<T*>(out), {8, 32, 4096, 128});
                   xt::noalias(y) = xtensor_in<T>(in[0]);
                   xt::noalias(xt::view(y, xt::all(), xt::all(), xt::range(777, 778), xt::all())) =
                       xtensor_in<T>(in[1]);
                 }),
  };
}

}  // namespace weft::bench
