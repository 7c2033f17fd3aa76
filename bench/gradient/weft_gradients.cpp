// SPDX-License-Identifier: Apache-2.0
// weft_gradients [THREADS [ROUNDS]]: kept backward passes into the caller's memory, beside a copy
// of as many bytes as they read and write, and beside a plain loop of one thread where there is
// one, in turn in one process. Medians, and the middle half of the ratios. docs/gradients.md has
// the table.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include <weft/weft.h>

#include "measure.h"

namespace weft::bench {
namespace {

struct Options {
  int threads = 2, rounds = 21;
};

Tensor stored_ones(const Shape& shape) { return ones(shape).stored().eval(); }

/// `backward` beside a copy of half the bytes that it reads and writes, and `loop`, if any.
void report(std::string_view name, const Tensor& backward, std::int64_t bytes, const Options& asked,
            const std::function<void(float*)>& loop = {}) {
  EvalOptions options;
  options.threads = asked.threads;
  const Tensor from = stored_ones({bytes / 8});
  std::vector<float> to(static_cast<std::size_t>(from.size())),
      out(static_cast<std::size_t>(backward.size()));
  const Tensor copy = from.reshape(-1);
  std::vector<double> ours, copies, loops, ratios;
  for (int round = 0; round < asked.rounds; ++round) {
    ours.push_back(seconds_of([&] { eval_into(backward, out.data(), backward.bytes(), options); }));
    copies.push_back(seconds_of([&] { eval_into(copy, to.data(), copy.bytes(), options); }));
    if (loop) loops.push_back(seconds_of([&] { loop(out.data()); }));
    ratios.push_back(ours.back() / copies.back());
  }
  fmt::print("{:28} {:8.3f} ms, {:5.2f} copies [{:.2f}, {:.2f}]", name, 1e3 * quantile(ours, 0.5),
             quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75));
  if (loop)
    fmt::print(", a loop {:.3f} ms: {:.2f}", 1e3 * quantile(loops, 0.5),
               quantile(ours, 0.5) / quantile(loops, 0.5));
  fmt::print("\n");
}

void windows_of_swin(bool is_shifted, const Options& asked) {
  const Tensor x = stored_ones({8, 56, 56, 96});
  const Tensor shifted = is_shifted ? x.roll({-3, -3}, {1, 2}) : x;
  const Tensor y = shifted.reshape({8, 8, 7, 8, 7, 96}).transpose({0, 1, 3, 2, 4, 5});
  report(is_shifted ? "Swin's windows, shifted" : "Swin's windows",
         vjp(y, x, stored_ones(y.shape())), 2 * x.bytes(), asked);
}

void unfolded(std::int64_t padded, const Options& asked) {
  const Tensor x = stored_ones({32, 64, 56, 56});
  const Tensor wide = x.pad({0, 0, padded, padded}, {0, 0, padded, padded});
  const Tensor y = wide.unfold(2, 3).unfold(3, 3).rearrange("n c h w i j -> n (c i j) (h w)");
  report(padded > 0 ? "unfold 3 x 3, padded" : "unfold 3 x 3", vjp(y, x, stored_ones(y.shape())),
         x.bytes() + y.bytes(), asked);
}

void added_rows(std::int64_t rows, std::int64_t columns, const Options& asked) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(rows));
  std::uint32_t state = 1;
  for (std::int64_t& place : places) {
    state = state * 1664525u + 1013904223u;
    place = (state >> 8) % rows;
  }
  const Tensor data = stored_ones({rows, columns}), updates = stored_ones({rows, columns});
  const float *const first = data.data<float>(), *const added = updates.data<float>();
  const auto loop = [&places, first, added, rows, columns](float* out) {
    std::memcpy(out, first, static_cast<std::size_t>(rows * columns) * sizeof(float));
    for (std::size_t k = 0; k < places.size(); ++k) {
      float* __restrict row = out + places[k] * columns;
      const float* __restrict from = added + static_cast<std::int64_t>(k) * columns;
      for (std::int64_t j = 0; j < columns; ++j) row[j] += from[j];
    }
  };
  report(fmt::format("{} rows of {} added", rows, columns),
         data.index_put(from_vector(places), updates, 0, "add"), 3 * data.bytes(), asked, loop);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;
  Options asked;
  if (argc > 1) asked.threads = std::atoi(argv[1]);
  if (argc > 2) asked.rounds = std::atoi(argv[2]);
  for (const bool is_shifted : {false, true}) windows_of_swin(is_shifted, asked);
  for (const std::int64_t padded : {1, 0}) unfolded(padded, asked);
  added_rows(65536, 256, asked);
  added_rows(1 << 20, 1, asked);
}
