// SPDX-License-Identifier: Apache-2.0
// A batch of pictures to what a network takes: cropped, mirrored, normalised and channels first, in
// one pass and op by op.
//
//   image_batch [PICTURES HEIGHT WIDTH [RUNS]]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include <weft/weft.h>

using weft::Tensor;

namespace {

/// From [n, height, width, 3] of bytes to [n, 3, 7/8 height, 7/8 width]; `step` is told each op.
template <class Step>
Tensor normalised(const Tensor& batch, weft::DType type, const Step& step) {
  const Tensor mean = weft::array({0.485f, 0.456f, 0.406f});
  const Tensor deviation = weft::array({0.229f, 0.224f, 0.225f});
  const std::int64_t height = batch.shape()[1] * 7 / 8, width = batch.shape()[2] * 7 / 8;
  const Tensor mirrored = step(step(batch.center_crop({height, width}, {1, 2})).flip(2));
  const Tensor scaled = step(step(mirrored.astype(weft::f32)) / 255);
  const Tensor even = step(step(scaled - mean) / deviation);
  return step(even.astype(type)).transpose({0, 3, 1, 2});
}

Tensor fused(const Tensor& batch, weft::DType type) {
  return normalised(batch, type, [](const Tensor& x) { return x; });
}

Tensor op_by_op(const Tensor& batch, weft::DType type) {
  return normalised(batch, type, [](const Tensor& x) { return x.eval(); });
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Prints both times; false where the bits differ.
bool compare(const Tensor& batch, weft::DType type, int runs) {
  using Bytes = std::vector<std::byte>;
  Bytes one(fused(batch, type).bytes()), many(one.size());  // used again by each run
  std::vector<double> one_times, many_times;
  const auto timed = [&](auto* make, Bytes& out, std::vector<double>& times) {
    const auto start = std::chrono::steady_clock::now();
    weft::eval_into(make(batch, type), out.data(), static_cast<std::int64_t>(out.size()));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count());
  };
  for (int run = 0; run < runs; ++run) {
    timed(fused, one, one_times);
    timed(op_by_op, many, many_times);
  }
  fmt::print("{:<4}  fused {:9.3f} ms (at first {:9.3f} ms), op by op {:9.3f} ms, {}\n",
             type.name(), median(one_times), one_times.front(), median(many_times),
             one == many ? "the same bits" : "THE BITS DIFFER");
  return one == many;
}

}  // namespace

int main(int count, char** arguments) {
  std::array<int, 4> numbers{4, 256, 256, 5};  // pictures, height, width, runs
  for (int i = 1; i < count; ++i) {
    const std::string_view text = arguments[i];
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    if (i > std::ssize(numbers) || !is_whole || number < 1) {
      fmt::print(stderr, "image_batch [PICTURES HEIGHT WIDTH [RUNS]], each at least 1\n");
      return 2;
    }
    numbers[static_cast<std::size_t>(i - 1)] = number;
  }
  const auto [pictures, height, width, runs] = numbers;
  const Tensor batch = weft::iota<std::uint8_t>({pictures, height, width, 3}).eval();
  fmt::print("{}", weft::explain(fused(batch, weft::f32)));
  const bool same = compare(batch, weft::f32, runs);
  return compare(batch, weft::bf16, runs) && same ? 0 : 1;
}
