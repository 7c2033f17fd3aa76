// SPDX-License-Identifier: Apache-2.0
// Element types: each pass and source has its own, and one plan may have several.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/op.h>
#include <weft/weft.h>

using namespace weft;

namespace {

/// The elements of an i32 tensor as f64, computed.
struct Widened {
  static constexpr std::string_view name = "widened";
  static constexpr std::tuple fields{operand("x", "whole numbers")};

  std::size_t trace(const Shape&, Index&) const { return 0; }
  Computation computation(const TensorType& type) const {
    return [n = type.count()](auto operands, std::byte* out, const ForParts& for_parts) {
      for_parts(n, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          int from;
          std::memcpy(&from, operands[0] + i * 4, sizeof from);
          const double to = from;
          std::memcpy(out + i * 8, &to, sizeof to);
        }
      });
    };
  }
};

Tensor widened(const Tensor& x) { return tensor_of(Widened(), {f64, x.shape()}, x); }

Plan plan_of(const std::vector<Tensor>& tensors) {
  std::vector<NodePtr> roots;
  for (const Tensor& tensor : tensors) roots.push_back(tensor.node_ptr());
  return make_plan(Expression(roots));
}

std::vector<std::int64_t> element_sizes(const Plan& plan) {
  std::vector<std::int64_t> sizes;
  for (const Pass& pass : plan.passes) sizes.push_back(pass.element());
  return sizes;
}

}  // namespace

TEST_CASE("passes of one plan have element types of their own") {
  const Tensor x = iota<int>({30, 40});
  const Tensor y = widened(x.roll({3}, {0})).transpose();
  const Plan plan = plan_of({y});
  // The operand, the computation, and what is made of it.
  CHECK(element_sizes(plan) == std::vector<std::int64_t>{4, 8, 8});
  CHECK(plan.passes[0].type == TensorType{i32, {30, 40}});
  CHECK(plan.passes[2].type == TensorType{f64, {40, 30}});
  for (const PlanSource& source : plan.sources)
    CHECK(source.type.dtype == (source.pass == 1 ? f64 : i32));
  for (std::int64_t i = 0; i < 30; ++i)
    for (std::int64_t j = 0; j < 40; ++j)
      CHECK(y.data<double>()[j * 30 + i] == static_cast<double>((i + 27) % 30 * 40 + j));
}

TEST_CASE("what tensors of several types share is made once, in one plan") {
  const Tensor x = iota<int>({50, 60});
  const Tensor shared = x.roll({3, 4}, {0, 1}).transpose().stored();
  const Tensor a = shared.flip(0), b = widened(shared).flip(1), c = shared.tile({2, 1});
  const Plan plan = plan_of({a, b, c});
  CHECK(plan.passes.size() == 5);  // the shared one, three results, and what is computed
  CHECK(plan.sources.size() == 3);
  CHECK(plan.outputs.size() == 3);
  eval(a, b, c);
  CHECK(std::vector<int>(a.span<int>().begin(), a.span<int>().end()) ==
        x.roll({3, 4}, {0, 1}).transpose().flip(0).to_vector<int>());
  CHECK(c.to_vector<int>() == x.roll({3, 4}, {0, 1}).transpose().tile({2, 1}).to_vector<int>());
  const std::vector<int> numbers = x.roll({3, 4}, {0, 1}).transpose().flip(1).to_vector<int>();
  CHECK(b.to_vector<double>() == std::vector<double>(numbers.begin(), numbers.end()));
}

TEST_CASE("a result is read where it is made, also by results of another type") {
  const Tensor x = iota<int>({40, 50});
  const Tensor a = x.roll({3, 4}, {0, 1});
  const Plan plan = plan_of({a, widened(a)});
  CHECK(element_sizes(plan) == std::vector<std::int64_t>{4, 8});
  CHECK(plan.passes[1].operands.size() == 1);
  CHECK(plan.sources[plan.passes[1].operands[0].source].pass == 0);
}

TEST_CASE("memory is counted in bytes of each pass's own elements") {
  const auto two = [] {
    const Tensor x = full<int>({1000}, 7).eval();
    return std::vector<Tensor>{x.tile({100}), widened(x).tile({50})};
  };
  // 400,000 bytes each, and 8,000 of what is computed on the way.
  const std::vector<Tensor> enough = two(), short_of_it = two();
  eval(enough, {.memory_limit = 808000});
  CHECK(enough[1].data<double>()[49999] == 7);
  CHECK_THROWS_AS(eval(short_of_it, {.memory_limit = 807999}), MemoryError);
  CHECK_FALSE(short_of_it[0].is_stored());
  eval(short_of_it, {});
  CHECK(short_of_it[0].data<int>()[99999] == 7);
}

TEST_CASE("what is computed and seen as another type is computed in its own") {
  const Tensor x = iota<float>({300}).astype(bf16).eval(),
               y = full({300}, 0.5f).astype(bf16).eval();
  const Tensor of_value = ((x + y).eval().view_as(i16) * 2).eval();
  const Tensor fused = ((x + y).view_as(i16) * 2).eval();
  CHECK(std::memcmp(fused.node().value().get(), of_value.node().value().get(), 600) == 0);
}

TEST_CASE("data that was given up is written over, whatever other types the expression has") {
  Tensor data = full<double>({100, 20}, 1).eval();
  const double* const memory = data.data<double>();
  Tensor next = std::move(data).slice_scatter(widened(iota<int>({2, 20})), {3}, {5});
  CHECK(element_sizes(plan_of({next})) == std::vector<std::int64_t>{8, 8});
  next.eval();
  CHECK(next.data<double>() == memory);
  CHECK(memory[3 * 20 + 1] == 1);
  CHECK(memory[4 * 20 + 19] == 39);
  CHECK(memory[99 * 20] == 1);
}

TEST_CASE("programs: outputs of several types are one plan") {
  const Program program(
      {placeholder(i32, {4, 5}), placeholder(f64, {4, 5})}, [](const Tensor& x, const Tensor& y) {
        const Tensor shared = x.transpose().stored();
        return std::vector<Tensor>{shared.flip(0), y.transpose().flip(1), shared.tile({1, 2})};
      });
  const Tensor x = iota<int>({4, 5}), y = iota<double>({4, 5});
  const std::string text = program.explain({x, y});
  CHECK(text.find("output 0, i32 [5, 4], output 1, f64 [5, 4], output 2, i32 [5, 8]: 4 passes") !=
        std::string::npos);
  const std::vector<Tensor> got = program(x, y);
  CHECK(got[0].to_vector<int>() == x.transpose().flip(0).to_vector<int>());
  CHECK(got[1].to_vector<double>() == y.transpose().flip(1).to_vector<double>());
}

TEST_CASE(
    "programs: an output that only turns what was given up does so within it, beside others") {
  const Program program({placeholder(i32, {4, 5}), placeholder(f64, {4, 5})},
                        [](const Tensor& x, const Tensor& y) {
                          return std::vector<Tensor>{x.roll(1, 0), y.transpose()};
                        });
  Tensor x = iota<int>({4, 5});
  const int* const memory = x.data<int>();
  const std::vector<int> expected = iota<int>({4, 5}).roll(1, 0).to_vector<int>();
  const std::vector<Tensor> got = program(std::move(x), iota<double>({4, 5}));
  CHECK(got[0].data<int>() == memory);
  CHECK(got[0].to_vector<int>() == expected);
}

TEST_CASE(
    "an operand whose bytes are moved apart is stored in bytes, and computed with in elements") {
  const Tensor x = iota<std::int32_t>({4, 6}).multiply(1 << 20).eval();
  const Tensor moved = x.view_as(u8).roll(3, 1).view_as(i32);
  const Tensor computed = moved.astype(f32) + 1.0f;
  const Plan plan = make_plan(computed.node_ptr());
  for (const Pass& pass : plan.passes) CHECK(pass.written() == pass.count);
  CHECK(flaw_of_cover(plan).empty());
  const Tensor expected = moved.eval().astype(f32).eval() + 1.0f;
  CHECK(computed.to_vector<float>() == expected.to_vector<float>());
}
