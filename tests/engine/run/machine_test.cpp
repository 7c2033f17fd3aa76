// SPDX-License-Identifier: Apache-2.0
// Measuring the machine: what it decides, and that no value depends on it.
#include <doctest/doctest.h>

#include <vector>

#include <weft/engine/run/machine.h>
#include <weft/weft.h>

using namespace weft;

TEST_CASE("machine: measured once, and not where it may not be") {
  const Machine& unmeasured = machine(false);
  CHECK(unmeasured.copied == 0);
  CHECK(unmeasured.kept_bytes == Machine::unmeasured_bytes);
  const Machine& measured = machine(true);
  CHECK(measured.copied > 0);
  CHECK(measured.streamed > 0);
  CHECK(measured.kept_bytes >= Machine::unmeasured_bytes);
  CHECK(&machine(true) == &measured);
}

TEST_CASE("machine: reads and streams take turns where streams alone are clearly slower") {
  CHECK(Machine{20, 10}.in_turns());
  CHECK(Machine{20, 15}.in_turns());
  CHECK(!Machine{20, 17}.in_turns());
  CHECK(!Machine{20, 25}.in_turns());
  CHECK(!Machine{}.in_turns());
}

TEST_CASE("machine: values do not depend on it") {
  const Tensor x = iota<float>({5, 1024, 512});  // 10 MiB
  for (const Tensor& y : {x.roll({3, 7}, {1, 2}), x.transpose({2, 0, 1}), x.flip(2),
                          x.roll(1, 2).slice_scatter(full<float>({5, 512, 512}, 1), {0, 0, 0},
                                                     {5, 1024, 512}, {1, 2, 1})}) {
    std::vector<float> with(static_cast<std::size_t>(y.size())), without = with;
    EvalOptions options;
    eval_into(y, std::span(with), options);
    options.may_measure = false;
    eval_into(y, std::span(without), options);
    CHECK(with == without);
  }
}
