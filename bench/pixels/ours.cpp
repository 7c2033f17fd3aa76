// SPDX-License-Identifier: Apache-2.0
// G8 and G9: what moves a few bytes at a time, alike for every pixel.
#include "tasks.h"

namespace weft::bench {
namespace {

Inputs picture() { return {iota<std::uint8_t>({2160, 3840, 3})}; }

}  // namespace

std::vector<Workload> pixels_workloads() {
  return {
      {"G8", "u8 [2160, 3840, 3], channels reversed", picture,
       [](Inputs& in) { return in[0].flip(2); }},
      {"G8.rows", "the same picture mirrored", picture, [](Inputs& in) { return in[0].flip(1); }},
      {"G9", "repeat of [4096, 4096], each element twice",
       [] {
         return Inputs{iota<float>({4096, 4096})};
       },
       [](Inputs& in) { return in[0].repeat(2, 1); }}};
}

}  // namespace weft::bench
