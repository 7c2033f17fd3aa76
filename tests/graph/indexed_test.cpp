// SPDX-License-Identifier: Apache-2.0
// Indices: what is read of them, who holds it and for how long.
#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <vector>

#include <weft/graph/indexed.h>
#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

using namespace weft;

namespace {

template <class T>
std::vector<T> into(const Tensor& y) {
  std::vector<T> out(static_cast<std::size_t>(y.size()));
  eval_into(y, std::span(out));
  return out;
}

/// What an op that picks from 5 places is given of that index.
Places read_by_op(const Tensor& index) {
  return read_index_of(gather_elements(iota<int>({5}), index, 0).node(), index.node());
}

std::vector<std::int64_t> values_of(const Places& places) {
  return {places.data(), places.data() + places.size()};
}

}  // namespace

TEST_CASE("an index is read where it lies if it holds the places, and copied elsewhere") {
  const Tensor plain = array<std::int64_t>({4, 0, 2});
  CHECK(read_by_op(plain).data() == plain.data<std::int64_t>());
  CHECK(read_by_op(plain).copied_bytes() == 0);
  for (const Tensor& other : {array<int>({4, 0, -3}), array<std::int64_t>({-1, 0, 2})}) {
    const Places places = read_by_op(other);
    CHECK(values_of(places) == std::vector<std::int64_t>{4, 0, 2});
    CHECK(places.copied_bytes() == 24);
  }
  const Places none = read_by_op(zeros<int>({0}));
  CHECK(none.size() == 0);
  CHECK(none.copied_bytes() == 0);
}

TEST_CASE("an operation is given what it makes of its index") {
  const Tensor data = iota<int>({3, 4}), tuples = array<int>({{0, 1}, {-1, -1}});
  const Tensor scattered = scatter_nd(data, tuples, array<int>({7, 8}));
  CHECK(values_of(read_index_of(scattered.node(), tuples.node())) ==
        std::vector<std::int64_t>{1, 11});
  // Tuples are joined, and it is those that count.
  CHECK(read_index_of(scattered.node(), tuples.node()).copied_bytes() == 16);
}

TEST_CASE("a node keeps nothing that was read of its index") {
  const auto owner = std::make_shared<std::vector<std::int64_t>>(3, 1);
  const Tensor index = borrow(owner->data(), {3}, owner), x = iota<int>({5});
  const Tensor mask = array<bool>({true, false, true});
  const long mask_holders = mask.node().value().use_count();
  const long holders = owner.use_count(), holders_in_node = index.node().value().use_count();
  for (const Tensor& y :
       {take(x, index, 0), gather_elements(x, index, 0), index_put(x, index, array<int>({7, 8, 9})),
        where(mask, array({1, 2, 3}), array({4, 5, 6}))}) {
    static_cast<void>(explain(y));
    into<int>(y);
  }
  CHECK(owner.use_count() == holders);
  CHECK(index.node().value().use_count() == holders_in_node);
  CHECK(mask.node().value().use_count() == mask_holders);
}

TEST_CASE("each evaluation reads an index anew, whatever its type, and checks it") {
  std::vector<int> memory{0, 1, 2};
  const Tensor index = borrow(memory.data(), {3}), x = iota<int>({5}, 10);
  const Tensor picked = take(x, index, 0), gathered = gather_elements(x, index, 0);
  const Tensor put = index_put(x, index, array<int>({7, 8, 9}));
  CHECK(into<int>(picked) == std::vector<int>{10, 11, 12});
  CHECK(into<int>(put) == std::vector<int>{7, 8, 9, 13, 14});
  memory = {-1, 4, 3};
  CHECK(into<int>(picked) == std::vector<int>{14, 14, 13});
  CHECK(into<int>(gathered) == std::vector<int>{14, 14, 13});
  CHECK(into<int>(put) == std::vector<int>{10, 11, 12, 9, 8});
  memory[1] = 5;
  for (const Tensor& y : {picked, gathered, put})
    CHECK_THROWS_AS(static_cast<void>(into<int>(y)), IndexError);
  memory[1] = 0;
  CHECK(into<int>(picked) == std::vector<int>{14, 10, 13});
}

TEST_CASE("copies of an index that is stored are made whatever is left of the limit") {
  constexpr std::int64_t count = 3'000'000, mebibyte = 1 << 20;
  const Tensor index = full<int>({count}, 3).eval(), x = iota<std::uint8_t>({200});
  // 24 MB of copies, of which the limit does not count the first 16 MiB, and 3 MB of elements.
  const Tensor y = gather_elements(x, index, 0);
  CHECK(y.eval({.memory_limit = 20 * mebibyte}).is_stored());
  const Tensor z = gather_elements(x, full<int>({count}, 3).flip(), 0);
  CHECK_THROWS_AS(static_cast<void>(z.eval({.memory_limit = 20 * mebibyte})), MemoryError);
}

TEST_CASE("a plan needs what was read of indices, and reads those that are stored") {
  const Tensor x = iota<int>({5}), index = array<std::int64_t>({4, 0, 2});
  CHECK(make_plan(take(x, index, 0).node_ptr()).passes.size() == 1);
  const Tensor waiting = take(x, index.flip(), 0);
  CHECK_THROWS_WITH_AS(make_plan(waiting.node_ptr()), "take: its index was not read",
                       InternalError);
  CHECK(into<int>(waiting) == std::vector<int>{2, 0, 4});
}

TEST_CASE("what waits for a placeholder has no plan") {
  const Tensor x = placeholder(i32, {4});
  CHECK_THROWS_AS(make_plan(x.roll(1, 0).node_ptr()), OpenError);
  CHECK_THROWS_AS(make_plan(x.node_ptr()), OpenError);
}
