// SPDX-License-Identifier: Apache-2.0
// From matrices of any type to a product of those that there are kernels of.
#include <weft/ops/product/products.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/product.h>
#include <weft/ops/create/full.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/reduce/sums.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/view_as.h>

namespace weft {
namespace {

/// What elements are multiplied in: integers of one size wrap alike.
DType computed(DType type) {
  if (!type.is_integer()) return type == f64 ? f64 : f32;
  return type.size() == 8 ? i64 : i32;
}
/// As elements of the computed type of theirs, and back.
Tensor to_computed(const Tensor& x) {
  const DType type = computed(x.dtype());
  return x.dtype().size() == type.size() ? view_as(x, type) : astype(x, type);
}
Tensor from_computed(const Tensor& x, DType type) {
  return x.dtype().size() == type.size() ? view_as(x, type) : astype(x, type);
}

/// Of operands [..., rows, inner] and [..., inner, columns].
Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) {
  const DType type = cotangent.dtype();
  return {multiply_matrices("matmul", type, cotangent, operands[1].swapaxes(-2, -1), {}),
          multiply_matrices("matmul", type, operands[0].swapaxes(-2, -1), cotangent, {})};
}

}  // namespace

DType product_type(std::string_view op, DType x, DType y) {
  return common_type(op, kinds::reals, {x, y});
}

Tensor read_as(const Tensor& x, const Shape& shape) {
  return x.shape() == shape ? x : reshape(x, shape);
}

Tensor multiply_rows(DType type, const Tensor& x, const Tensor& y) {
  const DType wide = type == f16 || type == bf16 ? f32 : type;
  return astype(sum(multiply(astype(x, wide), astype(y, wide)), -1), type);
}

Tensor multiply_matrices(std::string_view op, DType type, const Tensor& x, const Tensor& y,
                         const std::string& told) {
  const std::size_t row = x.rank() - 2;
  Shape shape = x.shape();
  const std::int64_t inner = shape[row + 1];
  shape[row + 1] = y.shape()[row + 1];
  check_shape(op, shape, type);
  const std::int64_t count = element_count(shape);
  if (count == 0 || inner == 0) return full(shape, Scalar(0), type);
  if (inner == 1) return multiply(astype(x, type), astype(y, type));
  if (shape[row] == 1 && shape[row + 1] == 1) {
    Shape rows = shape;
    rows.pop_back();
    rows[row] = inner;
    return read_as(multiply_rows(type, read_as(x, rows), read_as(y, rows)), shape);
  }
  const Tensor left = to_computed(astype(x, type)), right = to_computed(astype(y, type));
  return from_computed(
      make_tensor<NodeOf<Product>>(TensorType{left.dtype(), shape}, inputs_of(left, right), op,
                                   inner, told, adjoint),
      type);
}

void check_meet(std::string_view op, const KnownType& x, std::size_t x_axis, std::string_view own,
                const KnownType& y, std::size_t y_axis, std::string_view other) {
  const Extent a = x.shape[x_axis], b = y.shape[y_axis];
  if (a.low <= b.high && b.low <= a.high) return;
  throw ShapeError(fmt::format("{}: {} {} meet {} {} ({} and {})", op, to_string(a), own,
                               to_string(b), other, to_string(x.shape), to_string(y.shape)));
}

}  // namespace weft
