// SPDX-License-Identifier: Apache-2.0
// The Eigen doors: row-major views, half floats, and tensors from matrices of either order.
#include <doctest/doctest.h>

#include <weft/eigen.h>

using namespace weft;

TEST_CASE("a value is seen as an Eigen tensor of its rank") {
  const Tensor x = iota<float>({2, 3, 4}).transpose({2, 0, 1});
  const auto view = x.as<float, 3>();
  CHECK(view.dimension(0) == 4);
  CHECK(view(1, 0, 2) == 9);
  CHECK_THROWS_WITH_AS((x.as<float, 2>()),
                       "as: rank 2 was asked for, the tensor has rank 3 (shape [4, 2, 3])",
                       ParameterError);
  CHECK_THROWS_AS((x.as<int, 3>()), DtypeError);
}

TEST_CASE("a value is seen as an Eigen matrix") {
  const Tensor x = array({{1, 2}, {3, 4}}).transpose();
  const auto view = x.matrix<int>();
  CHECK(view(0, 1) == 3);
  CHECK(view.sum() == 10);
  const Tensor row = array({1, 2, 3});
  CHECK(row.matrix<int>().cols() == 3);
  const Tensor cube = iota<int>({2, 2, 2});
  CHECK_THROWS_AS(cube.matrix<int>(), ParameterError);
}

TEST_CASE("matrices of either order come in by value") {
  Eigen::MatrixXd columns(2, 3);
  columns << 1, 2, 3, 4, 5, 6;
  const Eigen::Matrix<double, 2, 3, Eigen::RowMajor> rows = columns;
  const Tensor a = from_eigen(columns), b = from_eigen(rows), c = from_eigen(2 * columns);
  CHECK(a.shape() == Shape{2, 3});
  CHECK(a.data<double>()[1] == 2);
  CHECK(b.data<double>()[1] == 2);
  CHECK(c.data<double>()[5] == 12);
  const Tensor v = from_eigen(Eigen::Vector3f(1, 2, 3));
  CHECK(v.shape() == Shape{3});
  CHECK(v.data<float>()[2] == 3);
}

TEST_CASE("Eigen tensors of either order come in by value") {
  Eigen::Tensor<int, 3> columns(2, 3, 4);
  Eigen::Tensor<int, 3, Eigen::RowMajor> rows(2, 3, 4);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) columns(i, j, k) = rows(i, j, k) = 100 * i + 10 * j + k;
  const Tensor a = from_eigen(columns), b = from_eigen(rows);
  CHECK(a.shape() == Shape{2, 3, 4});
  CHECK(a.as<int, 3>()(1, 2, 3) == 123);
  CHECK(b.as<int, 3>()(1, 2, 3) == 123);
}

TEST_CASE("half and bfloat16 are Eigen's types and keep their bits") {
  const Tensor h =
      from_vector(std::vector<Eigen::half>{Eigen::half(1.5f), Eigen::half(-0.0f)}, {2});
  CHECK(h.dtype() == f16);
  const Tensor turned = h.flip();
  CHECK(turned.data<Eigen::half>()[0].x == 0x8000);
  const Tensor b =
      from_vector(std::vector<Eigen::bfloat16>{Eigen::bfloat16(2.0f), Eigen::bfloat16(3.0f)}, {2});
  CHECK(b.dtype() == bf16);
  const Tensor rolled = b.roll(1, 0);
  CHECK(static_cast<float>(rolled.data<Eigen::bfloat16>()[0]) == 3.0f);
}
