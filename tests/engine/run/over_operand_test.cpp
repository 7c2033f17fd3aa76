// SPDX-License-Identifier: Apache-2.0
// Programs over operands: the result lies where an operand lay that nobody needs any more.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include <weft/engine/run/executable.h>
#include <weft/weft.h>

#include "support/values.h"

using namespace weft;
using weft::testing::values_of;

namespace {

/// Where the value lies, and what `make` makes of a tensor that nobody else holds.
struct Made {
  bool is_over;
  Tensor value;
};
Made made_of(Tensor x, const std::function<Tensor(const Tensor&)>& make,
             const EvalOptions& options = {}) {
  x.eval();
  const void* const memory = x.node().value().get();
  Tensor y = make(x);
  x = Tensor();
  y.eval(options);
  return {y.node().value().get() == memory, y};
}

/// The same with `x` held: nothing is over it, and it is not changed.
Tensor made_beside(const Tensor& x, const std::function<Tensor(const Tensor&)>& make) {
  const Tensor y = make(x.eval());
  const auto* const bytes = x.node().value().get();
  const std::vector<std::byte> before(bytes, bytes + x.bytes());
  y.eval();
  CHECK(y.node().value().get() != bytes);
  CHECK(std::memcmp(before.data(), bytes, before.size()) == 0);
  return y;
}

bool are_equal(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.node().value().get(), b.node().value().get(),
                     static_cast<std::size_t>(a.bytes())) == 0;
}

/// Whether it is over its operand, and equal to what it is beside it.
bool is_over(const std::function<Tensor()>& operand,
             const std::function<Tensor(const Tensor&)>& make, const EvalOptions& options = {}) {
  const Made made = made_of(operand(), make, options);
  CHECK(are_equal(made.value, made_beside(operand(), make)));
  return made.is_over;
}

std::function<Tensor()> counted(const Shape& shape) {
  return [shape] { return iota<float>(shape, 1); };
}

}  // namespace

TEST_CASE("over operands: of any size, on one thread and on several") {
  const auto make = [](const Tensor& x) { return (x + 1) * x - x.square() / 3; };
  for (const int threads : {1, 2, 0})
    for (const Shape& shape : {Shape{2, 3, 4}, Shape{127}, Shape{129}, Shape{1000, 3},
                               Shape{301, 1001}, Shape{3000, 1000}})
      CHECK(is_over(counted(shape), make, {.threads = threads}));
}

TEST_CASE("over operands: of another type, if its elements are as large") {
  CHECK(is_over(counted({1000}), [](const Tensor& x) { return x.astype(i32) + 1; }));
  CHECK(is_over([] { return iota<std::int16_t>({1000}); },
                [](const Tensor& x) { return x.astype(bf16) / 3; }));
  CHECK_FALSE(is_over(counted({1000}), [](const Tensor& x) { return x.astype(f64) + 1; }));
  CHECK_FALSE(is_over(counted({1000}), [](const Tensor& x) { return x > 3; }));
}

TEST_CASE("over operands: beside others that are broadcast, turned, wider, or in several pieces") {
  const Tensor row = iota<float>({500}).eval(), column = iota<float>({400, 1}).eval();
  const Tensor turned = iota<float>({500, 400}).eval(), same = iota<float>({400, 500}).eval();
  const Tensor wide = iota<double>({400, 500}).eval();
  const auto operand = counted({400, 500});
  CHECK(is_over(operand, [&](const Tensor& x) { return x * row + column; }));
  CHECK(is_over(operand, [&](const Tensor& x) { return turned.transpose() - x * 2; }));
  CHECK(is_over(operand, [&](const Tensor& x) { return (x + same.roll({3, 7}, {0, 1})) * 2; }));
  CHECK(is_over(operand, [&](const Tensor& x) { return (x.astype(f64) + wide).astype(f32); }));
  CHECK(is_over(operand, [&](const Tensor& x) { return x.reshape({200000}).exp(); }));
}

TEST_CASE("over operands: short rows that are put side by side") {
  const Tensor row = iota<float>({3}).eval(), turned = iota<float>({3, 70000}).eval();
  const auto operand = counted({70000, 3});
  CHECK(is_over(operand, [&](const Tensor& x) { return (x - row) / 2; }));
  CHECK(is_over(operand, [&](const Tensor& x) { return (x - turned.transpose()) / row; }));
}

TEST_CASE("over operands: one op that has a kernel of its own") {
  const Tensor mask = full({70001}, true).eval();
  const auto masked = [&](const Tensor& x) { return where(mask.roll(1, 0), x, 0); };
  CHECK(is_over([] { return iota<int>({70001}); }, masked));
  CHECK(is_over([] { return iota<std::int64_t>({70001}); }, masked));
  CHECK(is_over([] { return iota<float>({70001}); }, masked));
  // Whose bytes are kept as they are.
  CHECK(is_over([] { return iota<int>({70001}).astype(f16); }, masked));
  CHECK(is_over([] { return full({70001}, true); },
                [&](const Tensor& x) { return where(x, mask, false); }));
}

TEST_CASE("never over operands: those that are read elsewhere, too") {
  const auto operand = counted({40, 50});
  CHECK_FALSE(is_over(operand, [](const Tensor& x) { return x + x.flip(0); }));
  CHECK_FALSE(is_over(operand, [](const Tensor& x) { return x.roll(1, 0) * 2; }));
  CHECK_FALSE(is_over(operand, [](const Tensor& x) {
    return x.reshape({50, 40}).transpose() * 2;
  }));
  CHECK_FALSE(is_over(operand, [](const Tensor& x) { return x.slice({1}, {40}) * 2; }));
  CHECK_FALSE(is_over(counted({2}), [](const Tensor& x) {
    return x + x.slice({0}, {1}).eval();  // an alias
  }));
  CHECK_FALSE(is_over(counted({1}), [](const Tensor& x) { return x * 2; }));
}

TEST_CASE("over operands: what an earlier pass reads, too, but no later one") {
  const auto operand = counted({400, 500});
  CHECK(is_over(operand, [](const Tensor& x) { return x * 2 + x.flip().stored(); }));
  const Tensor x = operand().eval();
  const Tensor expected = (x + 1).eval();
  Program both({placeholder(f32, {-1, -1})}, [](const Tensor& in) {
    const Tensor next = in + 1;
    return std::vector<Tensor>{next, in.flip()};
  });
  const auto results = both(operand().eval());
  CHECK(are_equal(results[0].eval(), expected));
  CHECK(are_equal(results[1].eval(), x.flip().eval()));
}

TEST_CASE("never over operands: memory that is not weft's own") {
  std::vector<float> memory{1, 2, 3, 4};
  CHECK(values_of((borrow(memory.data(), 4) + 1).astype(i32)) == std::vector<int>{2, 3, 4, 5});
  CHECK(memory == std::vector<float>{1, 2, 3, 4});
  CHECK_FALSE(
      made_of(from_vector(std::move(memory)), [](const Tensor& x) { return x + 1; }).is_over);
}

TEST_CASE("over operands: a step of a loop takes no memory") {
  Tensor x = iota<float>({300, 1000}).eval();
  const Tensor g = full({300, 1000}, 0.5f).eval();
  const void* const memory = x.node().value().get();
  PlanCache cache(4);
  for (int step = 0; step < 6; ++step) {
    x = x * 0.5f + g;
    if (step % 2 == 0) x.eval({.memory_limit = 1});
    else x.eval({.plans = &cache});
    CHECK(x.node().value().get() == memory);
  }
  CHECK(cache.hits() == 2);
  CHECK(x.data<float>()[0] == doctest::Approx(0.984375f));
}

TEST_CASE("over operands: an input of a program that is given up") {
  const Program program(
      {placeholder(f32, {-1}), placeholder(f32, {-1})},
      [](const Tensor& x, const Tensor& y) { return std::vector<Tensor>{x * 2 + y}; });
  Tensor x = iota<float>({100000}).eval();
  const Tensor y = iota<float>({100000}).eval();
  const void* memory = x.node().value().get();
  x = program(std::move(x), y)[0];
  CHECK(x.node().value().get() == memory);
  CHECK(x.data<float>()[99999] == 3 * 99999.0f);
  CHECK(y.data<float>()[99999] == 99999.0f);
  memory = y.node().value().get();
  const Tensor z = program(x, y)[0];
  CHECK(z.node().value().get() != memory);
  CHECK(z.node().value().get() != x.node().value().get());
}

TEST_CASE("over operands: what is required and cannot be says why") {
  const EvalOptions in_place{.in_place = true};
  const Tensor x = iota<float>({4, 5}).eval();
  const auto message_of = [&](const Tensor& y) {
    try {
      y.eval(in_place);
    } catch (const InPlaceError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message_of(x + 1) ==
        "eval: add [4, 5] cannot be made in place: source 0 is held elsewhere, too");
  CHECK(message_of(x.flip() + x) ==
        "eval: add [4, 5] cannot be made in place: source 0 is read elsewhere than it would be "
        "written");
  CHECK(made_of(
            iota<float>({4, 5}), [](const Tensor& own) { return own + 1; }, in_place)
            .is_over);
}

TEST_CASE("over operands: explain says so") {
  Tensor x = iota<float>({4, 5}).eval();
  const Tensor y = x + 1;
  CHECK(explain(y).find("in place, over") == std::string::npos);
  x = Tensor();
  CHECK(explain(y).find("in place, over source") != std::string::npos);
}

TEST_CASE("over operands: a value that was stored on the way is the result's memory") {
  const Tensor x = iota<float>({300, 1000}).eval();
  const auto make = [&] { return x.roll({3, 5}, {0, 1}).stored() * 2 + x; };
  CHECK(explain(make()).find(", over pass 1\n") != std::string::npos);
  Tensor y = make();
  const Tensor expected = (x.roll({3, 5}, {0, 1}).eval() * 2 + x).eval();
  // One block of its size, for the result and for what is stored.
  y.eval({.memory_limit = y.bytes() + y.bytes() / 2});
  CHECK(are_equal(y, expected));
  CHECK_THROWS_AS(make().eval({.memory_limit = y.bytes() - 1}), MemoryError);
  // Not where it goes elsewhere: kept, and run again.
  const Tensor again = make();
  std::vector<float> out(300000);
  for (int turn = 0; turn < 3; ++turn) {
    std::fill(out.begin(), out.end(), 0.0f);
    eval_into(again, out);
    CHECK(std::memcmp(out.data(), expected.data<float>(), out.size() * 4) == 0);
  }
  CHECK(are_equal(again.eval(), expected));
}

TEST_CASE("over operands: three passes over one another, and none where the value is read again") {
  const Tensor x = iota<float>({300, 1000}).eval();
  const auto chain = [&](const auto& pass) {
    const Tensor a = pass(x.flip()) * 2;
    const Tensor b = pass(pass(a) + x);
    return (b - 1).eval({.memory_limit = 5 * x.bytes()});
  };
  CHECK(are_equal(chain([](const Tensor& t) { return t.stored(); }),
                  chain([](const Tensor& t) { return t.eval(); })));
  const auto twice = [&](const auto& pass) {
    const Tensor a = pass(x.flip());
    const Tensor b = pass(a * 2 + 1);
    return (b + a.roll(1, 0)).eval();
  };
  CHECK(are_equal(twice([](const Tensor& t) { return t.stored(); }),
                  twice([](const Tensor& t) { return t.eval(); })));
}

TEST_CASE("over operands: threads that ask for the value while it is made") {
  for (int turn = 0; turn < 50; ++turn) {
    Tensor x = iota<float>({200, 500}).eval();
    const Tensor y = x * 2 + 1, z = y.flip();
    x = Tensor();
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int k = 0; k < 3; ++k)
      threads.emplace_back([&, k] {
        const Tensor mine = k == 0 ? z : y;
        right += mine.data<float>()[k == 0 ? 0 : 99999] == 2 * 99999.0f + 1;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(right == 3);
  }
}

TEST_CASE("over operands: chosen by a kernel, from either, in rows that end within a vector") {
  for (const std::int64_t count : {3, 17, 1003, 70'001}) {
    CAPTURE(count);
    const auto a = [&] { return iota<float>({count}).eval(); };
    const auto b = [&] { return (-iota<float>({count}) - 1).eval(); };
    const Tensor mask = (iota<std::int32_t>({count}) % 3 == 0).eval();
    const Tensor expected = where(mask, a(), b()).eval();
    for (const bool is_first : {true, false}) {
      Tensor given = is_first ? a() : b();
      const Tensor other = is_first ? b() : a();
      const float* const memory = given.data<float>();
      const Tensor y = is_first ? where(mask, given, other) : where(mask, other, given);
      given = Tensor();
      CHECK(explain(y).find("select") != std::string::npos);
      CHECK(y.data<float>() == memory);
      CHECK(are_equal(y, expected));
    }
  }
  // The condition is as wide as the result.
  for (const std::int64_t count : {3, 17, 1003, 70'001}) {
    CAPTURE(count);
    Tensor holds = (iota<std::int32_t>({count}) % 3 == 0).eval();
    const Tensor yes = (iota<std::int32_t>({count}) % 2 == 0).eval(), no = (yes == false).eval();
    const Tensor expected = where((holds == true).eval(), yes, no).eval();
    const bool* const memory = holds.data<bool>();
    const Tensor y = where(holds, yes, no);
    holds = Tensor();
    CHECK(explain(y).find("select") != std::string::npos);
    CHECK(y.data<bool>() == memory);
    CHECK(are_equal(y, expected));
  }
}
