// SPDX-License-Identifier: Apache-2.0
// What must not compile, must not dangle and must not be silent about the handle of a tensor.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include "support/values.h"

namespace weft::testing {
namespace {

// What is an accessor of a temporary holds what it says.
static_assert(std::is_same_v<decltype(std::declval<const Tensor&>().shape()), const Shape&>);
static_assert(std::is_same_v<decltype(std::declval<Tensor>().shape()), Shape>);
static_assert(std::is_same_v<decltype(std::declval<Tensor>().node_ptr()), NodePtr>);
static_assert(std::is_same_v<decltype(std::declval<PartialShape>().dims()), std::vector<Dim>>);
static_assert(std::is_same_v<decltype(std::declval<PartialShape>()[0]), Dim>);
static_assert(std::is_same_v<decltype(std::declval<Dim>().name()), std::string>);
static_assert(std::is_same_v<decltype(std::declval<Ints>().open_tensor()), NodePtr>);
static_assert(std::is_same_v<decltype(std::declval<Program>().recording()), Recording>);

template <class T>
concept LendsElements = requires(T&& tensor) {
  std::forward<T>(tensor).template data<int>();
}
|| requires(T&& tensor) { std::forward<T>(tensor).template span<int>(); };
static_assert(LendsElements<const Tensor&>);
static_assert(LendsElements<Tensor&>);
static_assert(!LendsElements<Tensor>);
static_assert(!LendsElements<const Tensor>);

// Nor do elements of results that are a temporary.
static_assert(std::is_same_v<decltype(std::declval<Results>()[0]), Tensor>);
static_assert(std::is_same_v<decltype(std::declval<Results>().at(0)), Tensor>);
static_assert(std::is_same_v<decltype(std::declval<Results>().front()), Tensor>);
static_assert(std::is_same_v<decltype(std::declval<Results>().back()), Tensor>);
static_assert(std::is_same_v<decltype(std::declval<const Results&>()[0]), const Tensor&>);
static_assert(
    std::is_same_v<decltype(std::declval<const Program&>()(std::declval<Tensor>())), Results>);
static_assert(std::is_same_v<decltype(std::declval<const Tensor&>().split(2)), Results>);
static_assert(std::is_convertible_v<Results, std::vector<Tensor>>);
static_assert(std::is_convertible_v<const Results&, const Tensors&>);

// Only variables are assigned to, and no tensor is a condition or a number.
static_assert(std::is_assignable_v<Tensor&, Tensor>);
static_assert(std::is_assignable_v<Tensor&, const Tensor&>);
static_assert(!std::is_assignable_v<Tensor, Tensor>);
static_assert(!std::is_assignable_v<Tensor, const Tensor&>);
static_assert(!std::is_assignable_v<const Tensor&, Tensor>);
static_assert(!std::is_constructible_v<bool, Tensor>);
static_assert(!std::is_convertible_v<Tensor, bool>);
static_assert(!std::is_convertible_v<Tensor, int>);
static_assert(std::is_nothrow_default_constructible_v<Tensor>);
static_assert(std::is_nothrow_move_constructible_v<Tensor>);
static_assert(std::is_nothrow_move_assignable_v<Tensor>);
static_assert(std::is_nothrow_swappable_v<Tensor>);

/// What the error says; empty where there is none. It must be of that class.
template <class Expected = EmptyError, class Call>
std::string error_of(Call&& call) {
  try {
    static_cast<void>(call());
  } catch (const Expected& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("the shape of a temporary lives as long as a loop over it") {
  const Tensor x = iota<int>({2, 3, 4, 5, 6, 7, 8, 9, 10});  // too long to lie inside a Shape
  std::vector<std::int64_t> extents;
  for (const std::int64_t extent : x.transpose().shape()) extents.push_back(extent);
  CHECK(extents == std::vector<std::int64_t>{10, 9, 8, 7, 6, 5, 4, 3, 2});
  std::string names;
  for (const Dim& dim : placeholder(f32, {"a long name of rows", 3}).partial_shape().dims())
    names += to_string(dim) + ";";
  CHECK(names == "a long name of rows;3;");
}

TEST_CASE("extent counts axes from either end and refuses others") {
  const Tensor x = iota<int>({2, 3});
  CHECK(x.extent(0) == 2);
  CHECK(x.extent(1) == 3);
  CHECK(x.extent(-1) == 3);
  CHECK(x.extent(-2) == 2);
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-3}, INT64_MAX, INT64_MIN})
    CHECK(error_of<AxisError>([&] { return x.extent(axis); }).starts_with("extent: "));
  CHECK_THROWS_AS(scalar(1).extent(0), AxisError);
  CHECK_THROWS_AS(placeholder(i32, {"n"}).extent(0), OpenError);
}

TEST_CASE("a tensor may be a member, in a vector and in a map before it has a value") {
  struct Layer {
    std::string name;
    Tensor weight;
  };
  Layer layer{};
  CHECK_FALSE(layer.weight.has_value());
  layer.weight = iota<int>({2, 2});
  CHECK(layer.weight.has_value());

  std::vector<Tensor> list(3);
  list[1] = layer.weight.flip();
  CHECK_FALSE(list[0].has_value());
  CHECK(values_of(list[1]) == std::vector<int>{3, 2, 1, 0});

  std::map<std::string, Tensor> named;
  named["x"] = list[1];
  CHECK(named["x"].has_value());
  CHECK_FALSE(named["y"].has_value());

  Tensor a, b = layer.weight;
  std::swap(a, b);
  CHECK(a.has_value());
  CHECK_FALSE(b.has_value());
  a = b;
  CHECK_FALSE(a.has_value());
}

TEST_CASE("an empty tensor says which question it cannot answer") {
  const Tensor empty;
  const std::string rest = ": the tensor is empty, default-constructed or moved from";
  CHECK(error_of([&] { return empty.dtype(); }) == "dtype" + rest);
  CHECK(error_of([&] { return empty.shape(); }) == "shape" + rest);
  CHECK(error_of([&] { return empty.extent(0); }) == "extent" + rest);
  CHECK(error_of([&] { return empty.rank(); }) == "rank" + rest);
  CHECK(error_of([&] { return empty.size(); }) == "size" + rest);
  CHECK(error_of([&] { return empty.bytes(); }) == "bytes" + rest);
  CHECK(error_of([&] { return empty.partial_shape(); }) == "partial_shape" + rest);
  CHECK(error_of([&] { return empty.is_stored(); }) == "is_stored" + rest);
  CHECK(error_of([&] { return empty.is_open(); }) == "is_open" + rest);
  CHECK(error_of([&] { return empty.eval(); }) == "eval" + rest);
  CHECK(error_of([&] { return empty.data<int>(); }) == "data" + rest);
  CHECK(error_of([&] { return empty.span<int>(); }) == "span" + rest);
  CHECK(error_of([&] { return empty.item<int>(); }) == "item" + rest);
  CHECK(error_of([&] { return explain(empty); }) == "explain" + rest);
  CHECK(error_of([&] { return graph_text(empty); }) == "graph_text" + rest);
  CHECK(error_of([&] { return to_string(empty); }) == "to_string" + rest);
  CHECK(error_of([&] { return eval_region(empty, {0}, {1}); }) == "eval_region" + rest);
  int out = 7;
  CHECK_THROWS_WITH_AS(eval_into(empty, &out, 4), ("eval_into" + rest).c_str(), EmptyError);
  CHECK_THROWS_WITH_AS(eval_into(empty, std::span(&out, 1)), ("eval_into" + rest).c_str(),
                       EmptyError);
  CHECK_THROWS_AS(eval(iota<int>(2), empty), EmptyError);
  CHECK_THROWS_AS(std::ignore = eval_region(iota<int>(2), empty, {1}), EmptyError);
  CHECK(error_of([&] { return iota<int>(empty); }).starts_with("iota: "));
  CHECK(out == 7);
}

/// A call of `op` where operand number `hollow` is empty, or parameter number `hollow - operands`.
std::string error_of_call(const Op& op, std::size_t hollow) {
  Arguments arguments;
  for (std::size_t k = 0; k < op.operands.size(); ++k)
    arguments.operands.push_back(k == hollow ? Tensor() : iota<int>({2, 2}));
  for (std::size_t k = 0; k < op.parameters.size(); ++k) {
    const ArgumentType type = op.type(k);
    if (type == ArgumentType::text) arguments.parameters.emplace_back(std::string());
    else if (type == ArgumentType::dtype) arguments.parameters.emplace_back(i32);
    else if (type == ArgumentType::flag) arguments.parameters.emplace_back(false);
    else if (type == ArgumentType::number) arguments.parameters.emplace_back(1.0);
    else if (op.operands.size() + k == hollow) arguments.parameters.emplace_back(Ints(Tensor()));
    else arguments.parameters.emplace_back(Ints(1));
  }
  return error_of([&] { return op.build(arguments); });
}

TEST_CASE("every op names itself and the argument that is an empty tensor") {
  std::size_t calls = 0;
  for (const Op* op : op_table()) {
    for (std::size_t k = 0; k < op->operands.size() + op->parameters.size(); ++k) {
      const bool is_operand = k < op->operands.size();
      const std::string_view name =
          is_operand ? op->operands[k] : op->parameters[k - op->operands.size()];
      if (!is_operand && op->type(k - op->operands.size()) != ArgumentType::integers) continue;
      CHECK(error_of_call(*op, k) == std::string(op->name) + ": " + std::string(name) +
                                         " is an empty tensor, default-constructed or moved from");
      ++calls;
    }
  }
  CHECK(calls > op_table().size());  // some have but one
}

TEST_CASE("what is no entry of the table names itself, too") {
  const Tensor empty, x = iota<int>({2, 2});
  CHECK(error_of([&] { return empty.split(2); }).starts_with("split: "));
  CHECK(error_of([&] { return empty.chunk(2); }).starts_with("chunk: "));
  CHECK(error_of([&] { return empty.unstack(); }).starts_with("unstack: "));
  CHECK(error_of([&] { return empty.pad({1, 1}, {1, 1}, 0); }).starts_with("pad: "));
  CHECK(error_of([&] { return empty.pad({1, 1}, {1, 1}); }).starts_with("pad: "));
  CHECK(error_of([&] { return empty.pad({1, 1}, {1, 1}, "wrap"); }).starts_with("pad: "));
  CHECK(error_of([&] { return empty.take({0, 1}, 0); }).starts_with("take: "));
  CHECK(error_of([&] { return empty.index_put({0}, x); }).starts_with("index_put: "));
  CHECK(error_of([&] { return empty.reverse_sequence({1, 2}); }).starts_with("reverse_sequence: "));
  CHECK(error_of([&] { return empty.repeat("a -> a n", {{"n", 2}}); }).starts_with("repeat"));
  CHECK(error_of([&] { return empty.rearrange("a b -> b a"); }).starts_with("rearrange: "));
  CHECK(error_of([&] { return Tensor().flip(); }).starts_with("flip: "));
  CHECK(error_of([&] { return Tensor().roll(1, 0); }).starts_with("roll: "));
  CHECK(error_of([&] { return concat({x, empty}); }).starts_with("concat: "));
  CHECK(error_of([&] { return full(empty, 1); }).starts_with("full: "));
}

TEST_CASE("a tensor that was moved from makes the op say so, and can be given a new value") {
  Tensor x = iota<int>({2, 2});
  const Tensor y = std::move(x).flip();
  CHECK_FALSE(x.has_value());
  CHECK(error_of([&] { return x.roll(1, 0); }) ==
        "roll: x is an empty tensor, default-constructed or moved from");
  x = y;
  CHECK(values_of(x.roll(1, 0)) == std::vector<int>{1, 0, 3, 2});
}

TEST_CASE("an op that throws leaves the tensor that was given up as it was") {
  Tensor x = iota<int>({2, 2});
  CHECK_THROWS_AS(std::move(x).roll(Tensor(), 0), EmptyError);
  CHECK(x.has_value());
}

TEST_CASE("results of a temporary are tensors that live on, and the same elements") {
  const Tensor x = iota<int>({4, 2});
  const Tensor& kept = x.split(2)[1];
  CHECK(values_of(kept) == std::vector<int>{4, 5, 6, 7});
  CHECK(values_of(x.unstack().back()) == std::vector<int>{6, 7});
  std::vector<int> all;
  for (const Tensor& row : x.unstack())
    for (const int value : row.span<int>()) all.push_back(value);
  CHECK(all == values_of(x));
  const std::vector<Tensor> list = x.chunk(2);
  CHECK(values_of(concat(x.chunk(2))) == values_of(concat(list)));
  CHECK_THROWS_AS(x.chunk(2).at(2), IndexError);
}

TEST_CASE("each accessor is the label of its own errors") {
  const Tensor x = iota<int>({2, 2});
  const std::string rest = ": f32 was asked for, the elements are i32";
  CHECK(error_of<DtypeError>([&] { return x.data<float>(); }) == "data" + rest);
  CHECK(error_of<DtypeError>([&] { return x.span<float>(); }) == "span" + rest);
  CHECK(error_of<DtypeError>([&] { return scalar(1).item<float>(); }) == "item" + rest);
  CHECK(error_of<OpenError>([] { return placeholder(i32, {"n"}).size(); }).starts_with("size: "));
}

}  // namespace
}  // namespace weft::testing
