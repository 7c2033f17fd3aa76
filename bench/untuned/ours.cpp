// SPDX-License-Identifier: Apache-2.0
// What others were found to do faster before anybody had looked at it: crops that are mirrored,
// borders of a few elements, stacks, columns, the first axis, triangles, diagonals, short rolls.
#include "indexed/random_places.h"
#include "tasks.h"
#include "untuned/shapes.h"

namespace weft::bench {
namespace {

using namespace untuned;

/// Each place of a column once: 1021 and 4096 have no factor in common.
Tensor other_places() {
  std::vector<std::int64_t> places(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      places[static_cast<std::size_t>(i * n + j)] = (i * 1021 + j * 37) % n;
  return from_vector(std::move(places), {n, n});
}

template <class T>
Inputs several(std::int64_t count, const std::vector<std::int64_t>& shape) {
  Inputs inputs;
  for (std::int64_t k = 0; k < count; ++k) inputs.push_back(iota<T>(shape, static_cast<int>(k)));
  return inputs;
}

template <class T>
std::function<Inputs()> one(const std::vector<std::int64_t>& shape) {
  return [shape] { return Inputs{iota<T>(shape)}; };
}

/// Rows and columns of the pictures, from right to left, channels first.
Tensor mirrored_crop(Inputs& in) {
  return in[0]
      .slice({top, left}, {top + cut_height, left + cut_width}, {1, 1}, {1, 2})
      .flip(2)
      .transpose({0, 3, 1, 2});
}

}  // namespace

std::vector<Workload> untuned_workloads() {
  return {
      {"U.crop", "16 u8 pictures [480, 640, 3] cropped, mirrored, channels first",
       one<std::uint8_t>({pictures, height, width, channels}), mirrored_crop},
      {"U.reflect", "reflect pad by 3 of [8, 64, 112, 112]", one<float>({8, 64, side, side}),
       [](Inputs& in) {
         const Ints by{0, 0, border, border};
         return in[0].pad(by, by, "reflect");
       }},
      {"U.stack3", "three u8 planes [1080, 1920] stacked on the last axis",
       [] {
         return several<std::uint8_t>(3, {plane_height, plane_width});
       },
       [](Inputs& in) { return stack(in, -1); }},
      {"U.stack8", "eight f32 planes [1024, 1024] stacked on the last axis",
       [] {
         return several<float>(8, {field, field});
       },
       [](Inputs& in) { return stack(in, -1); }},
      {"U.columns", "4096 random columns taken of [4096, 4096]",
       [] {
         return Inputs{iota<float>({n, n}), random_places({n}, n)};
       },
       [](Inputs& in) { return in[0].take(in[1], 1); }},
      {"U.gather", "gather_elements of [4096, 4096] on axis 0, random",
       [] {
         return Inputs{iota<float>({n, n}), random_places({n, n}, n)};
       },
       [](Inputs& in) { return in[0].gather_elements(in[1], 0); }},
      {"U.scatter", "scatter_elements of [4096, 4096] on axis 0, each place once",
       [] {
         return Inputs{iota<float>({n, n}), other_places(), iota<float>({n, n}, 1 << 24)};
       },
       [](Inputs& in) { return in[0].scatter_elements(in[1], in[2], 0); }},
      {"U.where", "where of f64 [2048, 4096], a random mask",
       [] {
         return Inputs{iota<double>({triangle, n}), iota<double>({triangle, n}, 1 << 24),
                       random_mask(triangle, n)};
       },
       [](Inputs& in) { return where(in[2], in[0], in[1]); }},
      {"U.tril", "tril of [2048, 2048]", one<float>({triangle, triangle}),
       [](Inputs& in) { return in[0].tril(); }},
      {"U.triu", "triu of [2048, 2048]", one<float>({triangle, triangle}),
       [](Inputs& in) { return in[0].triu(); }},
      {"U.diagonal", "diagonals of [256, 256, 256]", one<float>({batch, batch, batch}),
       [](Inputs& in) { return in[0].diagonal(0, 1, 2); }},
      {"U.halves", "roll of 2^24, reshaped to two rows, transposed", one<float>({long_count}),
       [](Inputs& in) {
         return in[0].roll(long_shift, 0).reshape({2, long_count / 2}).transpose({1, 0});
       }},
      {"U.roll64", "roll of 64 KiB", one<float>({count_64k}),
       [](Inputs& in) { return in[0].roll(short_shift, 0); }},
      {"U.roll256", "roll of 256 KiB", one<float>({count_256k}),
       [](Inputs& in) { return in[0].roll(short_shift, 0); }},
  };
}

}  // namespace weft::bench
