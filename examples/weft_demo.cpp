// SPDX-License-Identifier: Apache-2.0
// Makes a mosaic of a photograph, shows its plan and times it: weft_demo PICTURE.png [OUT_DIR].
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <weft/weft.h>

#include "png.h"

using weft::Tensor;

namespace {

// Where a slice with a negative step ends that takes the first element, too.
constexpr std::int64_t before_first = std::numeric_limits<std::int64_t>::min();

/// The steps from the photograph to the mosaic, as [3, height, width] but for the last.
struct Mosaic {
  Tensor tinted, row, mosaic, picture;
};

/// Three cats side by side in different tints, the middle one mirrored, over their reflection.
/// `step` is called with the result of each op.
template <class Step>
Mosaic make_mosaic(const Tensor& photo, Step&& step) {
  const std::int64_t height = photo.shape()[0], width = photo.shape()[1];
  const Tensor planes = step(photo.transpose({2, 0, 1}));
  const Tensor tinted = step(planes.roll(1, 0));
  const Tensor tinted_twice = step(planes.roll(2, 0));

  Tensor row = step(planes.tile({1, 1, 3}));
  row = step(row.slice_scatter(tinted, {2 * width - 1}, {width - 1}, {-1}, {2}));
  row = step(row.slice_scatter(tinted_twice, {2 * width}, {3 * width}, {1}, {2}));

  Tensor mosaic = step(row.tile({1, 2, 1}));
  // Upside down, and red and blue change places.
  mosaic = step(
      mosaic.slice_scatter(row, {2, 2 * height - 1}, {before_first, height - 1}, {-1, -1}, {0, 1}));
  return {tinted, row, mosaic, step(mosaic.transpose({1, 2, 0}))};
}

Tensor fused(const Tensor& photo) {
  return make_mosaic(photo, [](const Tensor& x) { return x; }).picture.eval();
}

Tensor op_by_op(const Tensor& photo) {
  return make_mosaic(photo, [](const Tensor& x) { return x.eval(); }).picture;
}

template <class Run>
double milliseconds(Run&& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Prints both times; false where the results differ.
bool compare(const Tensor& photo) {
  const Tensor once = fused(photo), stepwise = op_by_op(photo);
  const bool is_same = std::ranges::equal(once.span<std::uint8_t>(), stepwise.span<std::uint8_t>());

  constexpr int runs = 21;
  std::vector<double> fused_times, stepwise_times;
  for (int run = 0; run < runs; ++run) {
    fused_times.push_back(milliseconds([&] { fused(photo); }));
    stepwise_times.push_back(milliseconds([&] { op_by_op(photo); }));
  }
  const double fused_time = median(fused_times), stepwise_time = median(stepwise_times);
  fmt::print(
      "fused     {:7.2f} ms\nop by op  {:7.2f} ms, {:.1f} times as long (medians of {} runs)\n",
      fused_time, stepwise_time, stepwise_time / fused_time, runs);
  fmt::print("{}\n", is_same ? "both give the same bytes" : "THE BYTES DIFFER");
  return is_same;
}

bool run(const std::string& input, const std::filesystem::path& out) {
  const Tensor photo = read_png(input);
  const Mosaic steps = make_mosaic(photo, [](const Tensor& x) { return x; });
  fmt::print("The expression; nothing has moved yet:\n{}\n", weft::graph_text(steps.picture));
  fmt::print("The plan:\n{}\n", weft::explain(steps.picture));

  std::filesystem::create_directories(out);
  const auto write = [&](const char* name, const Tensor& picture) {
    const std::string path = (out / name).string();
    write_png(path, picture);
    fmt::print("{}  {} x {}\n", path, picture.shape()[1], picture.shape()[0]);
  };
  write("1_photo.png", photo);
  write("2_rolled.png", steps.tinted.transpose({1, 2, 0}));
  write("3_row.png", steps.row.transpose({1, 2, 0}));
  write("4_mosaic.png", steps.picture);
  fmt::print("\n");
  return compare(photo);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 3) {
    fmt::print(stderr, "usage: weft_demo PICTURE.png [OUT_DIR]\n");
    return 1;
  }
  try {
    return run(arguments[1], count == 3 ? arguments[2] : ".") ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "weft_demo: {}\n", error.what());
    return 1;
  }
}
