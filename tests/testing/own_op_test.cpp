// SPDX-License-Identifier: Apache-2.0
// An op that is not weft's: in chains, in explain, in programs, saved and loaded.
#include <doctest/doctest.h>

#include <weft/io/program_json.h>
#include <weft/op.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

namespace {

using namespace weft;

extern const Op half_op, rows_op, silent_op;

/// Every second position of the first axis, `phase` first.
struct Half {
  std::int64_t phase;

  static constexpr std::string_view name = "half";
  static constexpr const Op& op = half_op;
  static constexpr std::tuple fields{operand("x", "what is thinned out"),
                                     parameter("phase", &Half::phase, "the first position")};

  static KnownType infer(const KnownType& x, const Ints& phase) {
    const auto first = check_one(name, "phase", phase);
    if (x.shape.has_rank() && x.shape.rank() == 0)
      throw ParameterError("bad_rank", "half: x has rank 0, expected at least 1");
    if (first && (*first < 0 || *first > 1))
      throw IndexError("half: phase is " + phase.text() + ", expected 0 or 1");
    if (!x.shape.has_rank()) return x;
    KnownType result = x;
    const bool is_known = first && x.shape[0].is_known();
    result.shape.set(0, is_known ? Extent((x.shape[0].low + 1 - *first) / 2) : Extent());
    return result;
  }
  static Tensor make(TensorType type, const Tensor& x, const Ints& phase) {
    return tensor_of(Half{phase[0]}, std::move(type), x);
  }

  std::size_t trace(const Shape&, Index& index) const {
    index[0] = 2 * index[0] + phase;
    return 0;
  }
  void pull_back(const Shape&, const Box& box, PullBack& to) const {
    affine(to.add(0, box), 0, phase, 2);
  }
  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return {zeros_like(operands[0]).slice_scatter(cotangent, {phase}, {INT64_MAX}, {2})};
  }
};

constinit const Op half_op = op_of<Half>();

Tensor half(const Tensor& x, const Ints& phase) { return build<Half>(x, phase); }

TEST_CASE("an op of one's own is checked, and joins the chain in one pass") {
  CHECK(testing::check_op([](const Tensor& x) { return x.apply(half, 1); }, {5, 4}) == "");
  const Tensor y = iota<int>({6, 2}).roll(1, 0).apply(half, Ints(0)).transpose();
  CHECK(explain(y).find("1 pass") != std::string::npos);
  CHECK(graph_text(y).find("half(%1, phase=0)") != std::string::npos);
  CHECK(testing::disagreement(y) == "");
}

TEST_CASE("a stored tensor, in a lambda, and what an op returns beside tensors") {
  const Tensor x = iota<int>({2, 2});
  CHECK(x.apply([](const Tensor& t) { return t.rank(); }) == 2);
  CHECK(x.apply(
             [](const Tensor& a, const Tensor& b) {
               return concat({a, b});
             },
             x)
            .shape() == Shape{4, 2});
}

TEST_CASE("programs keep an op of one's own, and load it where it is given") {
  const Program program(
      {placeholder(i32, {"n", 3}), placeholder(i64, {})},
      [](const Tensor& x, const Tensor& phase) { return x.apply(half, Ints(phase)).flip(); });
  const std::string json = to_json(program);
  static constexpr const Op* own[] = {&half_op};
  const Program loaded = program_from_json(json, own);
  CHECK(loaded == program);
  const Tensor made = loaded(iota<int>({3, 3}), scalar<std::int64_t>(1))[0];
  CHECK(made.data<int>()[0] == 5);
  CHECK_THROWS_WITH_AS(program_from_json(json), "program: /calls/0/op: there is no such op",
                       FormatError);
  CHECK_THROWS_WITH_AS(program(iota<int>({3, 3}), scalar<std::int64_t>(2)),
                       "%2 half: phase is 2, expected 0 or 1", IndexError);
}

/// x[i[j]].
struct Rows {
  std::int64_t extent;

  static constexpr std::string_view name = "rows";
  static constexpr const Op& op = rows_op;
  static constexpr std::tuple fields{operand("x", "rows"), index_operand("i", "those to pick"),
                                     derived(&Rows::extent)};

  static KnownType infer(const KnownType& x, const KnownType& i) {
    check_index(name, "i", i.dtype);
    KnownType result = x;
    if (x.shape.has_rank()) result.shape.set(0, i.shape.has_rank() ? i.shape[0] : Extent());
    return result;
  }
  static Tensor make(TensorType type, const Tensor& x, const Tensor& i) {
    return tensor_of(Rows{x.shape()[0]}, std::move(type), x, i);
  }

  std::vector<IndexBounds> bounds(const Shape&) const { return {{0, extent - 1, "index"}}; }
  std::size_t trace(const Places& places, const Shape&, Index& index) const {
    index[0] = places[static_cast<std::size_t>(index[0])];
    return 0;
  }
  void pull_back(const Places& places, const Shape&, const Box& box, PullBack& to) const {
    lookup(box, 0, places, to.plain(0));
  }
};

constinit const Op rows_op = op_of<Rows>();

/// The same without a word of the index.
struct Silent {
  static constexpr std::string_view name = "rows";
  static constexpr const Op& op = silent_op;
  static constexpr std::tuple fields{operand("x", "rows"), operand("i", "those to pick")};
  static KnownType infer(const KnownType& x, const KnownType& i) { return Rows::infer(x, i); }
  static Tensor make(TensorType type, const Tensor& x, const Tensor& i) {
    return Rows::make(std::move(type), x, i);
  }
};

constinit const Op silent_op = op_of<Silent>();

Tensor rows(const Tensor& x, const Tensor& i) { return build<Silent>(x, i); }

TEST_CASE("an op of one's own has the gradient that it says, or is refused by name") {
  const Tensor x = iota<float>({5, 2});
  CHECK(grad(x.apply(half, 1).sum(), x).to_vector<float>() ==
        std::vector<float>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0});
  const Tensor picked = build<Rows>(x, iota<std::int64_t>({2}));
  CHECK_THROWS_WITH_AS(grad(picked.sum(), x), "grad: rows, f32 [2, 2], has no gradient",
                       ParameterError);
}

TEST_CASE("a program refuses an op that reads an index and does not say so") {
  const Tensor ids = array<std::int64_t>({2, 0});
  CHECK(testing::disagreement(iota<int>({3, 2}).apply(rows, ids).flip()) == "");
  const Program program({placeholder(i32, {-1, 2}), placeholder(i64, {-1})},
                        [](const Tensor& x, const Tensor& i) { return x.apply(rows, i).flip(); });
  CHECK_THROWS_WITH_AS(program(iota<int>({3, 2}), ids),
                       "%2 rows: reads an index, but its Op does not say which operand that is "
                       "(Op::index)",
                       ParameterError);
  // One that reads what an index chose does no such thing.
  const Program fine(
      {placeholder(i32, {-1, 2}), placeholder(i64, {-1})},
      [](const Tensor& x, const Tensor& i) { return x.take(i, 0).apply(half, Ints(1)); });
  for (const std::int64_t first : {2, 1})
    CHECK(testing::disagreement(fine(iota<int>({3, 2}), array<std::int64_t>({0, first}))[0]) == "");
}

TEST_CASE("an op of one's own may not have the name of another") {
  Op roll = half_op;
  roll.name = "roll";
  const Op* const clash[] = {&roll};
  const Op* const twice[] = {&half_op, &half_op};
  CHECK_THROWS_WITH_AS(program_from_json("{}", clash),
                       "program: roll is the name of another op, too", ParameterError);
  CHECK_THROWS_AS(program_from_json("{}", twice), ParameterError);
}

TEST_CASE("check_op says what is thrown, and when boxes hold an element twice") {
  const auto throwing = [](const Tensor& x) { return x.take(array({0, -4, 3}).flip(), 0); };
  CHECK(testing::check_op(throwing, {4, 6}).find("threw: take: index 3") != std::string::npos);
}

}  // namespace
