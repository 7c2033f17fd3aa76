// SPDX-License-Identifier: Apache-2.0
// A program's gradient is a program, saved and loaded like any.
#include <doctest/doctest.h>

#include <weft/io/program_json.h>
#include <weft/weft.h>

using namespace weft;

TEST_CASE("grad: of a program it is a program, which is saved and loaded") {
  const Tensor x = placeholder(f64, {"n", 3}, "x"), w = placeholder(f64, {3}, "w");
  const Tensor loss = matmul(x, w).tanh().sum();
  const Results made = grad(loss, {x, w});
  const Program program({x, w}, {loss, made[0], made[1]});
  const Program loaded = program_from_json(to_json(program));
  const Tensor rows = iota<double>({2, 3}).multiply(0.1), weights = array({1., -2., 0.5});
  const Results expected = grad(matmul(rows, weights).tanh().sum(), {rows, weights});
  for (const Program* each : {&program, &loaded}) {
    const Results got = each->run({rows, weights});
    CHECK(got[1].to_vector<double>() == expected[0].to_vector<double>());
    CHECK(got[2].to_vector<double>() == expected[1].to_vector<double>());
  }
  CHECK(to_string(program).find("grad(") != std::string::npos);
}
