// SPDX-License-Identifier: Apache-2.0
// Results that read the same, evaluated together: a block of each in turn.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include <weft/engine/run/executable.h>
#include <weft/engine/view/executable_text.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;

namespace {

Executable executable_of(const std::vector<Tensor>& results) {
  std::vector<NodePtr> roots;
  for (const Tensor& result : results) roots.push_back(result.node_ptr());
  Executable executable(make_plan(Expression(roots)));
  executable.make_ready(Bases(results.size(), OutputTarget::no_base));
  return executable;
}

/// How many passes are run along with another one.
std::size_t beside(const std::vector<Tensor>& results) {
  const Executable executable = executable_of(results);
  std::size_t count = 0;
  for (const ExecutablePass& pass : executable.passes()) count += pass.beside;
  return count;
}

bool are_equal(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.node().value().get(), b.node().value().get(),
                     static_cast<std::size_t>(a.bytes())) == 0;
}

Tensor mixed(std::int64_t count, std::int64_t modulus, DType type) {
  return (iota<std::int32_t>({count}) % modulus).astype(type).eval();
}

/// Results of several sizes of element, of operands of one type.
std::vector<Tensor> results_of(const Tensor& a, const Tensor& b) {
  return {a + b, a < b, (a - b).astype(f64), maximum(a, b) * a + 1};
}

}  // namespace

TEST_CASE("results that read the same are computed block by block beside one another") {
  for (const DType type : {i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64})
    for (const std::int64_t count : {1 << 20, 1'000'003, 2'097'169}) {
      const Tensor a = mixed(count, 113, type), b = mixed(count, 97, type);
      CHECK(beside(results_of(a, b)) == 3);
      std::vector<Tensor> alone = results_of(a, b);
      for (Tensor& each : alone) each.eval();
      for (const int threads : {1, 2, 3}) {
        INFO(std::string(type.name()), " ", count, " elements, threads: ", threads);
        std::vector<Tensor> together = results_of(a, b);
        eval(together, {.threads = threads});
        for (std::size_t k = 0; k < alone.size(); ++k) CHECK(are_equal(alone[k], together[k]));
      }
    }
}

TEST_CASE("explain says which passes are run beside one another") {
  const Tensor a = mixed(1 << 20, 113, f32), b = mixed(1 << 20, 97, f32);
  const std::string text = executable_text(executable_of({a + b, a - b}), "eval", "");
  CHECK(text.find(", block by block beside pass 1") != std::string::npos);
}

TEST_CASE("at most four passes are run beside one another, the next begin anew") {
  const Tensor a = mixed(1 << 20, 113, f32), b = mixed(1 << 20, 97, f32);
  const std::vector<Tensor> results{a + b, a - b, a * b, a / b, minimum(a, b), maximum(a, b)};
  const Executable executable = executable_of(results);
  std::vector<std::size_t> counts;
  for (const ExecutablePass& pass : executable.passes()) counts.push_back(pass.beside);
  CHECK(counts == std::vector<std::size_t>{3, 0, 0, 0, 1, 0});
}

TEST_CASE("passes stay apart where they read nothing in common, or one reads the other") {
  const Tensor a = mixed(1 << 20, 113, f32), b = mixed(1 << 20, 97, f32);
  CHECK(beside({a + 1, b + 1}) == 0);
  const Tensor sum = a + b;
  CHECK(beside({sum, sum * a}) == 0);                                        // reads the first
  CHECK(beside({a + b, a.flip(0) - b.flip(0)}) == 0);                        // met by other boxes
  CHECK(beside({a.slice({0}, {1000}) + 1, a.slice({0}, {1000}) - 1}) == 0);  // one task
}

TEST_CASE(
    "results beside one another go into memory of the caller, and over nothing that is read") {
  const Tensor a = mixed(1'000'003, 113, f32), b = mixed(1'000'003, 97, f32);
  const std::vector<Tensor> alone{(a + b).eval(), (a - b).eval()};
  {
    Tensor x = mixed(1'000'003, 113, f32), y = mixed(1'000'003, 97, f32);
    std::vector<Tensor> given_up{x + y, x - y};
    x = Tensor(), y = Tensor();
    eval(given_up);
    for (std::size_t k = 0; k < 2; ++k) CHECK(are_equal(alone[k], given_up[k]));
  }
  const std::vector<Tensor> results{a + b, a - b};
  const Executable executable = executable_of(results);
  REQUIRE(executable.passes()[0].beside == 1);
  std::vector<float> first(1'000'003 + 1, -7.0f), second(1'000'003 + 1, -7.0f);
  const OutputTarget targets[] = {{reinterpret_cast<std::byte*>(first.data())},
                                  {reinterpret_cast<std::byte*>(second.data())}};
  run(executable, targets, {});
  CHECK(std::memcmp(first.data(), alone[0].node().value().get(), 4 * 1'000'003) == 0);
  CHECK(std::memcmp(second.data(), alone[1].node().value().get(), 4 * 1'000'003) == 0);
  CHECK(first.back() == -7.0f);
  CHECK(second.back() == -7.0f);
}

TEST_CASE("a program that records several results runs them beside one another") {
  const Tensor a = mixed(1'000'003, 113, f32), b = mixed(1'000'003, 97, f32);
  const Program program({placeholder(f32, {"n"}), placeholder(f32, {"n"})},
                        [](const Tensor& x, const Tensor& y) {
                          return std::vector<Tensor>{x + y, x < y};
                        });
  const std::vector<Tensor> alone{(a + b).eval(), (a < b).eval()};
  const std::vector<Tensor> made = program(a, b);
  REQUIRE(made.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) CHECK(are_equal(alone[k], made[k]));
}

TEST_CASE("results beside one another take the memory that they take one after the other") {
  const Tensor a = mixed(1 << 20, 113, f32), b = mixed(1 << 20, 97, f32);
  const std::vector<Tensor> results{a + b, a - b};
  CHECK_THROWS_AS(eval(results, {.memory_limit = (8 << 20) - 1}), MemoryError);
  for (const Tensor& each : results) CHECK_FALSE(each.is_stored());
  eval(results, {.memory_limit = 8 << 20});
  CHECK(are_equal(results[0], (a + b).eval()));
  CHECK(are_equal(results[1], (a - b).eval()));
}

TEST_CASE("random expressions of the same operands are the same beside one another") {
  std::size_t run_beside = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const auto drawn = [&] {
      weft::testing::Random random(seed);
      const std::int64_t count = random.in(262'145, 400'000);
      const Tensor a = mixed(count, 113, f32), b = mixed(count, 97, f32);
      std::vector<Tensor> results;
      for (std::int64_t k = random.in(2, 5); k > 0; --k) {
        Tensor value = random.one_in(2) ? a : b;
        for (std::int64_t steps = random.in(1, 5); steps > 0; --steps) {
          const Tensor& other = random.one_in(2) ? a : b;
          switch (random.below(5)) {
            case 0:
              value = value + other;
              break;
            case 1:
              value = other - value;
              break;
            case 2:
              value = maximum(value, other) * 2;
              break;
            case 3:
              value = where(value < other, value, other);
              break;
            default:
              value = value.abs().sqrt();
          }
        }
        results.push_back(random.one_in(3)   ? value.astype(f64)
                          : random.one_in(3) ? value < a
                                             : value);
      }
      return results;
    };
    const std::vector<Tensor> alone = drawn(), together = drawn();
    for (const Tensor& each : alone) each.eval();
    run_beside += beside(together);
    eval(together);
    for (std::size_t k = 0; k < alone.size(); ++k) CHECK(are_equal(alone[k], together[k]));
  }
  CHECK(run_beside > 30);
}
