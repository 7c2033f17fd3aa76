// SPDX-License-Identifier: Apache-2.0
// weft and its Eigen doors: views of tensors as Eigen types, always row-major, and tensors from
// them.
#pragma once

#include <Eigen/Core>
#include <fmt/format.h>
#include <unsupported/Eigen/CXX11/Tensor>

#include <weft/weft.h>

namespace weft {

template <>
struct DTypeOf<Eigen::half> {
  static constexpr DType value = f16;
};
template <>
struct DTypeOf<Eigen::bfloat16> {
  static constexpr DType value = bf16;
};

template <class T, int Rank>
struct EigenTensorView {
  using type = Eigen::TensorMap<const Eigen::Tensor<T, Rank, Eigen::RowMajor, Eigen::Index>>;
};
template <class T>
struct EigenMatrixView {
  using type = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
};

template <class T, int Rank>
typename EigenTensorView<T, Rank>::type Tensor::as() const& {
  if (known("as", Node::Known::rank).rank() != static_cast<std::size_t>(Rank))
    throw ParameterError("bad_rank",
                         fmt::format("as: rank {} was asked for, the tensor has rank {} "
                                     "(shape {})",
                                     Rank, rank(), to_string(shape())));
  Eigen::array<Eigen::Index, Rank> extents;
  for (std::size_t axis = 0; axis < rank(); ++axis) extents[axis] = shape()[axis];
  return typename EigenTensorView<T, Rank>::type(elements<T>("as"), extents);
}

template <class T>
typename EigenMatrixView<T>::type Tensor::matrix() const& {
  if (known("matrix", Node::Known::rank).rank() > 2)
    throw ParameterError("bad_rank",
                         fmt::format("matrix: the tensor has rank {}, expected at most 2 "
                                     "(shape {})",
                                     rank(), to_string(shape())));
  const Eigen::Index columns = rank() == 0 ? 1 : shape()[rank() - 1];
  const Eigen::Index rows = rank() == 2 ? shape()[0] : 1;
  return typename EigenMatrixView<T>::type(elements<T>("matrix"), rows, columns);
}

/// Copies an Eigen matrix, vector or expression, whatever its storage order: shape [rows, cols], or
/// [size] for what is a vector at compile time.
template <class Derived>
[[nodiscard]] Tensor from_eigen(const Eigen::DenseBase<Derived>& values) {
  using T = typename Derived::Scalar;
  const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows =
      values.derived().matrix();
  if constexpr (Derived::IsVectorAtCompileTime)
    return copy_from(rows.data(), std::int64_t{values.size()});
  else return copy_from(rows.data(), {values.rows(), values.cols()});
}

/// Copies an Eigen tensor, whatever its storage order; the shape is that of the tensor.
template <class T, int Rank, int Options, class IndexType>
[[nodiscard]] Tensor from_eigen(const Eigen::Tensor<T, Rank, Options, IndexType>& values) {
  Shape shape;
  for (int axis = 0; axis < Rank; ++axis) shape.push_back(values.dimension(axis));
  if constexpr (int(Options) & int(Eigen::RowMajor)) return copy_from(values.data(), shape);
  // Column-major data is row-major data of the reversed shape.
  Shape reversed(shape.begin(), shape.end());
  std::reverse(reversed.begin(), reversed.end());
  return copy_from(values.data(), reversed).transpose();
}

}  // namespace weft
