// SPDX-License-Identifier: Apache-2.0
// Functions of a program in all the forms that they are written in, and what is wrong with inputs.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <weft/op.h>
#include <weft/weft.h>

#include "support/values.h"

namespace weft::testing {
namespace {

Tensor open(std::vector<Dim> dims) { return placeholder(i32, PartialShape(std::move(dims))); }

TEST_CASE("the function of a program may be a generic lambda") {
  const Tensor x = iota<int>({2, 2});
  const Program one({open({2, 2})}, [](const auto& a) { return a.flip().roll(1, 0); });
  CHECK(values_of(one(x)[0]) == values_of(x.flip().roll(1, 0)));
  const Program two({open({2, 2}), open({2, 2})}, [](const auto& a, auto b) {
    return std::vector<Tensor>{a.flip(), b};
  });
  CHECK(two(x, x).size() == 2);
  CHECK(values_of(two(x, x)[0]) == values_of(x.flip()));
  const Program forwarded({open({2, 2})}, [](auto&& a) { return a.transpose(); });
  CHECK(values_of(forwarded(x)[0]) == values_of(x.transpose()));
  CHECK_THROWS_AS(Program({open({2})},
                          [](const auto& a, const auto& b) {
                            return concat({a, b});
                          }),
                  ParameterError);
}

TEST_CASE("the function of a program may take a vector, and return results of an op") {
  const Tensor x = iota<int>({2, 2});
  const Program joined({open({2, 2}), open({2, 2})},
                       [](const std::vector<Tensor>& all) { return concat(all); });
  CHECK(joined(x, x)[0].shape() == Shape{4, 2});
  const Program parts({open({2, 2})}, [](const Tensor& a) { return a.unstack(); });
  CHECK(values_of(parts(x)[1]) == std::vector<int>{2, 3});
  const std::function<Tensor(const Tensor&)> function = [](const Tensor& a) { return a.flip(); };
  CHECK(values_of(Program({open({2, 2})}, function)(x)[0]) == std::vector<int>{3, 2, 1, 0});
}

TEST_CASE("an empty tensor among the inputs of a program is named by its number") {
  const Program program({open({2}), open({2})}, [](const Tensor& a, const Tensor& b) {
    return concat({a, b});
  });
  CHECK_THROWS_WITH_AS(program(iota<int>(2), Tensor()),
                       "program: input 1 is an empty tensor, default-constructed or moved from",
                       EmptyError);
  CHECK_THROWS_AS(program.run({Tensor(), Tensor()}), EmptyError);
  CHECK_THROWS_AS(Program({open({2})}, [](const Tensor&) { return Tensor(); }), EmptyError);
  CHECK_THROWS_AS(Program({Tensor()}, [](const Tensor& a) { return a; }), ParameterError);
}

extern const Op forgetful_op;

/// An op whose rule says less than it knows.
struct Forgetful {
  static constexpr std::string_view name = "forgetful";
  static constexpr const Op& op = forgetful_op;
  static constexpr std::tuple fields{operand("x", "anything"), parameter("k", "of no use")};
  static KnownType infer(const KnownType& x, const Ints&) { return {x.dtype, Extents::of_rank(1)}; }
  static Tensor make(const TensorType&, const Tensor& x, const Ints&) { return x; }
};
constinit const Op forgetful_op = op_of<Forgetful>();

TEST_CASE("rules that an op of one's own breaks are an error of weft's") {
  Arguments arguments{{iota<int>(2)}, {std::string("text")}};
  CHECK_THROWS_AS(forgetful_op.build(arguments), InternalError);
  arguments.parameters.clear();
  CHECK_THROWS_AS(forgetful_op.build(arguments), InternalError);
  arguments.parameters.emplace_back(Ints(1));
  CHECK_THROWS_WITH_AS(forgetful_op.build(arguments),
                       "forgetful: infer leaves shape [?] open, of arguments that are known",
                       InternalError);
  const Error error = InternalError("x");
  CHECK(error.category() == "internal");
  CHECK(EmptyError("x").category() == "empty_tensor");
}

}  // namespace
}  // namespace weft::testing
