// SPDX-License-Identifier: Apache-2.0
// Slices replaced: every second element, all of them backwards, one step of a cache.
#include <cstring>

#include "tasks.h"

namespace weft::bench {
namespace {

Inputs square(std::int64_t updates) {
  return {iota<float>({4096, 4096}), iota<float>({updates, updates}, 1 << 24)};
}

Tensor cache_step() { return iota<std::uint16_t>({8, 32, 1, 128}, 7); }

/// What replacing the step costs by hand: 256 runs of 256 bytes.
std::function<void()> step_by_hand(const Inputs& in) {
  const Tensor cache = full<std::uint16_t>({8, 32, 4096, 128}, 3).eval();
  const std::shared_ptr<std::byte> own = allocate(cache.bytes());
  std::memcpy(own.get(), cache.node().value().get(), static_cast<std::size_t>(cache.bytes()));
  return [own, step = in[1]] {
    const std::byte* from = step.node().value().get();
    for (std::size_t head = 0; head < 256; ++head)
      std::memcpy(own.get() + (head * 4096 + 777) * 256, from + head * 256, 256);
  };
}

/// Through a program that is told where the step goes.
std::function<void()> step_by_program(Inputs& in, std::byte*) {
  const Program program(
      {placeholder(u16, {8, 32, "capacity", 128}), placeholder(u16, {8, 32, 1, 128}),
       placeholder(i64, {1}), placeholder(i64, {1})},
      [](const Tensor& cache, const Tensor& step, const Tensor& start, const Tensor& stop) {
        return cache.slice_scatter(step, start, stop, {1}, {2});
      });
  return [&in, program, start = array<std::int64_t>({777}), stop = array<std::int64_t>({778})] {
    in[0] = program(std::move(in[0]), in[1], start, stop)[0];
  };
}

Inputs own_cache() { return {full<std::uint16_t>({8, 32, 4096, 128}, 3), cache_step()}; }

Tensor replace_step(Inputs& in) {
  return std::move(in[0]).slice_scatter(in[1], {777}, {778}, {1}, {2});
}

}  // namespace

std::vector<Workload> slice_scatter_workloads() {
  return {
      {"W6", "slice_scatter [4096, 4096], every second of both axes", [] { return square(2048); },
       [](Inputs& in) {
         return in[0].slice_scatter(in[1], {0, 0}, {4096, 4096}, {2, 2});
       }},
      {"W6b", "slice_scatter [4096, 4096], whole, both axes backwards", [] { return square(4096); },
       [](Inputs& in) {
         return in[0].slice_scatter(in[1], {-1, -1}, {-4097, -4097}, {-1, -1});
       }},
      {"W7", "KV cache: one step of [8, 32, 4096, 128] of 2 bytes replaced",
       [] {
         return Inputs{iota<std::uint16_t>({8, 32, 4096, 128}), cache_step()};
       },
       [](Inputs& in) { return in[0].slice_scatter(in[1], {777}, {778}, {1}, {2}); }},
      // A value of the library's own: borrowed memory is never written.
      {"W7.in", "the same, the cache given up; over memcpy by hand of the step alone", own_cache,
       replace_step, Manner::handed_on, step_by_hand},
      {"W7.in.p", "the same by a program whose plan is there", own_cache, replace_step,
       Manner::handed_on, step_by_hand, step_by_program},
  };
}

}  // namespace weft::bench
