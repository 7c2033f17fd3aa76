// SPDX-License-Identifier: Apache-2.0
// A cache of keys: a program writes the step's keys in place, wherever its inputs say.
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include <weft/eigen.h>

using Eigen::half;
using weft::Program;
using weft::Tensor;

namespace {

constexpr std::int64_t batch = 8, heads = 32, capacity = 4096, width = 128;

/// [batch, heads, capacity, width] with the keys of one step from `start` to `stop`, which become
/// known when it runs.
Program writer() {
  return {{weft::placeholder(weft::f16, {batch, heads, capacity, width}, "cache"),
           weft::placeholder(weft::f16, {batch, heads, 1, width}, "keys"),
           weft::placeholder(weft::i64, {1}, "start"), weft::placeholder(weft::i64, {1}, "stop")},
          [](const Tensor& cache, const Tensor& keys, const Tensor& start, const Tensor& stop) {
            return cache.slice_scatter(keys, start, stop, {1}, {2});
          }};
}

/// The keys of one step: here all of them are t.
Tensor keys_of(std::int64_t t) {
  return weft::full<half>({batch, heads, 1, width}, half(static_cast<float>(t)));
}

}  // namespace

int main() {
  const Program write = writer();
  fmt::print("{}\n", weft::to_string(write));

  // The cache is moved in and comes back: its 256 MiB stay where they are.
  Tensor cache = weft::full<half>({batch, heads, capacity, width}, half(-1)).eval();
  const half* const memory = cache.data<half>();
  const auto is_there = [&] { return cache.data<half>() == memory ? "yes" : "no"; };
  for (std::int64_t t = 0; t < 5; ++t)
    cache = write(std::move(cache), keys_of(t), weft::array({t}), weft::array({t + 1}))[0];
  fmt::print("five steps, written in place: {}\n", is_there());

  // What attention reads: a window of the steps; here the first feature of one head.
  const Tensor window = cache.slice({2}, {6}, {1}, {2});
  fmt::print("steps 2 to 5 of one head: {}\n",
             window.slice({7, 31, 0, 0}, {8, 32, 4, 1}).reshape({-1}));

  // Whoever else holds the cache keeps what it saw. To write in place may be asked for.
  const Tensor held = cache;
  const weft::EvalOptions in_place{.in_place = true};
  try {
    cache = write(in_place, std::move(cache), keys_of(5), weft::array<std::int64_t>({5}),
                  weft::array<std::int64_t>({6}))[0];
  } catch (const weft::InPlaceError& error) {
    fmt::print("{}\n", error.what());
  }
  cache =
      write(held, keys_of(5), weft::array<std::int64_t>({5}), weft::array<std::int64_t>({6}))[0];
  fmt::print("held elsewhere, written in place: {}; step 5 is {} here and {} there\n", is_there(),
             float(cache.slice({7, 31, 5, 0}, {8, 32, 6, 1}).item<half>()),
             float(held.slice({7, 31, 5, 0}, {8, 32, 6, 1}).item<half>()));
}
