// SPDX-License-Identifier: Apache-2.0
// A tensor of one element that another pass makes is a constant of the programs that read it.
#include <doctest/doctest.h>

#include <string>

#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "support/computed_graph.h"

using namespace weft;

namespace {

struct Counted {
  std::size_t reads, constants;
  bool operator==(const Counted&) const = default;
};

/// Of the last pass's program; `lazy` has the value of `expected`.
Counted counted(const Tensor& lazy, const Tensor& expected) {
  const Plan plan = make_plan(lazy.node_ptr());
  CHECK(flaw_of_cover(plan).empty());
  const PassProgram& program = plan.passes.back().programs.back();
  CHECK_FALSE(testing::difference(lazy.eval(), expected.eval()));
  return {program.reads, program.constants.size()};
}

}  // namespace

TEST_CASE("held constants: of each type, before and behind what is read, alone and twice") {
  for (const DType type : {f32, bf16, f64, i8, u16, i64}) {
    const Tensor x = iota<float>({70, 91}).astype(type).eval(), y = full({}, 3).astype(type).eval(),
                 one = (y + y).eval();
    CHECK(counted(x - (y + y), x - one) == Counted{1, 1});
    CHECK(counted((y + y).reshape({1, 1}) - x, one - x) == Counted{1, 1});
    // What another tensor of one element is stays apart, and a constant that was one before.
    CHECK(counted((x - (y + y)) * (y * y) + y, (x - one) * (y * y).eval() + y) == Counted{1, 3});
    const Tensor most = x.max({0, 1}), known = x.max({0, 1}).eval();
    CHECK(counted(x * most - most, x * known - known) == Counted{1, 1});
  }
}

TEST_CASE("held constants: not of a row, nor of what is one element in a part alone") {
  const Tensor x = iota<float>({60, 80}).eval(), y = iota<float>({60, 1}).eval();
  CHECK(counted(x - (y + y), x - (y + y).eval()) == Counted{2, 0});
  const Tensor one = full({}, 5.f).eval(), row = iota<float>({1, 80}).eval();
  const auto joined = [&](const Tensor& first) {
    return concat({first.broadcast_to({1, 80}), row, x}, 0) * concat({x, x}, 0).slice({0}, {62});
  };
  CHECK_FALSE(testing::difference(joined(one + one).eval(), joined((one + one).eval()).eval()));
}

TEST_CASE("held constants: not what is several elements of another type") {
  const Tensor one = full({1}, -1.23456789e-3).eval(), x = iota<float>({32, 2}).eval(),
               y = iota<float>({64}).eval();
  const auto halves = [](const Tensor& wide) { return view_as(wide, f32); };
  for (const Tensor& lazy : {one, one * one + one, (one * one + one).stored()}) {
    const Tensor known = halves(lazy.eval()).eval(), second = known.slice({1}, {2}).eval();
    CHECK_FALSE(testing::difference((x * halves(lazy) + 1.f).eval(), (x * known + 1.f).eval()));
    CHECK_FALSE(testing::difference((y * halves(lazy).slice({1}, {2}) + 1.f).eval(),
                                    (y * second + 1.f).eval()));
  }
  // Of as many bytes it is one, of its own type.
  const Tensor bits = full({1}, 1.f).eval(), n = iota<std::int32_t>({50}).eval();
  CHECK(explain(n + view_as(bits, i32)).find("add i32 %0 1065353216") != std::string::npos);
  CHECK(counted(n + view_as(bits + bits, i32), n + view_as((bits + bits).eval(), i32)) ==
        Counted{1, 1});
}
