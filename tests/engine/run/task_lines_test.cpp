// SPDX-License-Identifier: Apache-2.0
// Which lines of the output tasks write: one that two of them write goes from core to core.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/pass_steps.h>
#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

using namespace weft;

namespace {

struct Shared {
  std::int64_t tasks, lines;  ///< lines that several tasks write a part of
};

/// Runs the tasks of the one pass of `y`, whose sources have no byte that is 0, one by one.
Shared shared_lines(const Tensor& y) {
  const Plan plan = make_plan(y.node_ptr());
  REQUIRE(plan.passes.size() == 1);
  const PassSteps steps = make_pass_steps(plan.passes[0], {});
  std::vector<const std::byte*> sources;
  for (const PlanSource& source : plan.sources) sources.push_back(source.value.get());
  const std::shared_ptr<std::byte> out = allocate(y.bytes());
  std::vector<int> writers(static_cast<std::size_t>((y.bytes() + cache_line - 1) / cache_line));
  std::int64_t written = 0;
  for (std::int64_t t = 0; t < steps.tasks(); ++t) {
    std::fill_n(out.get(), y.bytes(), std::byte{0});
    for_each_step_of_task(steps, t, [&](const Step& step) { run(step, out.get(), sources); });
    for (std::size_t line = 0; line < writers.size(); ++line) {
      const std::byte* const begin = out.get() + static_cast<std::int64_t>(line) * cache_line;
      const std::byte* const end =
          std::min<const std::byte*>(begin + cache_line, out.get() + y.bytes());
      const auto bytes = std::count_if(begin, end, [](std::byte b) { return b != std::byte{0}; });
      writers[line] += bytes > 0;
      written += bytes;
    }
  }
  CHECK(written == y.bytes());
  return {steps.tasks(),
          std::count_if(writers.begin(), writers.end(), [](int n) { return n > 1; })};
}

template <class T>
Tensor full_of_ones(const Shape& shape) {
  return full(shape, static_cast<T>(-1)).eval();  // integers, so that no byte is 0
}

}  // namespace

TEST_CASE("tasks: lines that they share are those between them") {
  const auto check = [](const std::string& what, const Tensor& y) {
    CAPTURE(what);
    const Shared shared = shared_lines(y);
    CHECK(shared.tasks > 2);
    CHECK(shared.lines < shared.tasks);
  };
  check("ragged rows of a few lines", full_of_ones<std::int32_t>({110, 1600}).transpose());
  check("longer ones", full_of_ones<std::int32_t>({792, 341}).transpose());
  check("of shorts", full_of_ones<std::int16_t>({709, 602}).transpose());
  check("of three axes", full_of_ones<std::int64_t>({38, 4, 224}).transpose({1, 2, 0}));
  check("whole lines", full_of_ones<std::int32_t>({64, 2400}).transpose());
  check("a column before others", full_of_ones<std::int32_t>({256, 1316}).pad({0, 1}, {0, 5}, -1));
  check("rows that are rolled", full_of_ones<std::int16_t>({900, 600}).roll(-38, 1));
  check("rows of rows", full_of_ones<std::int32_t>({256, 29, 24}).roll(20, 1));
  check("borders of rows", full_of_ones<std::int64_t>({40, 29, 60}).pad({0, 2, 0}, {0, 8, 0}, -1));
  const Tensor x = full_of_ones<std::int64_t>({320, 12, 16});
  check("every second row", x.slice_scatter(x.slice({0}, {6}, {1}, {1}), {0}, {12}, {2}, {1}));
}

TEST_CASE("tasks: what is turned of several axes is cut where few lines are shared") {
  std::vector<std::byte> bytes(800'000, std::byte{0xff});
  const auto check = [&](DType type, const Shape& shape, const Ints& axes) {
    const Tensor x = borrow(bytes.data(), type, shape);
    CAPTURE(to_string(shape));
    const Shared shared = shared_lines(x.transpose(axes));
    CHECK(shared.tasks > 2);
    CHECK(shared.lines <= 12);
  };
  check(i64, {50, 251, 4}, {2, 1, 0});
  check(opaque(3), {30, 13, 23, 6, 2}, {2, 4, 3, 0, 1});
  check(opaque(3), {64, 28, 13, 8}, {2, 1, 0, 3});
}
