// SPDX-License-Identifier: Apache-2.0
// Calls with several mistakes: which one is told when a call is made, recorded, and run.
#include <doctest/doctest.h>
#include <weft/weft.h>

#include <fmt/format.h>
#include <functional>
#include <string>
#include <vector>

namespace weft {
namespace {

/// A call of two mistakes: its operands, and integer parameters that may be tensors.
struct Call {
  std::vector<Tensor> operands;
  std::vector<Tensor> parameters;
  std::function<Tensor(const Tensors&, const std::vector<Ints>&)> of;
};

Tensor list(std::initializer_list<std::int64_t> values) {
  return copy_from(values.begin(), i64, {static_cast<std::int64_t>(values.size())});
}

std::vector<Call> calls() {
  const auto half = [](const Shape& shape) { return full<float>(Ints(shape), 0.5f).eval(); };
  const std::int64_t large = std::int64_t{1} << 40;
  return {
      {{half({2, 2, 2})},
       {list({0, 2, 2})},
       [](const Tensors& x, const auto& p) {
         return x[0].window_partition(p[0]);  // rank, length
       }},
      {{half({large, large, 3, 0})},
       {list({1, 2})},
       [](const Tensors& x, const auto& p) {
         return x[0].window_partition(p[0]);  // overflow, cover
       }},
      {{half({2, 3}), half({1})},
       {list({-1, 0}), list({0, -1})},
       [](const Tensors& x, const auto& p) { return pad(x[0], p[0], p[1], x[1]); }},
      {{half({2, 3}), half({})},
       {list({1, 2, 3}), list({0, -1})},
       [](const Tensors& x, const auto& p) { return pad(x[0], p[0], p[1], x[1]); }},
      {{half({2, 3})},
       {list({9}), list({7}), list({0})},
       [](const Tensors& x, const auto& p) {
         return x[0].unfold(p[0], p[1], p[2]);  // step, axis
       }},
      {{half({2, 3})},
       {list({1}), list({-1}), list({1, 1})},
       [](const Tensors& x, const auto& p) {
         return x[0].unfold(p[0], p[1], p[2]);  // length, size
       }},
      {{half({2, 3})},
       {list({1, 1}), list({0, 5})},
       [](const Tensors& x, const auto& p) {
         return x[0].rot90(p[0], p[1]);  // length, axis
       }},
      {{half({2, 3})},
       {list({1}), list({5, 5, 5})},
       [](const Tensors& x, const auto& p) {
         return x[0].rot90(p[0], p[1]);  // length, axis
       }},
      {{half({2, 3})},
       {list({-1, 1, 1}), list({0})},
       [](const Tensors& x, const auto& p) {
         return x[0].repeat(p[0], p[1]);  // count, value
       }},
      {{half({2, 3})},
       {list({-1}), list({5})},
       [](const Tensors& x, const auto& p) {
         return x[0].repeat(p[0], p[1]);  // axis, value
       }},
  };
}

template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return fmt::format("{}: {}", error.category(), error.what());
  }
  return "nothing was thrown";
}

std::vector<Ints> literals(const std::vector<Tensor>& parameters) {
  return {parameters.begin(), parameters.end()};
}

TEST_CASE("recorded over known shapes, a call of several mistakes tells the same one first") {
  for (const Call& call : calls()) {
    const std::string direct =
        refusal_of([&] { call.of(call.operands, literals(call.parameters)); });
    CHECK(direct != "nothing was thrown");
    Tensors open;
    for (const Tensor& x : call.operands) open.push_back(placeholder(x.dtype(), x.shape()));
    CHECK(refusal_of([&] { call.of(open, literals(call.parameters)); }) == direct);
  }
}

TEST_CASE("a program of which nothing is known when it is recorded tells the same one first") {
  for (const Call& call : calls()) {
    const std::string direct =
        refusal_of([&] { call.of(call.operands, literals(call.parameters)); });
    std::vector<Tensor> inputs, placeholders;
    for (const auto* list : {&call.operands, &call.parameters})
      for (const Tensor& each : *list) {
        inputs.push_back(each);
        placeholders.push_back(placeholder(each.dtype(), PartialShape::any()));
      }
    const std::size_t operands = call.operands.size();
    const Tensors open(placeholders.begin(),
                       placeholders.begin() + static_cast<std::ptrdiff_t>(operands));
    std::vector<Ints> parameters;
    for (std::size_t k = operands; k < placeholders.size(); ++k)
      parameters.emplace_back(placeholders[k]);
    const Program program(placeholders, std::vector<Tensor>{call.of(open, parameters)});
    const std::string category = direct.substr(0, direct.find(' ') + 1);
    CHECK(refusal_of([&] { static_cast<void>(program.run(inputs)); }) ==
          fmt::format("{}%{} {}", category, inputs.size(), direct.substr(category.size())));
  }
}

}  // namespace
}  // namespace weft
