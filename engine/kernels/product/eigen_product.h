// SPDX-License-Identifier: Apache-2.0
// Eigen's product, for a file that is compiled for one instruction set with a namespace of its own
// in place of Eigen's, so that inline functions of one never serve another. Nothing of the standard
// library may be left out of line here: it would be shared.
#pragma once

#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#include <Eigen/Core>

#include <weft/engine/kernels/product.h>

namespace weft {
namespace {

// The result is row-major and Eigen's columns are not, so it makes the transpose: its left operand
// is our right one.
template <class T>
struct EigenProduct {
  using Index = Eigen::Index;
  using Traits = Eigen::internal::gebp_traits<T, T>;
  template <int order>
  using Mapper = Eigen::internal::const_blas_data_mapper<T, Index, order>;
  using Result = Eigen::internal::blas_data_mapper<T, Index, Eigen::ColMajor, Eigen::Unaligned, 1>;

  static const T* of(const std::byte* at) noexcept { return reinterpret_cast<const T*>(at); }
  static T* of(std::byte* at) noexcept { return reinterpret_cast<T*>(at); }

  template <int order>
  static void pack_columns(std::byte* to, const T* from, Index stride, Index inner,
                           Index columns) noexcept {
    Eigen::internal::gemm_pack_lhs<T, Index, Mapper<order>, Traits::mr, Traits::LhsProgress,
                                   typename Traits::LhsPacket4Packing, order>
        pack;
    pack(of(to), Mapper<order>(from, stride), inner, columns);
  }
  template <int order>
  static void pack_rows(std::byte* to, const T* from, Index stride, Index inner,
                        Index rows) noexcept {
    Eigen::internal::gemm_pack_rhs<T, Index, Mapper<order>, Traits::nr, order> pack;
    pack(of(to), Mapper<order>(from, stride), inner, rows);
  }

  static void pack_left(std::byte* to, const MatrixView& left) noexcept {
    if (left.columns == 1 || left.column_stride == 1)
      pack_rows<Eigen::ColMajor>(to, of(left.at), left.row_stride, left.columns, left.rows);
    else pack_rows<Eigen::RowMajor>(to, of(left.at), left.column_stride, left.columns, left.rows);
  }
  static void pack_right(std::byte* to, const MatrixView& right) noexcept {
    if (right.columns == 1 || right.column_stride == 1)
      pack_columns<Eigen::ColMajor>(to, of(right.at), right.row_stride, right.rows, right.columns);
    else
      pack_columns<Eigen::RowMajor>(to, of(right.at), right.column_stride, right.rows,
                                    right.columns);
  }
  static void multiply(std::byte* out, std::int64_t pitch, const std::byte* left,
                       const std::byte* right, std::int64_t rows, std::int64_t inner,
                       std::int64_t columns) noexcept {
    Eigen::internal::gebp_kernel<T, T, Index, Result, Traits::mr, Traits::nr, false, false> product;
    product(Result(of(out), pitch), of(right), of(left), columns, inner, rows, T{1});
  }

  static void add(std::byte* out, const std::byte* from, std::int64_t count) noexcept {
    T* const to = of(out);
    for (std::int64_t i = 0; i < count; ++i) to[i] += of(from)[i];
  }
  /// So many columns at a time, each from end to end: Eigen's own goes to and fro between them and
  /// took up to 1.5 times as long from memory.
  static constexpr int columns_at_once = 8;

  template <int packets>
  static void add_packets(T* out, const T* const* columns, const T* x, Index row) noexcept {
    using Packet = typename Eigen::internal::packet_traits<T>::type;
    constexpr int width = Eigen::internal::packet_traits<T>::size;
    Packet made[packets];
    for (int p = 0; p < packets; ++p)
      made[p] = Eigen::internal::ploadu<Packet>(out + row + p * width);
    for (int k = 0; k < columns_at_once; ++k) {
      const Packet factor = Eigen::internal::pset1<Packet>(x[k]);
      for (int p = 0; p < packets; ++p)
        made[p] = Eigen::internal::pmadd(
            Eigen::internal::ploadu<Packet>(columns[k] + row + p * width), factor, made[p]);
    }
    for (int p = 0; p < packets; ++p) Eigen::internal::pstoreu(out + row + p * width, made[p]);
  }
  static void add_columns(T* out, const MatrixView& a, const T* x) noexcept {
    constexpr int width = Eigen::internal::packet_traits<T>::size, packets = 4;
    Index k = 0;
    for (; k + columns_at_once <= a.columns; k += columns_at_once) {
      const T* columns[columns_at_once];
      for (int j = 0; j < columns_at_once; ++j) columns[j] = of(a.at) + (k + j) * a.column_stride;
      Index row = 0;
      for (; row + packets * width <= a.rows; row += packets * width)
        add_packets<packets>(out, columns, x + k, row);
      for (; row + width <= a.rows; row += width) add_packets<1>(out, columns, x + k, row);
      for (; row < a.rows; ++row)
        for (int j = 0; j < columns_at_once; ++j) out[row] += columns[j][row] * x[k + j];
    }
    for (; k < a.columns; ++k) {
      const T* const column = of(a.at) + k * a.column_stride;
      for (Index row = 0; row < a.rows; ++row) out[row] += column[row] * x[k];
    }
  }
  static void multiply_vector(std::byte* out, const MatrixView& matrix,
                              const std::byte* vector) noexcept {
    if (matrix.columns != 1 && matrix.column_stride != 1)
      return add_columns(of(out), matrix, of(vector));
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
    const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> a(
        of(matrix.at), matrix.rows, matrix.columns, Eigen::OuterStride<>(matrix.row_stride));
    Eigen::Map<Vector>(of(out), matrix.rows).noalias() +=
        a * Eigen::Map<const Vector>(of(vector), matrix.columns);
  }

  static constexpr ProductKernels kernels{
      std::int64_t{sizeof(T)}, pack_left, pack_right, multiply, add, multiply_vector};
};

constexpr ProductKernels all_kernels[product_types] = {
    EigenProduct<float>::kernels, EigenProduct<double>::kernels,
    EigenProduct<std::int32_t>::kernels, EigenProduct<std::int64_t>::kernels};

}  // namespace
}  // namespace weft
