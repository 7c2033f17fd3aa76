// SPDX-License-Identifier: Apache-2.0
// transpose: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/transpose.h>

#include <cstdint>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

struct Transpose {
  Index order;
  AxisMap map;  // its inverse

  static constexpr std::string_view name = "transpose";
  static constexpr const Op& op = transpose_op;
  static constexpr std::tuple fields{
      operand("x", "whose axes are permuted"),
      parameter("order", &Transpose::order,
                "the axis of x that each axis of the result is; empty: reversed", none),
      derived(&Transpose::map)};

  /// Permutes what is known of the extents; an order that is not known opens all of them.
  static KnownType infer(const KnownType& x, const Ints& order) {
    static_assert(max_rank <= 32);
    if (!order.is_none()) {
      check_integer(name, "order", order);
      check_list(name, "order", order);
    }
    const std::int64_t length = known_length(order);
    if (!x.shape.has_rank())
      return {x.dtype, length > 0 ? Extents::of_rank(static_cast<std::size_t>(length)) : x.shape};
    const std::int64_t rank = static_cast<std::int64_t>(x.shape.rank());
    if (length > 0 && length != rank)
      throw ParameterError("length_mismatch",
                           fmt::format("transpose: order {} has {} entries, expected {} (shape {})",
                                       order.text(), length, rank, to_string(x.shape)));
    if (order.is_open()) return {x.dtype, Extents::of_rank(x.shape.rank())};
    KnownType result = x;
    std::uint32_t named = 0;  // bit k for axis k
    for (std::size_t k = 0; k < x.shape.rank(); ++k) {
      const std::int64_t axis = axis_at(order, k, rank);
      if (axis < 0 || axis >= rank || (named >> axis & 1) != 0)
        throw AxisError(
            "not_a_permutation",
            fmt::format("transpose: order {} is not a permutation of 0 to {} (shape {})",
                        order.text(), rank - 1, to_string(x.shape)));
      named |= std::uint32_t{1} << axis;
      result.shape.set(k, x.shape[static_cast<std::size_t>(axis)]);
    }
    return result;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& order) {
    const std::size_t rank = type.shape.size();
    Transpose transpose{Index(rank), {SmallVector<std::int32_t, 16>(rank)}};
    for (std::size_t k = 0; k < rank; ++k) {
      const std::int64_t axis = axis_at(order, k, static_cast<std::int64_t>(rank));
      transpose.order[k] = axis;
      transpose.map.axes[static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(k);
    }
    return tensor_of(std::move(transpose), std::move(type), x);
  }

  static std::int64_t axis_at(const Ints& order, std::size_t k, std::int64_t rank) {
    return order.size() == 0 ? rank - 1 - static_cast<std::int64_t>(k) : order[k];
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const { map.pull_back(box, to); }
  std::size_t trace(const Shape&, Index& index) const { return map.trace(index); }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    return {cotangent.transpose(map.axes)};
  }

  void compose(const Shape&, CyclicMap& to) const {
    const CyclicMap before = to;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t axis = static_cast<std::size_t>(order[k]);
      to.axes[axis] = before.axes[k];
      to.shift[axis] = before.shift[k];
      to.reversed[axis] = before.reversed[k];
    }
  }
};

}  // namespace

constinit const Op transpose_op = op_of<Transpose>();

Tensor transpose(const Tensor& x, const Ints& order) { return build<Transpose>(x, order); }

Tensor Tensor::transpose(const Ints& order) const { return weft::transpose(*this, order); }

}  // namespace weft
