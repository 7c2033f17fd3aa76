// SPDX-License-Identifier: Apache-2.0
// Indices: what is read of them, who holds it and for how long.
#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>
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
  std::vector<std::int64_t> values;
  for (std::size_t k = 0; k < places.size(); ++k) values.push_back(places[k]);
  return values;
}

}  // namespace

TEST_CASE("an index of any type is read where it lies by an op that checks it") {
  for (const Tensor& index : {array<std::int64_t>({4, 0, 2}), array<int>({4, 0, -3}),
                              array<std::int64_t>({-1, 0, 2}), array<std::uint8_t>({4, 0, 2})}) {
    const Places places = read_by_op(index);
    REQUIRE(places.index());
    CHECK(places.index()->bytes() == index.node().value().get());
    CHECK(values_of(places) == std::vector<std::int64_t>{4, 0, 2});
    CHECK(places.copied_bytes() == 0);
  }
  CHECK(read_by_op(zeros<int>({0})).size() == 0);
}

TEST_CASE("others are given what it holds, and a copy where it does not hold that") {
  const auto read = [](const Tensor& lengths) {
    return read_index_of(reverse_sequence(iota<int>({3, 4}), lengths, 0, 1).node(), lengths.node());
  };
  const Tensor plain = array<std::int64_t>({4, 0, 2});
  CHECK(read(plain).data() == plain.data<std::int64_t>());
  CHECK(read(plain).copied_bytes() == 0);
  CHECK(values_of(read(array<int>({4, 0, 2}))) == std::vector<std::int64_t>{4, 0, 2});
  CHECK(read(array<int>({4, 0, 2})).copied_bytes() == 24);
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
  const Tensor index = full<int>({count, 1}, 3).eval(), x = iota<std::uint8_t>({200});
  const Tensor updates = full<std::uint8_t>({count}, 1).eval();
  // 24 MB of copies, of which the limit does not count the first 16 MiB.
  const Tensor y = scatter_nd(x, index, updates);
  CHECK(y.eval({.memory_limit = 20 * mebibyte}).is_stored());
  const Tensor z = scatter_nd(x, full<int>({count, 1}, 3).flip(), updates);
  CHECK_THROWS_AS(static_cast<void>(z.eval({.memory_limit = 20 * mebibyte})), MemoryError);
}

TEST_CASE("nothing is written over memory before all of an index is known to be right") {
  std::vector<int> memory{0, 1, 2};
  const Tensor index = borrow(memory.data(), {3}), x = iota<int>({5}, 10), one = array({7, 8, 9});
  memory[1] = 1;
  const Tensor picked = take(x, index, 0), gathered = gather_elements(x, index, 0),
               put = scatter_elements(x, index, one, 0);
  memory[1] = 5;
  const std::pair<Tensor, std::string> all[] = {
      {picked, "take"}, {gathered, "gather_elements"}, {put, "scatter_elements"}};
  for (const auto& [y, op] : all) {
    const std::string wrong = op + ": index 5 at [1] is out of range, expected -5 to 4";
    std::vector<int> out(static_cast<std::size_t>(y.size()), -1);
    const std::vector<int> before = out;
    CHECK_THROWS_WITH_AS(eval_into(y, std::span(out)), wrong.c_str(), IndexError);
    CHECK(out == before);
    CHECK_THROWS_WITH_AS(static_cast<void>(y.eval()), wrong.c_str(), IndexError);
    CHECK(!y.is_stored());
  }
  memory[1] = -1;
  CHECK(into<int>(put) == std::vector<int>{7, 11, 9, 13, 8});
}

TEST_CASE("an index of many elements is checked by the evaluation, a short one at once") {
  const Tensor x = iota<int>({5}, 10);
  for (const std::int64_t count : {65'536, 65'537, 300'000}) {
    CAPTURE(count);
    std::vector<int> places(static_cast<std::size_t>(count), 1);
    places.back() = 5;
    const Tensor index = from_vector(places, {count});
    const Tensor updates = zeros<int>({count}).eval();
    const std::string wrong =
        ": index 5 at [" + std::to_string(count - 1) + "] is out of range, expected -5 to 4";
    const auto refused = [&](const std::string& op, const auto& build) {
      CAPTURE(op);
      if (count <= 65'536) {
        CHECK_THROWS_WITH_AS(static_cast<void>(build()), (op + wrong).c_str(), IndexError);
        return;
      }
      const Tensor y = build();
      std::vector<int> out(static_cast<std::size_t>(y.size()), -1);
      CHECK_THROWS_WITH_AS(eval_into(y, std::span(out)), (op + wrong).c_str(), IndexError);
      CHECK(out == std::vector<int>(out.size(), -1));
      CHECK_THROWS_WITH_AS(static_cast<void>(y.flip(0).eval()), (op + wrong).c_str(), IndexError);
    };
    refused("take", [&] { return take(x, index, 0); });
    refused("gather_elements", [&] { return gather_elements(x, index, 0); });
    refused("scatter_elements", [&] { return scatter_elements(x, index, updates, 0); });
    refused("index_put", [&] { return index_put(x, index, updates); });
  }
}

TEST_CASE("an index that was found to be right is known to be, unless somebody may write to it") {
  constexpr std::int64_t count = 70'000;
  const Tensor x = iota<int>({5}, 10), smaller = iota<int>({4}, 10);
  std::vector<int> places(count, -5);
  places.back() = 4;
  std::vector<int> memory = places;
  const Tensor borrowed = borrow(memory.data(), {count});
  for (const Tensor& index : {from_vector(places), from_vector(std::move(places)), borrowed}) {
    CHECK_FALSE(index.node().is_known_within(5));
    CHECK_THROWS_AS(static_cast<void>(into<int>(smaller.take(index, 0))), IndexError);
    CHECK_FALSE(index.node().is_known_within(5));
    const Tensor y = x.gather_elements(index, 0);
    CHECK(into<int>(y).back() == 14);
    CHECK(index.node().is_known_within(5));
    CHECK(index.node().is_known_within(6));
    CHECK_FALSE(index.node().is_known_within(4));
    std::vector<int> out(count, -1);
    CHECK_THROWS_AS(eval_into(smaller.gather_elements(index, 0), std::span(out)), IndexError);
    CHECK(out == std::vector<int>(count, -1));
    CHECK(into<int>(x.take(index, 0).flip(0)).front() == 14);
  }
  memory[1] = 7;
  std::vector<int> out(count, -1);
  CHECK_THROWS_AS(eval_into(x.gather_elements(borrowed, 0), std::span(out)), IndexError);
  CHECK(out == std::vector<int>(count, -1));
}

TEST_CASE("the first of many that are out of bounds is named, whatever their type") {
  constexpr std::int64_t count = 300'000;
  const Tensor x = iota<float>({100});
  const auto refuse = [&]<class T>(T) {
    std::vector<T> memory(count, T{99});
    const Tensor index = borrow(memory.data(), {count});
    const Tensor picked = take(x, index, 0);
    CHECK(picked.node().is_stored() == false);
    memory[count - 1] = 100;
    memory[count / 2] = static_cast<T>(-101);
    const std::string given = std::to_string(memory[count / 2]);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(picked.eval()),
        ("take: index " + given + " at [150000] is out of range, expected -100 to 99").c_str(),
        IndexError);
    CHECK_THROWS_AS(static_cast<void>(take(x, index, 0).eval()), IndexError);
  };
  refuse(std::int8_t{});
  refuse(std::uint8_t{});
  refuse(std::int16_t{});
  refuse(std::uint16_t{});
  refuse(std::int32_t{});
  refuse(std::uint32_t{});
  refuse(std::int64_t{});
  refuse(std::uint64_t{});
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
