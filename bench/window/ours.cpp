// SPDX-License-Identifier: Apache-2.0
// A window of a picture that nobody could store: 10^6 x 10^6, tiled, rolled and transposed; built,
// planned and evaluated at another random place each time.
#include <memory>
#include <random>

#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t small = 1000, wide = small * small, side = 100;
constexpr std::int64_t down = 123457, right = -7654321;

struct Place {
  std::int64_t row, column;
};

/// A hundred of them; the first is the one that is compared with the reference.
std::vector<Place> places() {
  std::mt19937_64 engine(1);
  std::vector<Place> list(100);
  const auto draw = [&] { return static_cast<std::int64_t>(engine() % (wide - side + 1)); };
  for (Place& place : list) place = {draw(), draw()};
  return list;
}

Tensor window_at(const Tensor& x, const Place& at) {
  return x.tile({small, small})
      .roll({down, right}, {0, 1})
      .transpose()
      .slice({at.row, at.column}, {at.row + side, at.column + side});
}

std::function<void()> windows(Inputs& in, std::byte* out) {
  return [&in, out, list = places(), k = std::size_t{0}]() mutable {
    eval_into(window_at(in[0], list[k]), out, side * side * 4);
    k = (k + 1) % list.size();
  };
}

/// A row of the window is a column of the picture, which goes round.
std::function<void()> windows_by_hand(const Inputs& in) {
  const std::shared_ptr<std::byte> out = allocate(side * side * 4);
  return [x = in[0], out, list = places(), k = std::size_t{0}]() mutable {
    const float* const from = x.data<float>();
    float* to = reinterpret_cast<float*>(out.get());
    const auto wrapped = [](std::int64_t i) { return (i % small + small) % small; };
    const std::int64_t column = wrapped(list[k].row - right), row = wrapped(list[k].column - down);
    for (std::int64_t i = 0; i < side; ++i)
      for (std::int64_t j = 0; j < side; ++j)
        *to++ = from[(row + j) % small * small + (column + i) % small];
    k = (k + 1) % list.size();
  };
}

}  // namespace

std::vector<Workload> window_workloads() {
  return {{"window", "[100, 100] at random places of [10^6, 10^6], tiled, rolled, transposed",
           [] {
             return Inputs{iota<float>({small, small})};
           },
           [](Inputs& in) { return window_at(in[0], places()[0]); }, Manner::into, windows_by_hand,
           windows}};
}

}  // namespace weft::bench
