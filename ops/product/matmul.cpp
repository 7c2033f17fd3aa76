// SPDX-License-Identifier: Apache-2.0
// matmul: which matrices meet, by NumPy's rules.
#include <weft/ops/product/matmul.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/grow/broadcast_to.h>
#include <weft/ops/product/products.h>

namespace weft {
namespace {

/// The axes in front of matrices.
KnownType batch_of(const KnownType& x) {
  KnownType batch{x.dtype, {}};
  for (std::size_t axis = 0; axis + 2 < x.shape.rank(); ++axis)
    batch.shape.push_back(x.shape[axis]);
  return batch;
}
Shape with_matrix(const Shape& batch, std::int64_t rows, std::int64_t columns) {
  Shape shape = batch;
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

struct Matmul {
  static constexpr std::string_view name = "matmul";
  static constexpr const Op& op = matmul_op;
  static constexpr std::tuple fields{operand("x", "the left matrices"),
                                     operand("y", "the right matrices")};

  static KnownType infer(const KnownType& x, const KnownType& y) {
    const DType type = product_type(name, x.dtype, y.dtype);
    for (const KnownType* each : {&x, &y})
      if (each->shape.has_rank() && each->shape.rank() == 0)
        throw ParameterError("bad_rank",
                             fmt::format("matmul: {} has rank 0, expected at least 1: multiply() "
                                         "takes single elements",
                                         each == &x ? "x" : "y"));
    if (!x.shape.has_rank() || !y.shape.has_rank()) return {type, Extents::any()};
    const std::size_t left = x.shape.rank(), right = y.shape.rank();
    check_meet(name, x, left - 1, left == 1 ? "elements" : "columns", y, right == 1 ? 0 : right - 2,
               right == 1 ? "elements" : "rows");
    const KnownType own = batch_of(x), other = batch_of(y);
    KnownType made{type, broadcast_shape(name, {&own, &other})};
    if (left > 1) made.shape.push_back(x.shape[left - 2]);
    if (right > 1) made.shape.push_back(y.shape[right - 1]);
    return made;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Tensor& y) {
    const Shape &left = x.shape(), &right = y.shape();
    const std::int64_t inner = left.back();
    const std::int64_t rows = left.size() > 1 ? left[left.size() - 2] : 1;
    const std::int64_t columns = right.size() > 1 ? right.back() : 1;
    Shape batch = type.shape;
    for (std::size_t k = (left.size() > 1) + (right.size() > 1); k > 0; --k) batch.pop_back();
    // Rows of many matrices that meet the same one are the rows of one.
    if (right.size() <= 2 && batch.size() > 0 && element_count(batch) > 0) {
      const Tensor all = read_as(x, {element_count(batch) * rows, inner});
      return read_as(multiply_matrices(name, type.dtype, all, read_as(y, {inner, columns})),
                     type.shape);
    }
    const auto in_batch = [&](const Tensor& own, std::int64_t height, std::int64_t width) {
      Shape shape;
      for (std::size_t axis = 0; axis + 2 < own.rank(); ++axis) shape.push_back(own.shape()[axis]);
      const Tensor matrices = read_as(own, with_matrix(shape, height, width));
      const Shape all = with_matrix(batch, height, width);
      return matrices.shape() == all ? matrices : broadcast_to(matrices, all);
    };
    return read_as(
        multiply_matrices(name, type.dtype, in_batch(x, rows, inner), in_batch(y, inner, columns)),
        type.shape);
  }
};

}  // namespace

constinit const Op matmul_op = op_of<Matmul>();

Tensor matmul(const Tensor& x, const Tensor& y) { return build<Matmul>(x, y); }

Tensor ProductMethods::matmul(const Tensor& other) const { return weft::matmul(tensor(), other); }

}  // namespace weft
