// SPDX-License-Identifier: Apache-2.0
// The list of an op's fields, and what follows from it: text, the key of plans, deferral, JSON.
#include <doctest/doctest.h>

#include <limits>
#include <set>

#include <weft/io/program_json.h>
#include <weft/op.h>
#include <weft/ops/op_table.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

namespace {

using namespace weft;

extern const Op shifted_op;

/// A roll of the last axis that takes arguments of all types: of an offset that is scaled and
/// rounded, backwards or not, for elements of a type.
struct Shifted {
  std::int64_t by;
  std::string label;
  Shape source;

  static constexpr std::string_view name = "shifted";
  static constexpr const Op& op = shifted_op;
  static constexpr std::tuple fields{operand("x", "what is turned"),
                                     parameter("offset", "places to move by"),
                                     parameter("scale", "times this", 1.0),
                                     parameter("backwards", "the other way", false),
                                     parameter("dtype", "the type that x must have"),
                                     parameter("label", &Shifted::label, "for people", ""),
                                     kept(&Shifted::by, "by"),
                                     derived(&Shifted::source)};

  static KnownType infer(const KnownType& x, const Ints& offset, double scale, bool, DType dtype,
                         const std::string&) {
    check_one(name, "offset", offset);
    if (x.dtype != dtype) throw DtypeError("shifted: x is " + x.dtype.name());
    if (scale < 0) throw ParameterError("bad_scale", "shifted: scale is below 0");
    if (x.shape.has_rank() && x.shape.rank() != 1)
      throw ParameterError("bad_rank", "shifted: x has rank " + std::to_string(x.shape.rank()));
    return x;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& offset, double scale,
                     bool backwards, DType, const std::string& label) {
    const std::int64_t n = type.shape[0];
    const std::int64_t by = n == 0 ? 0 : static_cast<std::int64_t>(scale * double(offset[0])) % n;
    const std::int64_t turned = backwards ? -by : by;
    return tensor_of(Shifted{turned < 0 ? turned + n : turned, label, x.shape()}, std::move(type),
                     x);
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    rotate(box, 0, by, shape[0], to.plain(0));
  }
  std::size_t trace(const Shape&, Index& index) const {
    index[0] = (index[0] - by + source[0]) % source[0];
    return 0;
  }
};

constinit const Op shifted_op = op_of<Shifted>();

Tensor shifted(const Tensor& x, const Ints& offset, double scale = 1.0, bool backwards = false,
               DType dtype = i32, const std::string& label = "") {
  return build<Shifted>(x, offset, scale, backwards, dtype, label);
}

std::vector<int> values_of(const Tensor& x) { return x.to_vector<int>(); }

TEST_CASE("the text of an operation is that of its fields") {
  const Tensor y = shifted(iota<int>(4), 1, 3.0, false, i32, "three");
  CHECK(graph_text(y) ==
        "%0 = stored  i32 [4]\n"
        "%1 = shifted(%0, label=three, by=3)  i32 [4]\n");
  CHECK(values_of(y) == std::vector<int>{1, 2, 3, 0});
  CHECK(testing::check_op([](const Tensor& x) { return shifted(x, 2, 1, true, x.dtype()); }, {5}) ==
        "");
}

TEST_CASE("operations of other fields have plans of their own, those of equal fields share one") {
  PlanCache cache(8);
  const auto made = [&](std::int64_t by) {
    const Tensor y = shifted(iota<int>(5).roll(1, 0), by);
    return values_of(y.eval({.plans = &cache}));
  };
  CHECK(made(1) == std::vector<int>{3, 4, 0, 1, 2});
  CHECK(made(2) == std::vector<int>{2, 3, 4, 0, 1});
  CHECK(made(1) == std::vector<int>{3, 4, 0, 1, 2});
  CHECK(cache.hits() == 1);
}

TEST_CASE("a call that waits keeps arguments of all types, also as JSON") {
  static constexpr const Op* own[] = {&shifted_op};
  for (const double scale : {1.5, 0.1, std::numeric_limits<double>::infinity()}) {
    const Program program({placeholder(i32, {"n"}), placeholder(i64, {})},
                          [&](const Tensor& x, const Tensor& offset) {
                            return shifted(x, offset, scale, true, i32, "a \"label\"");
                          });
    CHECK(program_from_json(to_json(program), own) == program);
  }
  const Program program({placeholder(i32, {"n"}), placeholder(i64, {})},
                        [&](const Tensor& x, const Tensor& offset) {
                          return shifted(x, offset, 1.5, true, i32, "it");
                        });
  CHECK(to_string(program) ==
        "%0 = input  i32 [n]\n%1 = input  i64 []\n"
        "%2 = shifted(%0, offset=%1, scale=1.5, backwards=true, dtype=i32, label=\"it\")  i32 [n]\n"
        "return %2\n");
  CHECK(values_of(program(iota<int>(5), scalar<std::int64_t>(2))[0]) ==
        std::vector<int>{3, 4, 0, 1, 2});
  const std::string json = to_json(program);
  CHECK(json.find("\"scale\": {\"number\": \"1.5\"}, \"backwards\": true, "
                  "\"dtype\": {\"dtype\": \"i32\"}, \"label\": \"it\"") != std::string::npos);
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string damaged = json;
    damaged.replace(damaged.find(from), from.size(), to);
    try {
      const Program loaded = program_from_json(damaged, own);
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal("\"1.5\"", "\"1.5x\"") ==
        "program: /calls/0/parameters/scale/number: expected a number");
  CHECK(refusal("true", "1") == "program: /calls/0/parameters/backwards: expected true or false");
  CHECK(refusal("{\"dtype\": \"i32\"}, \"label", "{\"dtype\": \"i33\"}, \"label") ==
        "program: /calls/0/parameters/dtype/dtype: there is no such element type");
  CHECK(refusal("\"1.5\"", "\"-1.5\"").find("shifted: scale is below 0") != std::string::npos);
}

TEST_CASE("an empty tensor is refused in the name of the op and of the argument in its list") {
  CHECK_THROWS_WITH_AS(shifted(Tensor(), 1),
                       "shifted: x is an empty tensor, default-constructed or moved from",
                       EmptyError);
  CHECK_THROWS_WITH_AS(shifted(iota<int>(3), Tensor()),
                       "shifted: offset is an empty tensor, default-constructed or moved from",
                       EmptyError);
}

TEST_CASE("what is certain of a call is told by the one rule that it has") {
  CHECK_THROWS_AS(shifted(placeholder(f32, {"n"}), 1), DtypeError);
  CHECK_THROWS_AS(shifted(placeholder(i32, {2, "n"}), 1), ParameterError);
  CHECK_THROWS_AS(shifted(placeholder(i32, {"n"}), placeholder(i64, {2})), ParameterError);
  CHECK(to_string(shifted(placeholder(i32, {"n"}), 1).partial_shape()) == "[n]");
  CHECK(to_string(shifted(placeholder(i32, PartialShape::any()), 1).partial_shape()) == "[...]");
}

TEST_CASE("defaults read as a header writes them") {
  CHECK(Default().spelled() == "");
  CHECK(Default(none).spelled() == "none");
  CHECK(Default(-1).spelled() == "-1");
  CHECK(Default({0, 1}).spelled() == "{0, 1}");
  CHECK(Default({}).spelled() == "{}");
  CHECK(Default("edge").spelled() == "\"edge\"");
  CHECK(Default(true).spelled() == "true");
  CHECK(Default(0.5).spelled() == "0.5");
}

TEST_CASE("ops that tell their list tell every argument in a few words") {
  for (const Op* op : op_table()) {
    CAPTURE(op->name);
    std::set<std::string_view> names;
    for (const ArgumentInfo& argument : op->arguments) {
      CHECK(names.insert(argument.name).second);
      CHECK(!argument.doc.empty());
      CHECK(argument.role != Role::kept);
    }
    if (!op->arguments.empty()) CHECK(names.size() == op->operands.size() + op->parameters.size());
  }
}

}  // namespace
