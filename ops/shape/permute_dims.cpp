// SPDX-License-Identifier: Apache-2.0
// permute_dims: what it refuses, and the transpose it is.
#include <weft/ops/shape/permute_dims.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

void check_length(std::int64_t length, const Ints& axes, const Extents& shape) {
  if (length > 0 && length != static_cast<std::int64_t>(shape.rank()))
    throw ParameterError("length_mismatch",
                         fmt::format("permute_dims: axes {} has {} entries, expected {} (shape {})",
                                     axes.text(), length, shape.rank(), to_string(shape)));
}

/// The axis of x that each axis of the result is.
Index order_of(const Ints& axes, const Extents& shape) {
  Index order;
  for (const std::size_t axis : check_unique_axes("permute_dims", axes, shape))
    order.push_back(static_cast<std::int64_t>(axis));
  for (std::size_t axis = shape.rank(); axes.size() == 0 && axis-- > 0;)
    order.push_back(static_cast<std::int64_t>(axis));
  return order;
}

struct PermuteDims {
  static constexpr std::string_view name = "permute_dims";
  static constexpr const Op& op = permute_dims_op;
  static constexpr std::tuple fields{
      operand("x", "whose axes are permuted"),
      parameter("axes", "the axis of x that each axis of the result is; empty: reversed")};

  /// Permutes what is known of the extents; axes that are not known open all of them.
  static KnownType infer(const KnownType& x, const Ints& axes) {
    check_integer(name, "axes", axes);
    check_list(name, "axes", axes);
    const std::int64_t length = known_length(axes);
    if (!x.shape.has_rank())
      return {x.dtype, length > 0 ? Extents::of_rank(static_cast<std::size_t>(length)) : x.shape};
    check_length(length, axes, x.shape);
    if (axes.is_open()) return {x.dtype, Extents::of_rank(x.shape.rank())};
    KnownType result = x;
    const Index order = order_of(axes, x.shape);
    for (std::size_t k = 0; k < order.size(); ++k)
      result.shape.set(k, x.shape[static_cast<std::size_t>(order[k])]);
    return result;
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& axes) {
    return transpose(x, order_of(axes, x.shape()));
  }
};

}  // namespace

constinit const Op permute_dims_op = op_of<PermuteDims>();

Tensor permute_dims(const Tensor& x, const Ints& axes) { return build<PermuteDims>(x, axes); }

Tensor Tensor::permute_dims(const Ints& axes) const { return weft::permute_dims(*this, axes); }

}  // namespace weft
