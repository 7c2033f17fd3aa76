// SPDX-License-Identifier: Apache-2.0
// grad, vjp and stop_gradient: what they make, and what they refuse.
#include <weft/graph/plan/plan.h>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("grad: of a sum of squares it is twice the tensor") {
  const Tensor x = array({1., 2., 3.});
  expect(grad(x.multiply(x).sum(), x), {3}, {2., 4., 6.});
  expect(grad(x[1], x), {3}, {0., 1., 0.});
}

TEST_CASE("grad: by several, one of which lies within another") {
  const Tensor x = array({1., 2.}), scale = array({3., 5.});
  const Tensor inner = x.multiply(scale);
  const Results made = grad(inner.multiply(inner).sum(), {x, inner, scale});
  expect(made[0], {2}, {18., 100.});
  expect(made[1], {2}, {6., 20.});
  expect(made[2], {2}, {6., 40.});
}

TEST_CASE("grad: operands that were broadcast get the sum") {
  const Tensor x = array({{1., 2., 3.}, {4., 5., 6.}}), row = array({1., 2., 3.}), one = scalar(2.);
  const Results made = grad(x.multiply(row).multiply(one).sum(), {x, row, one});
  expect(made[0], {2, 3}, {2., 4., 6., 2., 4., 6.});
  expect(made[1], {3}, {10., 14., 18.});
  expect(made[2], {}, {46.});
}

TEST_CASE("grad: zeros by what does not matter, and through what stop_gradient says") {
  const Tensor x = array({1., 2.}), y = array({3., 4.});
  expect(grad(x.sum(), y), {2}, {0., 0.});
  expect(grad(stop_gradient(x).multiply(y).sum(), x), {2}, {0., 0.});
  expect(grad(stop_gradient(x).multiply(x).sum(), x), {2}, {1., 2.});
  expect(grad(x.astype(i32).astype(f64).sum(), x), {2}, {0., 0.});
  CHECK(graph_text(stop_gradient(x)).find("stop_gradient") != std::string::npos);
}

TEST_CASE("grad: of a gradient") {
  const Tensor x = array({1., 2., 3.});
  const Tensor cubes = x.multiply(x).multiply(x).sum();
  expect(grad(grad(cubes, x).sum(), x), {3}, {6., 12., 18.});
}

TEST_CASE("vjp: parts that are put side by side are moved and not added") {
  const Tensor x = iota<double>({6, 4});
  const Results parts = x.split({1, 2, 3});
  const Tensor y = concat({parts[2], parts[0], parts[1]});
  const Tensor back = vjp(y, x, iota<double>({6, 4}));
  expect_same(back,
              concat({iota<double>({6, 4}).slice({3}, {4}), iota<double>({6, 4}).slice({4}, {6}),
                      iota<double>({6, 4}).slice({0}, {3})}));
  const Plan plan = make_plan(back.node_ptr());
  CHECK(plan.passes.size() == 1);
}

TEST_CASE("grad and vjp: what they refuse") {
  const Tensor x = array({1., 2.}), whole = array({1, 2});
  refuses<ShapeError>("shape_mismatch",
                      "grad: y has 2 elements (shape [2]), expected 1; vjp takes a cotangent for "
                      "each",
                      [&] { grad(x, x); });
  refuses<DtypeError>("dtype_mismatch", "grad: y is i32, expected f16, bf16, f32 or f64",
                      [&] { grad(whole[0], x); });
  refuses<DtypeError>("dtype_mismatch", "grad: x 1 is i32, expected f16, bf16, f32 or f64", [&] {
    grad(x.sum(), {x, whole});
  });
  refuses<EmptyError>("empty_tensor",
                      "grad: xs is an empty tensor, default-constructed or moved from", [&] {
                        grad(x.sum(), {x, Tensor()});
                      });
  refuses<DtypeError>("dtype_mismatch", "vjp: cotangent is f32, expected f64 as y", [&] {
    vjp(x, x, array({1.f, 2.f}));
  });
  refuses<ShapeError>("shape_mismatch", "vjp: cotangent has shape [3], expected [2] as y", [&] {
    vjp(x, x, array({1., 2., 3.}));
  });
  refuses<ParameterError>("no_gradient", "grad: view_as, f32 [4], has no gradient",
                          [&] { grad(x.view_as(f32).sum(), x); });
  CHECK(grad(x.sum(), Tensors()).empty());
}

TEST_CASE("grad: an expression that has its value forgot what it was made of, and is named") {
  const Tensor x = array({1., 2.});
  const Tensor known = x.flip().eval();
  refuses<ParameterError>(
      "no_gradient",
      "grad: flip, f64 [2], has its value and forgot what it was made of; take gradients before it "
      "is evaluated, name it among xs, or pass stop_gradient of it",
      [&] { grad(known.multiply(x).sum(), x); });
  expect(grad(known.multiply(x).sum(), known), {2}, {1., 2.});
  expect(grad(stop_gradient(known).multiply(x).sum(), x), {2}, {2., 1.});
}

TEST_CASE("grad: in a program, what it refuses") {
  const Tensor x = placeholder(f64, {"n"}, "x"), w = array({1., 2.});
  refuses<ParameterError>("no_gradient",
                          "grad: x 1 is a constant of the program, expected a placeholder, or "
                          "what depends on one",
                          [&] {
                            grad(x.sum(), {x, w});
                          });
  const Program whole({x}, {grad(x.multiply(x), x)});
  CHECK_THROWS_AS(whole.run({w}), ShapeError);
  CHECK(whole.run({array({3.})})[0].to_vector<double>() == std::vector<double>{6});
}

TEST_CASE("vjp: in a program, of several") {
  const Tensor x = placeholder(f32, PartialShape::any(), "x"),
               c = placeholder(f32, PartialShape::any(), "c");
  const Program program({x, c}, {vjp(x.transpose().exp(), x, c)});
  const Tensor at = zeros({2, 3}), cotangent = iota<float>({3, 2});
  CHECK(program.run({at, cotangent})[0].to_vector<float>() ==
        cotangent.transpose().to_vector<float>());
}
