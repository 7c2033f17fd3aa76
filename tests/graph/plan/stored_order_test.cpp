// SPDX-License-Identifier: Apache-2.0
// Orders of storing: against positions one by one, and what is stored so against op by op.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include <weft/graph/plan/stored_order.h>
#include <weft/weft.h>

#include "support/random.h"
#include "support/recipe.h"

namespace weft::testing {
namespace {

/// Which element of its source a copy writes at each position.
void add_places(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src,
                std::map<std::int64_t, std::int64_t>& to) {
  if (k == copy.loops.size()) {
    CHECK(to.emplace(out, src).second);
    return;
  }
  for (std::int64_t i = 0; i < copy.loops[k].extent; ++i)
    add_places(copy, k + 1, out + copy.loops[k].out_at(i), src + copy.loops[k].src_at(i), to);
}
std::map<std::int64_t, std::int64_t> places(const Copy& copy) {
  std::map<std::int64_t, std::int64_t> all;
  add_places(copy, 0, copy.out_offset, copy.src_offset, all);
  return all;
}

std::vector<Copy> copies_of(const Tensor& x) {
  const Plan plan = make_plan(x.node_ptr());
  return plan.passes.size() == 1 ? plan.passes[0].copies : std::vector<Copy>();
}

bool are_nested(const Copy& copy) {
  return std::is_sorted(copy.loops.begin(), copy.loops.end(),
                        [](const Loop& a, const Loop& b) { return a.out_stride > b.out_stride; });
}

/// Movement that ends with that transpose.
Tensor moved(const Shape& shape, const Shape& order, Random& random) {
  Tensor x = leaf(f32, shape, random.below(9));
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto at = static_cast<std::int64_t>(axis);
    if (random.one_in(3)) x = x.roll(random.in(0, 9), at);
    if (random.one_in(4)) x = x.flip(at);
    if (random.one_in(5) && shape[axis] > 2) {
      Shape cut = x.shape();
      cut[axis] -= 2;
      x = x.slice(Shape(shape.size(), 0), cut).eval();
      Shape before(shape.size(), 0), after = before;
      before[axis] = after[axis] = 1;
      x = pad(x, before, after, "edge");
    }
  }
  return x.transpose(order);
}

TEST_CASE("an order of storing holds each element where it is then read") {
  std::size_t made = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape, order;
    for (std::size_t axis = 0; axis < 1 + random.below(4); ++axis) {
      shape.push_back(random.in(2, 7));
      order.push_back(static_cast<std::int64_t>(axis));
    }
    random.shuffle(order);
    const std::vector<Copy> plain = copies_of(leaf(f32, shape).transpose(order));
    if (plain.size() != 1) continue;
    const std::int64_t count = plain[0].count();
    const auto found = StoredOrder::of(plain[0], count);
    const bool is_sorted = std::is_sorted(order.begin(), order.end());
    CHECK(found.has_value() == !is_sorted);
    if (!found) continue;
    CHECK(*found == *StoredOrder::of(plain[0], count));
    const std::map<std::int64_t, std::int64_t> read = places(found->read(0));
    CHECK(places(plain[0]) == read);  // the order is that of the source
    for (const Copy& copy : copies_of(moved(shape, order, random))) {
      const auto stored = found->stored(copy);
      if (!stored) continue;
      ++made;
      CHECK(are_nested(*stored));
      CHECK(stored->layer == copy.layer);
      std::map<std::int64_t, std::int64_t> expected;
      for (const auto& [out, src] : places(copy)) expected.emplace(read.at(out), src);
      CHECK(places(*stored) == expected);
    }
  }
  CHECK(made > 1000);
}

TEST_CASE("no order where elements are read as they are written, or in part") {
  const Tensor x = iota<float>({4, 5, 6});
  const auto order_of = [](const Tensor& moved) {
    const std::vector<Copy> copies = copies_of(moved);
    REQUIRE(copies.size() == 1);
    return StoredOrder::of(copies[0], element_count(moved.shape())).has_value();
  };
  CHECK(order_of(x.transpose()));
  CHECK(order_of(x.transpose().flip(1)));
  CHECK(order_of(x.slice({0, 0, 1}, {4, 5, 4}).transpose()));
  CHECK_FALSE(order_of(x.roll(1, 0).slice({1}, {4})));
  CHECK(order_of(x.transpose().tile({1, 2, 1})));
  CHECK_FALSE(order_of(full({4, 5, 6}, 1.0f).flip(0)));
  const std::vector<Copy> rolled = copies_of(x.transpose().roll(1, 0));
  REQUIRE(rolled.size() == 2);
  CHECK_FALSE(StoredOrder::of(rolled[0], element_count(x.shape())).has_value());
}

TEST_CASE("an order holds what is read again, and what steps over some of it, where others lie") {
  const Tensor x = iota<float>({4, 5, 60}), y = iota<float>({4, 6, 60}).eval();
  const auto put = [](const Tensor& z, std::int64_t axis) {
    const std::int64_t half = z.extent(static_cast<std::size_t>(axis)) / 2;
    return z.slice_scatter(z.slice({0}, {half}, {1}, {axis}), {0}, {2 * half}, {2}, {axis});
  };
  for (const Tensor& padded :
       {put(x, 1), put(y, 1), put(put(y, 1), 0), put(x, 1).flip(2), pad(x, {0, 1, 0}, {0, 1, 0}),
        pad(x, {0, 1, 0}, {0, 2, 0}, "edge"), x.tile({1, 2, 1}),
        pad(x, {1, 2, 0}, {0, 1, 0}, "edge"), pad(x, {0, 1, 0}, {0, 0, 0}).roll(2, 1)}) {
    const Tensor moved = padded.transpose({0, 2, 1});
    PlanLimits limits;
    limits.stored_bytes = 0;
    const std::vector<Copy> copies = make_plan(moved.node_ptr(), limits).passes[0].copies;
    const auto found = StoredOrder::of(copies, element_count(moved.shape()));
    REQUIRE(found);
    const auto stored = found->stored(copies);
    REQUIRE(stored);
    CHECK(runs_of(*stored) * 10 < runs_of(copies));
    const std::map<std::int64_t, std::int64_t> read = places(found->read(0));
    std::map<std::int64_t, std::int64_t> there, expected;
    for (const Copy& copy : *stored) there.merge(places(copy));
    for (const Copy& copy : copies)
      for (const auto& [out, src] : places(copy)) expected.emplace(read.at(out), src);
    CHECK(there == expected);
    CHECK(std::ssize(there) == element_count(moved.shape()));
  }
}

TEST_CASE("an operand that is stored lies as the others do, where it has longer runs so") {
  const Tensor a = iota<float>({13, 3, 161}).eval(), b = (a * 2.0f).astype(i16).eval();
  const Tensor all = (a * 3.0f + b.roll(1, 1).astype(f32)).transpose({2, 0, 1});
  // As much as what is rolled may be stored, the sum may not.
  const Plan plan = make_plan(all.node_ptr(), {.stored_bytes = b.bytes()});
  REQUIRE(plan.passes.size() == 2);
  CHECK(runs_of(plan.passes[0].copies) == 2 * 13);
  const Tensor apart =
      ((a * 3.0f).eval() + b.roll(1, 1).astype(f32).eval()).eval().transpose({2, 0, 1}).eval();
  CHECK(all.equal(apart).all().item<bool>());
  // Beside more that lies as the result does it is stored as that, if its own runs are long so.
  const auto runs_beside = [](const Tensor& rolled) {
    const Tensor x = iota<float>({13, 24, 161}), z = iota<float>({161, 13, 24});
    const Tensor beside = x.transpose({2, 0, 1}) * z - z * z + rolled.astype(f32);
    for (const Pass& pass : make_plan(beside.node_ptr()).passes)
      if (!pass.copies.empty()) return runs_of(pass.copies);
    return std::int64_t{0};
  };
  CHECK(runs_beside(iota<float>({161, 13, 24}).astype(i16).eval().roll(1, 2)) == 2 * 161 * 13);
  CHECK(
      runs_beside(iota<float>({13, 24, 161}).astype(i16).eval().roll(1, 1).transpose({2, 0, 1})) ==
      2 * 13);
}

}  // namespace
}  // namespace weft::testing
