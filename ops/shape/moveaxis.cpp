// SPDX-License-Identifier: Apache-2.0
// moveaxis: what it refuses, and the transpose it is.
#include <weft/ops/shape/moveaxis.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

/// The axis of x that each axis of the result is.
Index order_of(const Ints& source, const Ints& destination, const Extents& shape) {
  for (const Ints* axes : {&source, &destination})
    for (std::size_t i = 0; i < axes->size(); ++i) check_axis("moveaxis", *axes, i, shape);
  const auto from = check_unique_axes("moveaxis", source, shape);
  const auto to = check_unique_axes("moveaxis", destination, shape);
  constexpr std::int64_t vacant = -1;
  Index order(shape.rank(), vacant);
  SmallVector<bool, 16> is_moved(shape.rank(), false);
  for (std::size_t i = 0; i < from.size(); ++i) {
    order[to[i]] = static_cast<std::int64_t>(from[i]);
    is_moved[from[i]] = true;
  }
  std::size_t next = 0;
  for (std::int64_t& axis : order) {
    if (axis != vacant) continue;
    while (is_moved[next]) ++next;
    axis = static_cast<std::int64_t>(next++);
  }
  return order;
}

struct MoveAxis {
  static constexpr std::string_view name = "moveaxis";
  static constexpr const Op& op = moveaxis_op;
  static constexpr std::tuple fields{operand("x", "whose axes are moved"),
                                     parameter("source", "those that are moved"),
                                     parameter("destination", "where each of them goes")};

  /// Axes that are not known open all extents.
  static KnownType infer(const KnownType& x, const Ints& source, const Ints& destination) {
    check_integer(name, "source", source);
    check_integer(name, "destination", destination);
    check_scalar_or_list(name, "source", source);
    check_scalar_or_list(name, "destination", destination);
    const std::int64_t sources = known_length(source), destinations = known_length(destination);
    if (sources >= 0 && destinations >= 0 && sources != destinations)
      throw ParameterError("length_mismatch",
                           fmt::format("moveaxis: destination {} has {} entries, expected {} as "
                                       "source {}",
                                       destination.text(), destinations, sources, source.text()));
    if (!x.shape.has_rank()) return x;
    if (is_any_open(source, destination)) return {x.dtype, Extents::of_rank(x.shape.rank())};
    KnownType result = x;
    const Index order = order_of(source, destination, x.shape);
    for (std::size_t k = 0; k < order.size(); ++k)
      result.shape.set(k, x.shape[static_cast<std::size_t>(order[k])]);
    return result;
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& source,
                     const Ints& destination) {
    return transpose(x, order_of(source, destination, x.shape()));
  }
};

}  // namespace

constinit const Op moveaxis_op = op_of<MoveAxis>();

Tensor moveaxis(const Tensor& x, const Ints& source, const Ints& destination) {
  return build<MoveAxis>(x, source, destination);
}

Tensor Tensor::moveaxis(const Ints& source, const Ints& destination) const {
  return weft::moveaxis(*this, source, destination);
}

}  // namespace weft
