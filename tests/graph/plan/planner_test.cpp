// SPDX-License-Identifier: Apache-2.0
// The planner: how many passes and boxes pipelines take, what is stored, and what is an alias.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include <weft/testing/reference.h>

using namespace weft;

namespace {

Plan plan_of(const Tensor& tensor, const PlanLimits& limits = {}) {
  return make_plan(tensor.node_ptr(), limits);
}

std::size_t boxes_of(const Plan& plan) {
  std::size_t count = 0;
  for (const Pass& pass : plan.passes) count += pass.copies.size();
  return count;
}

/// Boxes of a plan of one pass.
std::size_t fused_boxes(const Tensor& tensor) {
  const Plan plan = plan_of(tensor);
  CHECK(plan.passes.size() == 1);
  CHECK(plan.refusals.empty());
  return boxes_of(plan);
}

Tensor swin(const Tensor& x) {
  return x.roll({-3, -3}, {1, 2})
      .reshape({8, 8, 7, 8, 7, 96})
      .transpose({0, 1, 3, 2, 4, 5})
      .reshape({-1, 49, 96});
}

}  // namespace

TEST_CASE("window partition is one pass, after a roll in nine boxes") {
  const Tensor x = full<float>({8, 56, 56, 96}, 1).eval();
  CHECK(fused_boxes(x.reshape({8, 8, 7, 8, 7, 96}).transpose({0, 1, 3, 2, 4, 5})) == 1);
  CHECK(fused_boxes(swin(x)) <= 9);
}

TEST_CASE("roll, partition, reverse and roll back is the input's own buffer") {
  const Tensor x = iota<float>({2, 14, 14, 3});
  const Tensor back = x.roll({-3, -3}, {1, 2})
                          .reshape({2, 2, 7, 2, 7, 3})
                          .transpose({0, 1, 3, 2, 4, 5})
                          .reshape({8, 49, 3})
                          .reshape({2, 2, 2, 7, 7, 3})
                          .transpose({0, 1, 3, 2, 4, 5})
                          .reshape({2, 14, 14, 3})
                          .roll({3, 3}, {1, 2});
  CHECK(plan_of(back).is_alias());
  CHECK(back.data<float>() == x.data<float>());
}

TEST_CASE("opposite ops cancel") {
  const Tensor x = iota<int>({6, 10});
  CHECK(plan_of(x.roll(7, 1).roll(-7, 1)).is_alias());
  CHECK(plan_of(x.transpose().transpose()).is_alias());
  CHECK(plan_of(x.flip().flip()).is_alias());
  CHECK(plan_of(x.roll(5, 1).roll(5, 1)).is_alias());
  CHECK(plan_of(x.reshape({5, 12}).squeeze()).is_alias());
  CHECK_FALSE(plan_of(x.roll(5, 1).roll(4, 1)).is_alias());
}

TEST_CASE("a contiguous part of a tensor is an alias where it is at least half of it") {
  const Tensor x = iota<int>({8, 4});
  const Tensor upper = x.slice({1}, {6});
  REQUIRE(plan_of(upper).is_alias());
  CHECK(upper.data<int>() == x.data<int>() + 4);
  CHECK_FALSE(plan_of(x.slice({1}, {3})).is_alias());
}

TEST_CASE("many rolls are as few boxes as one") {
  Tensor x = iota<int>({1000});
  for (int i = 0; i < 64; ++i) x = x.roll(7 * i + 3, 0);
  CHECK(fused_boxes(x) == 2);
}

TEST_CASE("a tile is one digit, whatever its repeat") {
  const Tensor x = iota<int>({10});
  CHECK(fused_boxes(x.tile({1000000})) == 1);
  CHECK(fused_boxes(x.tile({1000000}).roll(3, 0)) <= 3);
  CHECK(fused_boxes(x.roll(3, 0).tile({1000000})) <= 2);
  CHECK(fused_boxes(x.tile({7}).slice({0}, {70}, {2})) <= 2);
  CHECK(fused_boxes(x.tile({1000}).slice({0}, {10000}, {7})) <= 4);
}

TEST_CASE("coprime steps over a tile are a table") {
  const Tensor x = iota<int>({1000});
  const Plan plan = plan_of(x.tile({8}).slice({0}, {8000}, {7}));
  CHECK(boxes_of(plan) <= 2);
  bool has_table = false;
  for (const Copy& copy : plan.passes.at(0).copies)
    for (const Loop& loop : copy.loops) has_table = has_table || loop.src_table != nullptr;
  CHECK(has_table);
}

TEST_CASE("a reshape of a stored tensor is free, whatever comes after") {
  const Tensor x = iota<int>({1000, 1001});
  CHECK(fused_boxes(x.reshape({1001, 1000}).transpose()) == 1);
  CHECK(fused_boxes(x.reshape({143, 7, 1000}).reshape({1001, 1000}).transpose()) == 1);
}

TEST_CASE(
    "where a reshape would shatter its boxes, what feeds it is stored, and the plan says so") {
  const Tensor x = iota<int>({1000, 1001});
  const Plan plan = plan_of(x.roll(5, 0).reshape({1001, 1000}).transpose());
  CHECK(plan.passes.size() == 2);
  CHECK(boxes_of(plan) == 3);
  REQUIRE(plan.refusals.size() == 1);
  CHECK(plan.refusals[0].find("roll [1000, 1001] is stored") != std::string::npos);
}

TEST_CASE("only the part that is asked for is stored") {
  const Tensor x = iota<int>({1000, 1001});
  const Tensor top = x.roll(5, 0).reshape({1001, 1000}).slice({0}, {100}).transpose();
  const Plan plan = plan_of(top, {16, max_bytes});
  REQUIRE(plan.passes.size() == 2);
  CHECK(plan.passes[0].count < 101 * 1001);
}

TEST_CASE("short rows of which a little is not asked for are stored whole") {
  const Tensor x = iota<int>({1000, 7, 6});
  const auto stored = [&](const Index& start, const Index& stop, const Index& step) {
    const Tensor part = x.square().slice(start, stop, step);
    return plan_of(concat({part, part.flip()})).passes[0].count;
  };
  CHECK(stored({0, 0, 0}, {1000, 7, 5}, {1, 1, 2}) == 1000 * 7 * 6);
  CHECK(stored({10, 1, 1}, {900, 7, 6}, {1, 1, 1}) == 890 * 7 * 6);
  CHECK(stored({0, 0, 0}, {1000, 3, 6}, {1, 1, 1}) == 1000 * 3 * 6);
  CHECK(stored({0, 0, 0}, {1000, 7, 3}, {1, 1, 1}) == 1000 * 7 * 3);
  CHECK(stored({5, 2, 0}, {6, 3, 5}, {1, 1, 1}) == 5);
}

TEST_CASE("what cannot be stored within the limits is a memory error") {
  const Tensor x = iota<int>({1000, 1001});
  CHECK_THROWS_AS(plan_of(x.roll(5, 0).reshape({1001, 1000}).transpose(), {1024, 1000}),
                  MemoryError);
}

TEST_CASE("nested painted scatters stay small") {
  Tensor x = iota<int>({64});
  for (int i = 0; i < 12; ++i)
    x = x.slice_scatter(x.roll(2, 0).slice({0}, {64}, {2}), {0}, {64}, {2});
  const Plan plan = plan_of(x);
  CHECK(boxes_of(plan) < 100);
}

TEST_CASE("data is cut no more than a step that fits needs") {
  const Tensor x = iota<float>({8, 6});
  CHECK(fused_boxes(x.slice_scatter(full({4, 6}, 0.0f), {0}, {8}, {2}, {0})) == 2);
  CHECK(fused_boxes(x.slice_scatter(full({3, 6}, 0.0f), {2}, {8}, {2}, {0})) == 2);
  CHECK(fused_boxes(x.slice_scatter(full({4, 3}, 0.0f), {0, 0}, {8, 6}, {2, 2})) == 3);
}

TEST_CASE("data that is wholly replaced is never read") {
  const Tensor data = iota<int>({6, 8}), updates = iota<int>({6, 8}, 100);
  const Plan whole = plan_of(data.slice_scatter(updates, {-1, -1}, {-7, -9}, {-1, -1}));
  CHECK(whole.sources.size() == 1);
  CHECK(boxes_of(whole) == 1);
  const Tensor evens = data.slice_scatter(iota<int>({3, 8}), {0}, {6}, {2}).slice({0}, {6}, {2});
  CHECK(plan_of(evens).sources.size() == 1);
}

TEST_CASE("a chain of rolls and transposes takes the same plan at every length") {
  const auto chain = [](int ops) {
    Tensor x = full<float>({512, 512, 16}, 1).eval();
    for (int i = 0; i < ops; ++i)
      x = i % 2 == 0 ? x.roll({3 + i, -5}, {0, 1}) : x.transpose({1, 0, 2});
    return x;
  };
  for (const int ops : {1, 2, 4, 8, 16, 32, 64, 66}) CHECK(fused_boxes(chain(ops)) <= 4);
}

TEST_CASE("a shared operand is pulled through both its users as one demand") {
  Tensor x = iota<int>({4});
  for (int i = 0; i < 40; ++i) x = x.slice_scatter(x.slice({0}, {2}), {0}, {2});
  CHECK(plan_of(x).is_alias());
}

TEST_CASE("rolls on all of sixteen axes still fit") {
  const Shape shape(16, 2);
  std::vector<int> axes(16), shift(16, 1);
  for (int axis = 0; axis < 16; ++axis) axes[static_cast<std::size_t>(axis)] = axis;
  const Tensor x = iota<int>(shape).roll(shift, axes);
  const Tensor y = iota<int>(shape).flip();
  CHECK(std::equal(x.span<int>().begin(), x.span<int>().end(), y.span<int>().begin()));
}

TEST_CASE("planning never costs much more than storing would") {
  // Each reshape shatters the boxes of the rolls before it.
  Tensor x = iota<int>({101, 100});
  for (int i = 0; i < 20; ++i)
    x = x.roll({1, 3}, {0, 1}).reshape(i % 2 == 0 ? Ints{100, 101} : Ints{101, 100});
  const Plan shattered = plan_of(x);
  CHECK(boxes_of(shattered) < 20 * 16);
  CHECK(boxes_of(plan_of(x, {.bytes_per_box = 0})) > 20 * 16);
  // Small patches on a canvas: each is a few boxes more for all that come below it.
  Tensor canvas = iota<int>({512, 512});
  const Tensor patch = full<int>({5, 5}, -1);
  for (int i = 0; i < 200; ++i)
    canvas = canvas.slice_scatter(patch, {2 * i, i}, {2 * i + 5, i + 5});
  CHECK(plan_of(canvas).passes.size() > 1);
  CHECK(boxes_of(plan_of(canvas)) < 200 * 16);
}

TEST_CASE(
    "a run of rolls and transposes is pulled through at once, but not past a node others use") {
  const Tensor x = iota<int>({6, 4, 5});
  const Tensor shared = x.roll({1, 2}, {0, 1}).transpose({1, 2, 0}).roll({3, -1}, {0, 2});
  const Tensor end = shared.transpose({2, 1, 0}).roll(2, 1).transpose({0, 2, 1});
  const Tensor both =
      end.slice_scatter(shared.transpose({2, 0, 1}).roll(-2, 0).slice({0}, {2}), {1}, {3});
  for (const Tensor& y : {shared, end, both}) {
    const std::vector<std::byte> expected = testing::reference_value(y);
    const Tensor value = y.roll(0, 0).eval();
    CHECK(std::memcmp(value.node().value().get(), expected.data(), expected.size()) == 0);
  }
  Tensor long_run = x;
  for (int i = 0; i < 99; ++i)
    long_run = i % 2 == 0 ? long_run.roll({i, -1}, {0, 2}) : long_run.transpose({1, 2, 0});
  const std::vector<std::byte> expected = testing::reference_value(long_run);
  CHECK(fused_boxes(long_run) <= 8);
  CHECK(std::memcmp(long_run.eval().node().value().get(), expected.data(), expected.size()) == 0);
}

TEST_CASE("of outputs that are links of one chain each reads the one before") {
  std::vector<NodePtr> roots;
  Tensor x = iota<int>({6});
  for (int k = 0; k < 5; ++k) roots.push_back((x = x.roll(1, 0)).node_ptr());
  const Plan plan = make_plan(Expression(roots));
  CHECK(plan.passes.size() == 5);
  for (std::size_t p = 1; p < plan.passes.size(); ++p)
    for (const Copy& copy : plan.passes[p].copies) CHECK(plan.sources[copy.source].pass == p - 1);
}

TEST_CASE("of many outputs each knows its pass") {
  std::vector<Tensor> parts;
  const Tensor x = iota<int>({300, 2}), y = x.flip(1);
  for (int k = 0; k < 300; ++k) parts.push_back(y.select(0, 299 - k));
  parts.push_back(parts[7].flip());
  parts.push_back(y);
  eval(parts);
  for (int k = 0; k < 300; ++k)
    CHECK(parts[static_cast<std::size_t>(k)].data<int>()[1] == 2 * (299 - k));
  CHECK(parts[300].data<int>()[0] == 2 * 292);
  CHECK(parts[301].data<int>()[0] == 1);
}

TEST_CASE("a chain whose nodes alone are more than a plan may take is refused by name") {
  Tensor x = iota<int>({2, 3});
  for (int k = 0; k < 10'000; ++k) x = x.transpose();
  CHECK_THROWS_WITH_AS(make_plan(x.node_ptr(), {.planning_bytes = 1000}),
                       "transpose [2, 3]: the plan takes more than the 1000 bytes that are allowed",
                       MemoryError);
}

TEST_CASE("a deep chain below short runs is planned in time, and within the stack") {
  const Tensor x = full({6, 168}, 1.0f), y = full({6, 168}, 2.0f);
  Tensor chain = x + y;
  for (int i = 0; i < 300000; ++i) chain = -chain;
  // Runs of 3 and 165 elements: whether to cut the operands of the chain is asked at every op.
  CHECK(chain.roll({1, 3}, {0, 1}).to_vector<float>() == std::vector<float>(6 * 168, 3.0f));
}
