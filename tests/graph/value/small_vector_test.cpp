// SPDX-License-Identifier: Apache-2.0
// SmallVector: inside itself and on the heap, and every way between the two.
#include <doctest/doctest.h>
#include <weft/graph/value/small_vector.h>

#include <csignal>
#include <cstdint>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using weft::SmallVector;

namespace {

using Four = SmallVector<std::int64_t, 4>;

/// 0, 1, ..., count - 1.
Four counted(std::size_t count) {
  Four values;
  for (std::size_t k = 0; k < count; ++k) values.push_back(static_cast<std::int64_t>(k));
  return values;
}

bool is_inside(const Four& values) {
  const auto at = reinterpret_cast<std::uintptr_t>(values.data());
  const auto self = reinterpret_cast<std::uintptr_t>(&values);
  return at >= self && at < self + sizeof(values);
}

/// Sizes inside, at the edge, just beyond and far beyond.
constexpr std::size_t sizes[] = {0, 1, 3, 4, 5, 8, 9, 100};

#ifndef NDEBUG
/// The signal that ends a process of its own that does `work`, or 0.
template <class Work>
int signal_of(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    close(STDERR_FILENO);
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_CASE("debug builds stop at an element that is not there") {
  const Four two = counted(2), none;
  volatile std::int64_t seen = 0;
  CHECK(signal_of([&] { seen = two[1]; }) == 0);
  CHECK(signal_of([&] { seen = two[2]; }) == SIGABRT);
  CHECK(signal_of([&] { seen = two[7]; }) == SIGABRT);
  CHECK(signal_of([&] { seen = none.front(); }) == SIGABRT);
  CHECK(signal_of([&] { seen = none.back(); }) == SIGABRT);
  CHECK(signal_of([&] { Four().pop_back(); }) == SIGABRT);
}
#endif

}  // namespace

TEST_CASE("a small vector starts empty, inside itself") {
  const Four values;
  CHECK(values.empty());
  CHECK(values.size() == 0);
  CHECK(values.begin() == values.end());
  CHECK(is_inside(values));
}

TEST_CASE("a small vector is made from a count, a list, a span and iterators") {
  const std::vector<std::int64_t> source{1, 2, 3, 4, 5};
  CHECK(Four(3) == Four{0, 0, 0});
  CHECK(Four(5, 7) == Four{7, 7, 7, 7, 7});
  CHECK(Four(std::span<const std::int64_t>(source)) == Four{1, 2, 3, 4, 5});
  CHECK(Four(source.begin(), source.end()) == Four{1, 2, 3, 4, 5});
  CHECK(Four(std::span<const std::int64_t>()).empty());
}

TEST_CASE("a small vector grows onto the heap and keeps its elements") {
  Four values;
  for (std::int64_t k = 0; k < 1000; ++k) {
    values.push_back(k);
    CHECK(values.back() == k);
    CHECK(is_inside(values) == (k < 4));
  }
  CHECK(values == counted(1000));
  CHECK(values.front() == 0);
}

TEST_CASE("copies are equal and apart, between any two sizes") {
  for (const std::size_t from : sizes)
    for (const std::size_t to : sizes) {
      const Four source = counted(from);
      Four made(source), assigned = counted(to);
      assigned = source;
      CHECK(made == source);
      CHECK(assigned == source);
      made.push_back(-1);
      assigned.push_back(-2);
      CHECK(source == counted(from));
      CHECK(made.back() == -1);
    }
}

TEST_CASE("moves take the elements and leave nothing, between any two sizes") {
  for (const std::size_t from : sizes)
    for (const std::size_t to : sizes) {
      Four source = counted(from);
      Four made(std::move(source));
      CHECK(made == counted(from));
      CHECK(source.empty());
      CHECK(is_inside(source));
      Four assigned = counted(to);
      assigned = std::move(made);
      CHECK(assigned == counted(from));
      CHECK(made.empty());
      made.push_back(5);
      CHECK(made == Four{5});
      CHECK(assigned == counted(from));
    }
}

TEST_CASE("a move from the heap takes the block itself") {
  Four source = counted(9);
  const std::int64_t* block = source.data();
  const Four moved(std::move(source));
  CHECK(moved.data() == block);
}

TEST_CASE("a heap vector that has shrunk copies and moves as any other") {
  Four source = counted(50);
  source.resize(2);
  Four copied(source), assigned = counted(20);
  assigned = source;
  CHECK(copied == Four{0, 1});
  CHECK(assigned == Four{0, 1});
  CHECK(Four(std::move(source)) == Four{0, 1});
}

TEST_CASE("assigning a vector to itself changes nothing") {
  for (const std::size_t size : sizes) {
    Four values = counted(size);
    Four& same = values;
    values = same;
    CHECK(values == counted(size));
    values = std::move(same);
    CHECK(values == counted(size));
  }
}

TEST_CASE("swapping exchanges the elements, between any two sizes") {
  for (const std::size_t one : sizes)
    for (const std::size_t two : sizes) {
      Four a = counted(one), b = counted(two);
      std::swap(a, b);
      CHECK(a == counted(two));
      CHECK(b == counted(one));
    }
}

TEST_CASE("an element may be pushed, inserted or filled in from the vector itself") {
  for (const std::size_t size : {1u, 3u, 4u, 8u, 16u}) {
    Four pushed = counted(size), inserted = counted(size), resized = counted(size);
    pushed.push_back(pushed.back());
    CHECK(pushed[size] == static_cast<std::int64_t>(size) - 1);
    inserted.insert(inserted.begin(), inserted.back());
    CHECK(inserted.front() == static_cast<std::int64_t>(size) - 1);
    resized.resize(100, resized.back());
    CHECK(resized.back() == static_cast<std::int64_t>(size) - 1);
  }
}

TEST_CASE("insert puts an element at any place, also where the vector must grow") {
  for (const std::size_t size : {0u, 1u, 3u, 4u, 5u, 8u})
    for (std::size_t at = 0; at <= size; ++at) {
      Four values = counted(size);
      std::vector<std::int64_t> expected(values.begin(), values.end());
      values.insert(values.begin() + at, -1);
      expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(at), -1);
      CHECK(values == Four(expected.begin(), expected.end()));
    }
}

TEST_CASE("erase removes an element from any place") {
  for (const std::size_t size : {1u, 4u, 5u, 9u})
    for (std::size_t at = 0; at < size; ++at) {
      Four values = counted(size);
      std::vector<std::int64_t> expected(values.begin(), values.end());
      values.erase(values.begin() + at);
      expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
      CHECK(values == Four(expected.begin(), expected.end()));
    }
}

TEST_CASE("resize cuts off, or fills with the value given") {
  Four values = counted(3);
  values.resize(6, 9);
  CHECK(values == Four{0, 1, 2, 9, 9, 9});
  values.resize(2);
  CHECK(values == Four{0, 1});
  values.resize(4);
  CHECK(values == Four{0, 1, 0, 0});
  values.pop_back();
  CHECK(values.size() == 3);
  values.clear();
  CHECK(values.empty());
}

TEST_CASE("vectors are equal where their elements are, wherever they live") {
  Four heap = counted(50);
  heap.resize(3);
  CHECK(heap == counted(3));
  CHECK_FALSE(counted(3) == counted(4));
  CHECK_FALSE(Four{1, 2} == Four{1, 3});
}

TEST_CASE("elements wider than a word keep their alignment on the heap") {
  struct alignas(32) Wide {
    double parts[4];
  };
  SmallVector<Wide, 1> values;
  for (int k = 0; k < 10; ++k) {
    values.push_back({{static_cast<double>(k)}});
    CHECK(reinterpret_cast<std::uintptr_t>(values.data()) % 32 == 0);
  }
  CHECK(values[9].parts[0] == 9);
}
