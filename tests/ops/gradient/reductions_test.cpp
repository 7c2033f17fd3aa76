// SPDX-License-Identifier: Apache-2.0
// Gradients of reductions, row programs and products beside quotients of differences.
#include <doctest/doctest.h>

#include "ops/gradient/differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

struct Reducing {
  const char* name;
  Tensor (*reduce)(const Tensor& x, const Ints& axes, bool keepdims);
};

constexpr Reducing reducing[] = {
    {"sum", [](const Tensor& x, const Ints& axes, bool keep) { return x.sum(axes, keep); }},
    {"prod", [](const Tensor& x, const Ints& axes, bool keep) { return x.prod(axes, keep); }},
    {"min", [](const Tensor& x, const Ints& axes, bool keep) { return x.min(axes, keep); }},
    {"max", [](const Tensor& x, const Ints& axes, bool keep) { return x.max(axes, keep); }},
    {"mean", [](const Tensor& x, const Ints& axes, bool keep) { return x.mean(axes, keep); }},
    {"var", [](const Tensor& x, const Ints& axes, bool keep) { return x.var(axes, 0.5, keep); }},
    {"std", [](const Tensor& x, const Ints& axes, bool keep) { return x.std(axes, 0, keep); }},
    {"logsumexp",
     [](const Tensor& x, const Ints& axes, bool keep) { return x.logsumexp(axes, keep); }},
};

const std::vector<Ints>& axes_of_three() {
  static const std::vector<Ints> all{none,       Ints({0}),    Ints({1}),
                                     Ints({-1}), Ints({0, 2}), Ints({1, 2})};
  return all;
}

/// Elements that are 0 among others: prod and cumulative_prod divide by none.
Tensor with_zeros(const Shape& shape, Random& random, std::uint64_t one_in) {
  std::vector<double> numbers = drawn_numbers(shape, random).to_vector<double>();
  for (double& number : numbers)
    if (random.one_in(one_in)) number = 0;
  return from_vector(numbers, shape);
}

}  // namespace

TEST_CASE("gradients: of reductions, along any axes") {
  Random random(1);
  for (const Reducing& each : reducing)
    for (const Ints& axes : axes_of_three())
      for (const bool keep : {false, true}) {
        CAPTURE(each.name);
        CAPTURE(axes.text());
        CHECK(flaw_of_gradients(
                  [&](const Tensors& x) { return each.reduce(x[0].transpose(), axes, keep); },
                  {drawn_numbers({2, 3, 4}, random)}, random) == "");
      }
}

TEST_CASE("gradients: of products of elements that are 0") {
  Random random(2);
  for (int k = 0; k < 20; ++k) {
    const Tensor x = with_zeros({2, 5, 2}, random, 4);
    CHECK(flaw_of_gradients([](const Tensors& xs) { return xs[0].prod(1); }, {x}, random) == "");
    CHECK(flaw_of_gradients([](const Tensors& xs) { return xs[0].cumulative_prod(1); }, {x},
                            random) == "");
  }
}

TEST_CASE("gradients: equal extremes share") {
  const Tensor x = array({{3., 1., 3.}, {2., 2., 2.}});
  CHECK(grad(x.max(1).sum(), x).to_vector<double>() ==
        std::vector<double>{.5, 0, .5, 1. / 3, 1. / 3, 1. / 3});
}

TEST_CASE("gradients: of what goes along an axis") {
  Random random(3);
  const Tensor x = drawn_numbers({3, 5}, random), scale = drawn_numbers({5}, random),
               bias = drawn_numbers({5}, random);
  const auto check = [&](const Function& function, const Tensors& xs) {
    CHECK(flaw_of_gradients(function, xs, random) == "");
  };
  for (const bool initial : {false, true}) {
    check([&](const Tensors& all) { return all[0].cumulative_sum(1, initial); }, {x});
    check([&](const Tensors& all) { return all[0].cumulative_prod(0, initial); }, {x});
  }
  check([](const Tensors& all) { return all[0].softmax(); }, {x});
  check([](const Tensors& all) { return all[0].log_softmax(0); }, {x});
  check([](const Tensors& all) { return all[0].rms_norm(all[1]); }, {x, scale});
  check([](const Tensors& all) { return all[0].layer_norm(all[1], all[2]); }, {x, scale, bias});
  check(
      [](const Tensors& all) {
        return all[0].reduce("r (c k) -> c k", "mean", {{"k", 5}});
      },
      {x});
}

TEST_CASE("gradients: of products of matrices") {
  Random random(4);
  const auto drawn = [&](const Shape& shape) { return drawn_numbers(shape, random); };
  const auto check = [&](const Function& function, const Tensors& xs) {
    CHECK(flaw_of_gradients(function, xs, random) == "");
  };
  const auto times = [](const Tensors& all) { return matmul(all[0], all[1]); };
  check(times, {drawn({3, 4}), drawn({4, 2})});
  check(times, {drawn({2, 1, 3, 4}), drawn({5, 4, 2})});
  check(times, {drawn({3, 1}), drawn({1, 2})});
  check(times, {drawn({1, 4}), drawn({4, 1})});
  check(times, {drawn({4}), drawn({4, 3})});
  check(times, {drawn({2, 3, 4}), drawn({4})});
  check([](const Tensors& all) { return matmul(all[0].transpose(), all[0]); }, {drawn({3, 2})});
  check([](const Tensors& all) { return vecdot(all[0], all[1]); }, {drawn({3, 4}), drawn({4})});
  check([](const Tensors& all) { return outer(all[0], all[1]); }, {drawn({3}), drawn({4})});
  check([](const Tensors& all) { return tensordot(all[0], all[1]); },
        {drawn({2, 3, 4}), drawn({3, 4, 2})});
  check([](const Tensors& all) { return einsum(all, "b i d, b j d, j k -> b i k"); },
        {drawn({2, 3, 4}), drawn({2, 2, 4}), drawn({2, 3})});
}
