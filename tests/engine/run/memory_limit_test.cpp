// SPDX-License-Identifier: Apache-2.0
// The limit of memory holds for all that an evaluation takes, and is told in few words.
#include <doctest/doctest.h>
#include <weft/engine/run/executable.h>
#include <weft/engine/run/in_place.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <string>
#include <vector>

namespace weft {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const MemoryError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_CASE("what is certain to be too large is refused before it is planned") {
  const Tensor huge = full<int>({1 << 22, 1 << 22}, 1).tril();
  CHECK(refusal_of([&] { huge.eval({.memory_limit = mebibyte}); }) ==
        "tril [4194304, 4194304] has 70368744177664 bytes, at most "
        "1048576 are allowed");
  const Tensor half = full<int>({400, 400}, 1), other = full<int>({400, 400}, 2);
  const std::vector<Tensor> two{half.tril(), other.triu()};
  CHECK_THROWS_AS(eval(two, {.memory_limit = mebibyte}), MemoryError);
}

TEST_CASE("what lies in memory already takes none") {
  const Tensor x = iota<int>({1000, 1000});
  CHECK(x.reshape({10, 100000}).eval({.memory_limit = mebibyte}).is_stored());
  CHECK_THROWS_AS(x.flip().eval({.memory_limit = mebibyte}), MemoryError);
  Tensor given_up = iota<int>({1000, 1000});
  const int* const data = given_up.data<int>();
  const Tensor y = std::move(given_up).slice_scatter(full<int>({1, 1000}, 7), {0}, {1});
  y.eval({.memory_limit = mebibyte});
  CHECK(y.data<int>() == data);
}

TEST_CASE("parameters of a program that are tensors are within the limit") {
  const Program program{{placeholder(i32, {4}), placeholder(i64, {1}), placeholder(i64, {1})},
                        [](const Tensor& x, const Tensor& shift, const Tensor& count) {
                          return x.roll(shift.broadcast_to(count), 0);
                        }};
  const Tensor x = iota<int>({4});
  const auto run = [&](std::int64_t count) {
    program.run({x, array<std::int64_t>({1}), array<std::int64_t>({count})},
                {.memory_limit = mebibyte});
  };
  CHECK(refusal_of([&] { run(200'000'000); }) ==
        "%4 roll: a parameter of [200000000] i64 values is kept as 8 bytes each, at most 16777216 "
        "bytes are allowed for that");
  CHECK(refusal_of([&] { run(1'000'000); }) ==
        "%4 roll: broadcast_to [1000000] has 8000000 bytes, at most "
        "1048576 are allowed");
  CHECK_THROWS_AS(run(1000), ParameterError);
  CHECK_NOTHROW(run(1));
}

TEST_CASE("an index that is evaluated on the way counts beside the result, and is named") {
  constexpr std::int64_t n = 100'000;
  const Tensor x = iota<int>({n}), lists = iota<std::int64_t>({n});  // 400,000 and 800,000 bytes
  const auto taken = [&](const Tensor& index, std::int64_t limit) {
    return refusal_of([&] { x.take(index).eval({.memory_limit = limit}); });
  };
  CHECK(taken(lists.flip(), 1'250'000) == "nothing was thrown");
  CHECK(taken(lists.flip().eval(), 500'000) == "nothing was thrown");
  CHECK(taken(lists.flip(), 1'150'000) ==
        "eval: result [100000] takes 400000 bytes beside 0 of this evaluation, at most 350000 are "
        "allowed");
  CHECK(taken(lists.flip(), 700'000) ==
        "take: its index flip [100000]: eval: result [100000] takes 800000 bytes beside 0 of this "
        "evaluation, at most 700000 are allowed");
  CHECK(taken((lists + 1).stored().roll(1, 0), 1'000'000) ==
        "take: its index roll [100000]: eval: result [100000] takes 800000 bytes beside 800000 of "
        "this evaluation, at most 1000000 are allowed");
  const Tensor a = x.take(lists.flip()), b = x.take(lists.roll(1, 0));
  const std::vector<Tensor> both{a, b};
  CHECK_THROWS_AS(eval(both, {.memory_limit = 2'300'000}), MemoryError);
  std::vector<std::byte> out(4 * n);
  const Tensor c = x.take(lists.flip());
  CHECK_NOTHROW(eval_into(c, out.data(), 4 * n, {.memory_limit = 900'000}));
  CHECK_NOTHROW(eval_into(c, out.data(), 4 * n, {.memory_limit = 900'000}));
}

TEST_CASE("copies of indices and tables of a plan are within the limit, and told") {
  const Tensor x = iota<std::uint8_t>({256});
  const Tensor indices = full<std::uint8_t>({6'200'000, 1}, 3).flip(0);  // no stored list of int64
  const Tensor y = x.gather_nd(indices);
  CHECK_THROWS_AS(y.eval({.memory_limit = 20 * mebibyte}), MemoryError);
  CHECK(explain(y).find("of boxes, steps, tables and copies of indices") != std::string::npos);
  CHECK(y.eval({.memory_limit = 400 * mebibyte}).size() == 6'200'000);
}

TEST_CASE("what scatters make of an index is within the limit") {
  const std::int64_t count = 3 << 20;  // 24 MiB of copies, 48 of what adds; 16 are always allowed
  const Tensor index = zeros({count}, i32).add(0).eval(), updates = zeros({count}).add(0).eval();
  const Tensor data = zeros({16});
  const auto refuses = [&](const Tensor& x) {
    const std::string refusal = refusal_of([&] { x.eval({.memory_limit = mebibyte}); });
    CHECK(refusal.find("bytes are left for that") != std::string::npos);
  };
  refuses(data.index_put(index, updates, 0, "add"));
  refuses(data.scatter_elements(index, updates, 0, "add"));
  refuses(scatter_nd(data, index.expand_dims(1), updates, "add"));
}

TEST_CASE("the lists of a plan are within the limit") {
  std::vector<Tensor> rows;
  for (int k = 0; k < 40'000; ++k) rows.push_back(full<std::uint8_t>({2}, k % 256).flip());
  const Tensor y = concat(rows, 0);
  const std::string message = refusal_of([&] { y.eval({.memory_limit = mebibyte}); });
  CHECK(message.find("the plan takes more than the 16777216 bytes that are allowed") !=
        std::string::npos);
  CHECK(y.eval().size() == 80'000);
}

TEST_CASE("steps that must be there before data is written over are within the limit") {
  constexpr int rows = 4096, n = 1024, columns = 140;
  const Tensor x = iota<int>({rows, n}).eval();
  const Tensor before = x.slice({0}, {columns}, {1}, {1}).roll(1, 0).stored();
  Tensor y = x;
  std::minstd_rand random(1);
  for (int k = 0; k < columns; ++k) {
    const int to = 7 * k + static_cast<int>(random() % 6);  // so that few make one box together
    y = y.slice_scatter(before.slice({k}, {k + 1}, {1}, {1}), {to}, {to + 1}, {1}, {1});
  }
  Executable executable(make_plan(y.node_ptr()));
  const SmallVector<std::size_t, 4> over = bases(executable.plan, 0);
  REQUIRE(over.size() == 1);
  executable.make_ready({over[0]});
  CHECK(executable.own_bytes() - executable.plan.own_bytes() > mebibyte);
  executable.make_ready({OutputTarget::no_base});  // which may be repeated, and keeps no steps
  executable.plan.limits.planning_bytes = mebibyte;
  const std::string message = refusal_of([&] { executable.make_ready({over[0]}); });
  CAPTURE(message);
  CHECK(message.find("the steps that write it over its data take more than the") !=
        std::string::npos);
}

TEST_CASE("the error of a program's run names the call") {
  const Program program{
      {placeholder(i32, PartialShape::any()), placeholder(i64, {}), placeholder(i64, {1})},
      [](const Tensor& x, const Tensor& axis, const Tensor& index) {
        return x.flip().roll(1, axis).take(index, 0);
      }};
  const auto message = [&](const Tensor& x, std::int64_t axis, std::int64_t index) {
    try {
      program(x, scalar(axis), array<std::int64_t>({index}));
    } catch (const Error& error) {
      return fmt::format("{}: {}", error.category(), error.what());
    }
    return std::string("nothing was thrown");
  };
  const Tensor x = iota<int>({2, 3});
  CHECK(message(x, 1, 1) == "nothing was thrown");
  CHECK(message(x, 2, 1) == "bad_axis: %4 roll: axis 2 is out of range for rank 2 (shape [2, 3])");
  CHECK(message(x, 1, 5) == "bad_index: %5 take: index 5 at [0] is out of range, expected -2 to 1");
}

/// Calls the op by that parameter everywhere, and says how long its error is.
std::size_t length_of_error(const Op& op, const Tensor& x, const Ints& ints,
                            const std::string& text) {
  Arguments arguments;
  for (std::size_t k = 0; k < op.operands.size(); ++k) arguments.operands.push_back(x);
  for (std::size_t k = 0; k < op.parameters.size(); ++k) {
    if (op.texts.contains(op.parameters[k])) arguments.parameters.push_back(text);
    else arguments.parameters.push_back(ints);
  }
  try {
    op.build(arguments);
  } catch (const Error& error) {
    return std::string(error.what()).size();
  }
  return 0;
}

TEST_CASE("no message is longer than some hundred characters") {
  const std::vector<std::int64_t> ends(200'000, INT64_MIN), ones(200'000, 1);
  const std::string text(200'000, 'a'), letters = "a b c -> " + std::string(200'000, '(');
  const Tensor x = full<int>({2, 3, 4, 5}, 1);
  const Tensor wide = full<int>(Shape(16, 1), 1);
  std::size_t errors = 0, longest = 0;
  for (const Op* const op : op_table())
    for (const Tensor& operand : {x, wide})
      for (const Ints& ints : {Ints(ends), Ints(ones), Ints(u64, 1, ends), Ints(f32, 1, ones)})
        for (const std::string& given : {text, letters}) {
          const std::size_t length = length_of_error(*op, operand, ints, given);
          errors += length > 0;
          longest = std::max(longest, length);
        }
  CHECK(errors > 300);
  CHECK(longest > 50);
  CHECK(longest <= Error::longest_message);
}

TEST_CASE("a long list is cut, a message loses its middle") {
  const std::vector<int> many(200'000, 7);
  CHECK(Ints(many).text().size() < 200);
  CHECK(Ints(many).text().ends_with("7, ... of 200000 values]"));
  CHECK(Ints(std::vector<int>(16, 15)).text() ==
        "[15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15]");
  std::string text = "op: ";
  for (int k = 0; k < 500; ++k) text += "\xc3\xa9";  // of two bytes each
  const std::string what = ShapeError(text + " the end").what();
  CHECK(what.size() <= Error::longest_message);
  CHECK(what.starts_with("op: \xc3\xa9"));
  CHECK(what.ends_with("\xc3\xa9 the end"));
  const std::size_t at = what.find(" [...] ");
  REQUIRE(at != std::string::npos);
  CHECK(what[at - 1] == '\xa9');
  CHECK(what[at + 7] == '\xc3');
}

}  // namespace
}  // namespace weft
