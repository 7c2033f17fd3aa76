// SPDX-License-Identifier: Apache-2.0
// An op that is not weft's: in chains, in explain, in programs, saved and loaded.
#include <doctest/doctest.h>

#include <weft/io/program_json.h>
#include <weft/op.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

namespace {

using namespace weft;

/// Every second position of the first axis, `phase` first.
class Half final : public Node {
 public:
  Half(const Tensor& x, const Shape& shape, std::int64_t phase)
      : Node(x.dtype(), shape, inputs_of(x)), phase_(phase) {}
  std::string_view op() const noexcept override { return "half"; }
  std::string parameters() const override { return "phase=" + std::to_string(phase_); }
  std::size_t trace(Index& index) const override {
    index[0] = 2 * index[0] + phase_;
    return 0;
  }
  void pull_back(const Box& box, PullBack& to) const override {
    affine(to.add(0, box), 0, phase_, 2);
  }
  bool add_parameters(Structure& to) const override {
    to.add(phase_);
    return true;
  }

 private:
  std::int64_t phase_;
};

Tensor half(const Tensor& x, const Ints& phase);
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  return x.has_rank() ? PartialShape::of_rank(x.rank()) : PartialShape::any();
}
const Op half_op{"half", {"x"}, {"phase"}, call<half>, infer};

Tensor half(const Tensor& x, const Ints& phase) {
  if (is_any_open(half_op, x, phase)) return defer(half_op, {{x}, {phase}});
  const std::int64_t first = check_single("half", "phase", phase);
  if (x.rank() == 0) throw ParameterError("bad_rank", "half: x has rank 0, expected at least 1");
  if (first < 0 || first > 1)
    throw IndexError("half: phase is " + phase.text() + ", expected 0 or 1");
  Shape shape = x.shape();
  shape[0] = (shape[0] + 1 - first) / 2;
  return make_tensor<Half>(x, shape, first);
}

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

/// x[i[j]], without a word of the index.
class Rows final : public Indexed {
 public:
  Rows(const Tensor& x, const Tensor& i, const Shape& shape)
      : Indexed(x.dtype(), shape, inputs_of(x, i)), extent_(x.shape()[0]) {}
  std::string_view op() const noexcept override { return "rows"; }
  std::size_t trace(Index& index) const override {
    index[0] = places()[static_cast<std::size_t>(index[0])];
    return 0;
  }
  void pull_back(const Box& box, PullBack& to) const override {
    lookup(box, 0, places(), to.plain(0));
  }

 private:
  std::vector<IndexBounds> bounds() const override { return {{0, extent_ - 1, "index"}}; }
  std::int64_t extent_;
};

Tensor rows(const Tensor& x, const Tensor& i);
const Op silent_op{"rows", {"x", "i"}, {}, call<rows>, infer};
Tensor rows(const Tensor& x, const Tensor& i) {
  if (is_any_open(silent_op, x, i)) return defer(silent_op, {{x, i}, {}});
  Shape shape = x.shape();
  shape[0] = i.size();
  return make_indexed<Rows>(i, x, i, shape);
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
  const Op roll{"roll", {"x"}, {"phase"}, call<half>, infer};
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
