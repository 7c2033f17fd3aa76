// SPDX-License-Identifier: Apache-2.0
// Nodes: how long they live, what they let go of, and freeing them without a stack.
#include <doctest/doctest.h>

#include <pthread.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <weft/graph/map/pull_back.h>
#include <weft/graph/node.h>
#include <weft/graph/tensor.h>

using namespace weft;

namespace {

/// An operation that counts how many of its kind live.
class Counted final : public Movement {
 public:
  explicit Counted(std::atomic<int>& living) : living_(living) { ++living_; }
  ~Counted() { --living_; }
  std::string_view name() const noexcept override { return "counted"; }
  void pull_back(const Shape&, const Box&, PullBack&) const override {}
  std::size_t trace(const Shape&, Index&) const override { return 0; }

 private:
  std::atomic<int>& living_;
};

NodePtr counted(std::atomic<int>& living, std::vector<NodePtr> inputs = {}) {
  return NodePtr(new NodeOf<Counted>(TensorType{i32, {2}}, NodeInputs(std::move(inputs)), living));
}

Storage two_elements() { return Storage(new std::byte[8], std::default_delete<std::byte[]>()); }

/// Runs `body` on a thread with a stack of 256 KiB.
void on_small_stack(void (*body)(std::atomic<int>&), std::atomic<int>& living) {
  struct Call {
    void (*body)(std::atomic<int>&);
    std::atomic<int>& living;
  } call{body, living};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
  pthread_t thread;
  REQUIRE(pthread_create(
              &thread, &attributes,
              [](void* given) -> void* {
                const Call& told = *static_cast<Call*>(given);
                told.body(told.living);
                return nullptr;
              },
              &call) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace

TEST_CASE("a node lives as long as a reference to it") {
  std::atomic<int> living = 0;
  {
    NodePtr first = counted(living);
    NodePtr second = first, third;
    CHECK(second.get() == first.get());
    first = NodePtr();
    CHECK_FALSE(first);
    CHECK(living == 1);
    third = std::move(second);
    CHECK_FALSE(second);
    CHECK(living == 1);
    const NodePtr& same = third;
    third = same;
    CHECK(living == 1);
  }
  CHECK(living == 0);
}

TEST_CASE("a node keeps its inputs, and lets go of them with itself") {
  std::atomic<int> living = 0;
  NodePtr input = counted(living);
  NodePtr node = counted(living, {input});
  input = NodePtr();
  CHECK(living == 2);
  node = NodePtr();
  CHECK(living == 0);
}

TEST_CASE("a node has its inputs in their order, few or many, and those alone") {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 100u}) {
    std::atomic<int> living = 0;
    std::vector<NodePtr> inputs;
    for (std::size_t k = 0; k < count; ++k) inputs.push_back(counted(living));
    const NodePtr node = counted(living, inputs);
    const std::optional<NodeInputs> copies = node->inputs();
    REQUIRE(copies);
    REQUIRE(copies->size() == count);
    for (std::size_t k = 0; k < count; ++k) CHECK((*copies)[k].get() == inputs[k].get());
    CHECK(living == static_cast<int>(count) + 1);
  }
}

TEST_CASE("a node answers in the name of its operation, which is of one kind") {
  std::atomic<int> living = 0;
  const NodePtr node = counted(living);
  CHECK(node->op() == "counted");
  CHECK(node->parameters() == "");
  CHECK(node->operation().kind() == Operation::Kind::movement);
  CHECK(node->operation().as<Movement>() == &node->operation());
  CHECK(node->operation().as<IndexedMovement>() == nullptr);
  CHECK(node->operation().as<Opaque>() == nullptr);
  CHECK(Stored(i32, {}, two_elements()).operation().kind() == Operation::Kind::stored);
}

TEST_CASE("a chain of a million nodes is freed on a stack of 256 KiB") {
  std::atomic<int> living = 0;
  on_small_stack(
      [](std::atomic<int>& count) {
        NodePtr last = counted(count);
        for (int k = 1; k < 1000000; ++k) last = counted(count, {std::move(last)});
        CHECK(count == 1000000);
      },
      living);
  CHECK(living == 0);
}

TEST_CASE("a chain in which every node is used twice is freed on a stack of 256 KiB") {
  std::atomic<int> living = 0;
  on_small_stack(
      [](std::atomic<int>& count) {
        NodePtr last = counted(count);
        for (int k = 1; k < 300000; ++k) last = counted(count, {last, last});
        CHECK(count == 300000);
      },
      living);
  CHECK(living == 0);
}

TEST_CASE("a wide fan-in is freed once, the shared input with the last of its users") {
  std::atomic<int> living = 0;
  {
    const NodePtr shared = counted(living);
    std::vector<NodePtr> inputs(1000, shared);
    for (int k = 0; k < 1000; ++k) inputs.push_back(counted(living, {shared, shared}));
    const NodePtr top = counted(living, std::move(inputs));
    CHECK(living == 1002);
  }
  CHECK(living == 0);
}

TEST_CASE("a part that is still held survives the rest") {
  std::atomic<int> living = 0;
  NodePtr middle;
  {
    NodePtr last = counted(living);
    for (int k = 0; k < 100; ++k) {
      last = counted(living, {std::move(last)});
      if (k == 49) middle = last;
    }
  }
  CHECK(living == 51);
  middle = NodePtr();
  CHECK(living == 0);
}

TEST_CASE("a value lets the inputs go, and is kept") {
  std::atomic<int> living = 0;
  const NodePtr node = counted(living, {counted(living), counted(living)});
  CHECK(node->inputs().value().size() == 2);
  CHECK_FALSE(node->is_stored());
  const Storage value = two_elements();
  CHECK(node->value_or([&] { return value; }) == value);
  CHECK(node->is_stored());
  CHECK(living == 1);
  CHECK_FALSE(node->inputs());
}

TEST_CASE("a value is computed once") {
  std::atomic<int> living = 0;
  const NodePtr node = counted(living);
  int computed = 0;
  const auto compute = [&] {
    ++computed;
    return two_elements();
  };
  const std::byte* first = node->value_or(compute).get();
  CHECK(node->value_or(compute).get() == first);
  CHECK(computed == 1);
}

TEST_CASE("a computation that throws leaves the node lazy, with its inputs, to be tried again") {
  std::atomic<int> living = 0;
  const NodePtr node = counted(living, {counted(living)});
  CHECK_THROWS_AS(node->value_or([]() -> Storage { throw std::runtime_error("no"); }),
                  std::runtime_error);
  CHECK_FALSE(node->is_stored());
  CHECK(living == 2);
  node->value_or(two_elements);
  CHECK(node->is_stored());
}

TEST_CASE("of many threads that ask for a value one computes it, and all see it") {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> living = 0, computed = 0, differing = 0;
    const NodePtr node = counted(living, {counted(living)});
    const Storage value = two_elements();
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&] {
        const Storage& seen = node->value_or([&] {
          ++computed;
          std::this_thread::yield();
          return value;
        });
        if (seen != value) ++differing;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(computed == 1);
    CHECK(differing == 0);
    CHECK(living == 1);
  }
}

TEST_CASE("threads that share nodes free each of them once") {
  std::atomic<int> living = 0;
  for (int round = 0; round < 20; ++round) {
    NodePtr shared = counted(living);
    for (int k = 0; k < 200; ++k) shared = counted(living, {shared, shared});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&living, mine = shared]() mutable {
        for (int k = 0; k < 200; ++k) {
          NodePtr above = counted(living, {mine, mine});
          for (int j = 0; j < 5; ++j) above = counted(living, {std::move(above), mine});
        }
        mine = NodePtr();
      });
    shared = NodePtr();
    for (std::thread& thread : threads) thread.join();
    CHECK(living == 0);
  }
}

TEST_CASE("threads that copy inputs while a value comes see all of them or none") {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> living = 0, torn = 0;
    NodePtr node = counted(living, {counted(living), counted(living), counted(living)});
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&torn, mine = node] {
        for (int k = 0; k < 100; ++k) {
          if (const auto inputs = mine->inputs(); inputs && inputs->size() != 3) ++torn;
        }
      });
    node->value_or(two_elements);
    for (std::thread& thread : threads) thread.join();
    CHECK(torn == 0);
    CHECK(living == 1);
    threads.clear();
    node = NodePtr();
    CHECK(living == 0);
  }
}

TEST_CASE("a tensor that was moved from says so") {
  std::atomic<int> living = 0;
  Tensor x(counted(living));
  const Tensor y = std::move(x);
  CHECK(y.rank() == 1);
  CHECK_THROWS_AS(static_cast<void>(x.rank()), EmptyError);
  CHECK(living == 1);
}
