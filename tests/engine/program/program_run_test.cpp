// SPDX-License-Identifier: Apache-2.0
// Programs at work: threads, bounded plans, memory of the caller, inputs that do not fit.
#include <doctest/doctest.h>
#include <weft/eigen.h>

#include <atomic>
#include <thread>

#include "support/recipe.h"
#include <weft/testing/reference.h>

namespace weft::testing {
namespace {

bool is_same(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         reference_value(a) == reference_value(b);
}

/// A tensor of `count` from `start` in memory of its own.
Tensor counted(const Ints& shape, int start = 0) { return iota<int>(shape, start); }

std::vector<int> values_of(const Tensor& tensor) {
  return {tensor.span<int>().begin(), tensor.span<int>().end()};
}

Program turn() {
  return {{placeholder(i32, {"rows", 4}, "x"), placeholder(i64, {}, "shift")},
          [](const Tensor& x, const Tensor& shift) { return x.roll(shift, 1).transpose(); }};
}

/// Writes a row where the third input says.
Program writer() {
  return {{placeholder(i32, {"rows", 3}, "cache"), placeholder(i32, {1, 3}, "row"),
           placeholder(i64, {1}, "start"), placeholder(i64, {1}, "stop")},
          [](const Tensor& cache, const Tensor& row, const Tensor& start, const Tensor& stop) {
            return cache.slice_scatter(row, start, stop);
          }};
}

template <class Error, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_CASE("programs: threads run one at the same time") {
  const Program program = turn();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        const Tensor x = counted({1 + i % 3, 4}, 100 * t + i);
        const Tensor y = program(x, scalar<std::int64_t>(i % 5))[0];
        if (!is_same(y, x.roll(i % 5, 1).transpose())) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(program.hits() > 0);
}

TEST_CASE("programs: threads give inputs up at the same time") {
  const Program program = writer();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Tensor cache = counted({8, 3});
      const int* const memory = cache.data<int>();
      std::vector<int> expected = values_of(cache);
      for (int i = 0; i < 300; ++i) {
        const int row = i % 8;
        cache = program(std::move(cache), full<int>({1, 3}, 1000 * t + i).eval(),
                        array<std::int64_t>({row}), array<std::int64_t>({row + 1}))[0];
        std::fill_n(expected.begin() + 3 * row, 3, 1000 * t + i);
        if (cache.data<int>() != memory || values_of(cache) != expected) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("programs: a tensor that threads share is given up by none") {
  const Program program = writer();
  const Tensor shared = counted({8, 3});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const Tensor row = full<int>({1, 3}, -t).eval();
      for (int i = 0; i < 200; ++i) {
        Tensor mine = shared;
        const Tensor y = program(std::move(mine), row, array<std::int64_t>({t}),
                                 array<std::int64_t>({t + 1}))[0];
        if (y.data<int>()[3 * t] != -t || y.data<int>()[3 * t + 3] != 3 * t + 3) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(values_of(shared) == values_of(counted({8, 3})));
}

TEST_CASE("programs: a thousand shifts are right, few plans are kept") {
  const Program program(
      {placeholder(i32, {"n"}), placeholder(i64, {})},
      [](const Tensor& x, const Tensor& shift) { return x.roll(shift, 0); }, 8);
  const Tensor x = counted(1500);
  for (int shift = 0; shift < 1000; ++shift)
    REQUIRE(values_of(
                program(x, scalar<std::int64_t>(shift))[0])[static_cast<std::size_t>(shift)] == 0);
  CHECK(program.hits() == 0);
  // The last eight are there, and nothing from before.
  for (int shift = 999; shift > 991; --shift) program(x, scalar<std::int64_t>(shift));
  CHECK(program.hits() == 8);
  program(x, scalar<std::int64_t>(991));
  CHECK(program.hits() == 8);
}

TEST_CASE("programs: none keep plans where they may keep none") {
  const Program program(
      {placeholder(i32, {"n"})}, [](const Tensor& x) { return x.flip(); }, 0);
  for (int i = 0; i < 3; ++i) CHECK(values_of(program(counted(3))[0]) == std::vector<int>{2, 1, 0});
  CHECK(program.hits() == 0);
}

TEST_CASE("programs: inputs that do not fit are named") {
  const Program program(
      {placeholder(i32, {"n", 4}, "x"), placeholder(i32, {"n", Dim(1, 9)}), placeholder(i64, {})},
      [](const Tensor& x, const Tensor& y, const Tensor& shift) {
        return std::vector<Tensor>{x.roll(shift, 0), y};
      });
  const Tensor x = counted({2, 4}), y = counted({2, 5}), shift = scalar<std::int64_t>(1);
  CHECK(program(x, y, shift).size() == 2);
  CHECK(message_of<ParameterError>([&] { program(x, y); }) ==
        "program: 2 inputs are given, expected 3");
  CHECK(message_of<DtypeError>([&] {
          program(iota<float>({2, 4}), y, shift);
        }) == "program: input 0 (x) is f32, expected i32");
  CHECK(message_of<ShapeError>([&] {
          program(counted({2, 4, 1}), y, shift);
        }) == "program: input 0 (x) has shape [2, 4, 1], expected [n, 4]");
  CHECK(message_of<ShapeError>([&] {
          program(counted({2, 3}), y, shift);
        }) == "program: input 0 (x) has shape [2, 3], expected [n, 4]");
  CHECK(message_of<ShapeError>([&] {
          program(x, counted({2, 10}), shift);
        }) == "program: input 1 has shape [2, 10], expected [n, 1..9]");
  CHECK(message_of<ShapeError>([&] {
          program(x, counted({3, 5}), shift);
        }) == "program: input 1 has shape [3, 5], expected [n, 1..9] where n is 2");
  CHECK_THROWS_AS(program(x, y, placeholder(i64, {})), OpenError);
  // Refused before it costs anything, and without harm to what comes later.
  const Tensor lazy = counted({4, 3}).transpose();
  CHECK_THROWS_AS(program(x, lazy, shift), ShapeError);
  CHECK_FALSE(lazy.is_stored());
  CHECK(is_same(program(x, y, shift)[0], x.roll(1, 0)));
}

TEST_CASE("programs: what an op refuses when it runs is thrown each time") {
  const Program program = writer();
  const Tensor cache = counted({8, 3}), row = counted({1, 3});
  const Tensor start = array<std::int64_t>({1}), stop = array<std::int64_t>({3});
  for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(program(cache, row, start, stop), ShapeError);
  CHECK(program(cache, row, start, array<std::int64_t>({2})).size() == 1);
}

TEST_CASE("programs: one tensor for two inputs is given up by neither") {
  const Program program({placeholder(i32, {4, 3}), placeholder(i32, {"rows", 3})},
                        [](const Tensor& x, const Tensor& y) {
                          return x.slice_scatter(y.slice({3}, {4}), {0}, {1});
                        });
  Tensor x = counted({4, 3});
  const int* const memory = x.data<int>();
  Tensor same = x;
  const Tensor y = program(std::move(x), std::move(same))[0];
  CHECK(y.data<int>() != memory);
  CHECK(values_of(y) == std::vector<int>{9, 10, 11, 3, 4, 5, 6, 7, 8, 9, 10, 11});
}

TEST_CASE("programs: an alias of an input is not written over") {
  const Program program = writer();
  Tensor cache = counted({2, 3});
  const Tensor flat = cache.reshape({6}).eval();
  const Tensor y = program(std::move(cache), full<int>({1, 3}, 9).eval(), array<std::int64_t>({0}),
                           array<std::int64_t>({1}))[0];
  CHECK(values_of(y) == std::vector<int>{9, 9, 9, 3, 4, 5});
  CHECK(values_of(flat) == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("programs: in place where asked for, or an error that says why not") {
  const Program program = writer();
  const Tensor row = full<int>({1, 3}, 9).eval();
  const Tensor start = array<std::int64_t>({0}), stop = array<std::int64_t>({1});
  const EvalOptions in_place{.in_place = true};
  Tensor cache = counted({4, 3});
  const int* const memory = cache.data<int>();
  // A lazy input is evaluated as ever.
  cache = program(in_place, std::move(cache), row.flip(), start, stop)[0];
  CHECK(cache.data<int>() == memory);
  const Tensor held = cache;
  CHECK(message_of<InPlaceError>([&] { program(in_place, cache, row, start, stop); }) ==
        "program: output 0 [4, 3] cannot be made in place: input 0 (cache) is held elsewhere, too");
  int borrowed[12] = {};
  CHECK(message_of<InPlaceError>([&] {
          program(in_place, borrow(borrowed, {4, 3}), row, start, stop);
        }) ==
        "program: output 0 [4, 3] cannot be made in place: nothing it is made of has its "
        "size and is memory of weft's own");
  CHECK(borrowed[0] == 0);
  const Program both({placeholder(i32, {2, 2}, "x")}, [](const Tensor& x) {
    return std::vector<Tensor>{x.slice_scatter(full<int>({1, 2}, 0), {0}, {1}), x};
  });
  CHECK(message_of<InPlaceError>([&] {
          both(in_place, counted({2, 2}));
        }) ==
        "program: output 0 [2, 2] cannot be made in place: input 0 (x) is needed elsewhere, too");
  CHECK(values_of(both(counted({2, 2}, 1))[1]) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("programs: outputs that are inputs, constants, empty, of several types, or twice there") {
  const Tensor constant = counted({2}, 50);
  const Program program(
      {placeholder(i32, {"n", 2}), placeholder(f64, {"m"})}, [&](const Tensor& x, const Tensor& y) {
        const Tensor turned = x.transpose();
        return std::vector<Tensor>{
            turned, y.flip(), x, constant, turned, x.flip(), x.slice({0}, {0}), constant.flip()};
      });
  for (const std::int64_t n : {3, 0, 1}) {
    const Tensor x = counted({n, 2}), y = iota<double>(n + 1);
    const std::vector<Tensor> expected{x.transpose(),     y.flip(),       x,
                                       constant,          x.transpose(),  x.flip(),
                                       x.slice({0}, {0}), constant.flip()};
    const std::vector<Tensor> got = program(x, y);
    REQUIRE(got.size() == expected.size());
    std::vector<std::vector<std::byte>> memory;
    std::vector<Destination> destinations;
    for (const Tensor& tensor : expected) {
      memory.emplace_back(static_cast<std::size_t>(tensor.bytes()), std::byte{0xEE});
      destinations.push_back({memory.back().data(), tensor.bytes()});
    }
    program.run_into({x, y}, destinations);
    for (std::size_t k = 0; k < got.size(); ++k) {
      CHECK(is_same(got[k], expected[k]));
      CHECK(memory[k] == reference_value(expected[k]));
    }
    CHECK(&got[2].node() == &x.node());
  }
}

TEST_CASE("programs: into memory that overlaps the inputs") {
  const Program program({placeholder(i32, {6})}, [](const Tensor& x) {
    return std::vector<Tensor>{x.flip(), x, x.reshape({2, 3}), x.roll(1, 0)};
  });
  int memory[24] = {0, 1, 2, 3, 4, 5};
  for (const int place : {0, 1, 2, 3}) {
    // The input lies where one of the outputs goes.
    int* const input = memory + 6 * place;
    for (int i = 0; i < 6; ++i) input[i] = i;
    program.run_into({borrow(input, {6})},
                     {{memory, 24}, {memory + 6, 24}, {memory + 12, 24}, {memory + 18, 24}});
    CHECK(std::vector<int>(memory, memory + 24) ==
          std::vector<int>{5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 5, 0, 1, 2, 3, 4});
  }
  CHECK(message_of<ParameterError>([&] {
          program.run_into({counted(6)}, {{memory, 24}});
        }) == "program: 1 destinations are given, expected 4");
  CHECK(message_of<ShapeError>([&] {
          program.run_into({counted(6)}, {{memory, 24}, {memory, 20}, {memory, 24}, {memory, 24}});
        }) == "program: 20 bytes are given for output 1, i32 [6] has 24");
}

TEST_CASE("programs: a parameter that changes within its memory is read each time") {
  const Program program = turn();
  const Tensor x = counted({2, 4});
  std::int64_t memory = 1;
  const Tensor shift = borrow(&memory, {});
  for (const std::int64_t value : {1, 2, 1, -7}) {
    memory = value;
    CHECK(is_same(program(x, shift)[0], x.roll(value, 1).transpose()));
  }
  CHECK(program.hits() == 1);
}

TEST_CASE("programs: what is kept holds no inputs") {
  const Program program = turn();
  const auto owner = std::make_shared<std::vector<int>>(8, 3);
  const auto shift = std::make_shared<std::int64_t>(1);
  program(borrow(owner->data(), {2, 4}, owner), borrow(shift.get(), {}, shift));
  CHECK(owner.use_count() == 1);
  CHECK(shift.use_count() == 1);
}

TEST_CASE("one of several outputs is written in place, if nobody reads what was there") {
  using Tensors = std::vector<Tensor>;
  const auto row = full<int>({1, 3}, 7).eval();
  const auto run = [&](auto&& outputs_of, const EvalOptions& options = {}) {
    const Program program({placeholder(i32, {8, 3}, "cache"), placeholder(i32, {1, 3})},
                          outputs_of);
    Tensor cache = iota<int>({8, 3});
    const int* const memory = cache.data<int>();
    const Tensors expected = outputs_of(iota<int>({8, 3}), row);
    const Tensors got = program(options, std::move(cache), row);
    for (std::size_t k = 0; k < got.size(); ++k)
      CHECK(reference_value(got[k]) == reference_value(expected[k]));
    return std::any_of(got.begin(), got.end(),
                       [&](const Tensor& t) { return t.data<int>() == memory; });
  };
  CHECK(run([](const Tensor& cache, const Tensor& update) {
    const Tensor next = cache.slice_scatter(update, {2}, {3});
    return Tensors{next, next.slice({1}, {4}).transpose()};
  }));
  CHECK(run(
      [](const Tensor& cache, const Tensor& update) {
        const Tensor next = cache.slice_scatter(update, {2}, {3});
        return Tensors{next.slice({1}, {4}).transpose(), next};
      },
      {.in_place = true}));
  // The old rows are asked for, too: whichever pass comes last may write.
  run([](const Tensor& cache, const Tensor& update) {
    return Tensors{cache.slice_scatter(update, {2}, {3}), cache.flip(0)};
  });
  run([](const Tensor& cache, const Tensor& update) {
    return Tensors{cache.flip(0), cache.slice_scatter(update, {2}, {3})};
  });
  CHECK_FALSE(run([](const Tensor& cache, const Tensor& update) {
    return Tensors{cache.slice_scatter(update, {2}, {3}), cache.slice({1}, {8})};
  }));
  run([](const Tensor& cache, const Tensor& update) {
    return Tensors{cache.slice_scatter(update, {2}, {3}), cache.slice_scatter(update, {5}, {6})};
  });
}

TEST_CASE("what cannot be given to a program is refused") {
  const Program program({placeholder(i32, {2})}, [](const Tensor& x) { return x.flip(); });
  const Tensor x = iota<int>(2);
  CHECK_THROWS_AS(program.run_into({x}, {{nullptr, 8}}), ParameterError);
  int out[2];
  CHECK_THROWS_AS(program.run_into({x}, {{out, 8}}, {.in_place = true}), ParameterError);
  CHECK_THROWS_AS(program.output_shape(1), ParameterError);
  CHECK_THROWS_AS(Program({placeholder(i32, {2})},
                          [](const Tensor& given) {
                            Tensor moved = given.flip();
                            const Tensor other = std::move(moved);
                            return moved;
                          }),
                  EmptyError);
}

}  // namespace
}  // namespace weft::testing
