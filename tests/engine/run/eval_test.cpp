// SPDX-License-Identifier: Apache-2.0
// Evaluation: once, lazily, from many threads, at any depth, into given memory, within limits.
#include <doctest/doctest.h>

#include <atomic>
#include <pthread.h>
#include <thread>
#include <vector>

#include <weft/weft.h>

using namespace weft;

TEST_CASE("nothing is evaluated before a value is asked for, and then once") {
  const Tensor x = iota<int>({100});
  const Tensor y = x.roll(1, 0);
  CHECK_FALSE(y.is_stored());
  const int* elements = y.data<int>();
  CHECK(y.is_stored());
  CHECK(elements[0] == 99);
  CHECK(y.data<int>() == elements);
  const Tensor again = y.eval();
  CHECK(again.data<int>() == elements);
}

TEST_CASE("a value lets go of what it was made from") {
  auto owner = std::make_shared<std::vector<int>>(1000, 7);
  const std::weak_ptr<std::vector<int>> watch = owner;
  const int* memory = owner->data();
  const Tensor y = borrow(memory, {1000}, std::move(owner)).roll(3, 0);
  CHECK_FALSE(watch.expired());
  y.eval();
  CHECK(watch.expired());
  CHECK(y.data<int>()[0] == 7);
}

TEST_CASE("an alias keeps the memory it lies in") {
  auto owner = std::make_shared<std::vector<int>>(1000, 7);
  const std::weak_ptr<std::vector<int>> watch = owner;
  const int* elements = owner->data();
  {
    const Tensor y = borrow(elements, {1000}, std::move(owner)).reshape({10, 100}).eval();
    CHECK(y.data<int>() == elements);
    CHECK_FALSE(watch.expired());
  }
  CHECK(watch.expired());
}

TEST_CASE("many threads asking for one value get the same one") {
  for (int round = 0; round < 20; ++round) {
    const Tensor shared = iota<int>({300, 301}).transpose();
    const Tensor user = shared.roll(7, 0);
    std::vector<std::thread> threads;
    std::vector<const int*> seen(8);
    std::atomic<int> wrong = 0;
    for (std::size_t t = 0; t < seen.size(); ++t)
      threads.emplace_back([&, t] {
        if (t % 2 == 0) {
          seen[t] = shared.data<int>();
        } else {
          seen[t] = user.data<int>();
          if (seen[t][7 * 300] != 0) ++wrong;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    for (std::size_t t = 2; t < seen.size(); ++t) CHECK(seen[t] == seen[t % 2]);
  }
}

namespace {

void* run_long_chain(void* result) {
  Tensor x = iota<int>({4});
  for (int i = 0; i < 1000000; ++i) x = x.roll(1, 0);
  x = x.roll(1, 0);
  *static_cast<int*>(result) = x.data<int>()[0];
  return nullptr;
}

}  // namespace

TEST_CASE("a chain of a million rolls runs on a stack of 256 KiB") {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
  pthread_t thread;
  int first = -1;
  REQUIRE(pthread_create(&thread, &attributes, run_long_chain, &first) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  CHECK(first == 3);
}

TEST_CASE("a large output is cut into tasks that cover it") {
  const Tensor x = iota<int>({700, 1100});
  const Tensor y = x.roll({13, -29}, {0, 1})
                       .transpose()
                       .slice_scatter(full<int>({550, 350}, -1), {0, 1}, {1100, 700}, {2, 2});
  const std::span<const int> elements = y.span<int>();
  for (int i = 0; i < 1100; ++i)
    for (int j = 0; j < 700; ++j) {
      const int expected =
          i % 2 == 0 && j % 2 == 1 ? -1 : (j - 13 + 700) % 700 * 1100 + (i + 29) % 1100;
      if (elements[static_cast<std::size_t>(i * 700 + j)] != expected) FAIL(i, " ", j);
    }
}

TEST_CASE("one thread or two make the same value") {
  const Tensor x = iota<int>({512, 1000});
  const Tensor one = x.transpose().eval({.threads = 1});
  const Tensor two = x.transpose().eval({.threads = 2});
  CHECK(std::equal(one.span<int>().begin(), one.span<int>().end(), two.span<int>().begin()));
}

TEST_CASE("a result beyond the memory limit is refused, and can be asked for again") {
  const Tensor y = iota<int>({1000}).tile({1000});
  CHECK_THROWS_AS(y.eval({.memory_limit = 1000}), MemoryError);
  CHECK_FALSE(y.is_stored());
  CHECK(y.data<int>()[1001] == 1);
}

TEST_CASE("the memory limit is on what is held at one time") {
  Tensor x = iota<float>({1100, 1001});
  for (int i = 0; i < 6; ++i)
    x = x.roll(1, 0).reshape(i % 2 == 0 ? Ints{1001, 1100} : Ints{1100, 1001});
  x = x.transpose();
  // The result, and what a task makes at a time of what it is moved from.
  CHECK_THROWS_AS(x.eval({.memory_limit = 4'500'000}), MemoryError);
  CHECK(x.eval({.memory_limit = 4'800'000}).is_stored());
  const Tensor held = iota<float>({1000, 1001}).roll(1, 0).stored();
  const Tensor y = held + held.flip(0);
  CHECK_THROWS_AS(y.eval({.memory_limit = 7 << 20}), MemoryError);
  CHECK(y.eval({.memory_limit = 9 << 20}).is_stored());
}

TEST_CASE("options that mean nothing are refused") {
  const Tensor x = iota<int>({3}).roll(1, 0);
  CHECK_THROWS_AS(x.eval({.threads = -1}), ParameterError);
  CHECK_THROWS_AS(x.eval({.memory_limit = -1}), ParameterError);
}

TEST_CASE("a result no machine can hold is a memory error") {
  const Tensor y = iota<int>({2}).tile({std::int64_t{1} << 50});
  CHECK_THROWS_AS(y.eval(), MemoryError);
  CHECK(y.slice({(std::int64_t{1} << 51) - 1}, {std::int64_t{1} << 51}).item<int>() == 1);
}

TEST_CASE("eval_into writes the value where it is told, again and again") {
  const Tensor x = iota<int>({3, 4});
  std::vector<int> out(12);
  eval_into(x.transpose(), out.data(), 48);
  CHECK(out[1] == 4);
  eval_into(x.reshape({4, 3}), out.data(), 48);
  CHECK(out[1] == 1);
  eval_into(x, out.data(), 48);
  CHECK(out[11] == 11);
  CHECK_THROWS_AS(eval_into(x, out.data(), 44), ShapeError);
}

TEST_CASE("eval_into over the memory it reads gives the value of a copy") {
  std::vector<int> memory(100);
  for (int i = 0; i < 100; ++i) memory[static_cast<std::size_t>(i)] = i;
  eval_into(borrow(memory.data(), {100}).roll(1, 0), memory.data(), 400);
  CHECK(memory[0] == 99);
  CHECK(memory[99] == 98);
}

TEST_CASE("asking for the wrong type or count says what is there") {
  const Tensor x = iota<int>({3});
  CHECK_THROWS_WITH_AS(x.data<float>(), "data: f32 was asked for, the elements are i32",
                       DtypeError);
  CHECK_THROWS_WITH_AS(x.item<int>(), "item: the tensor has 3 elements (shape [3]), expected 1",
                       ShapeError);
}

TEST_CASE("a parameter may be a tensor, evaluated") {
  const Tensor x = iota<int>({5});
  const Tensor shift = array({1, 2, 3}).slice({1}, {2});
  CHECK(x.roll(shift, {0}).slice({0}, {1}).item<int>() == 3);
  CHECK_THROWS_AS(x.roll(array({1.5}), {0}), DtypeError);
}
