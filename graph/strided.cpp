// SPDX-License-Identifier: Apache-2.0
// Elements at strides: how far they reach, and how a box is pulled back to the memory.
#include <weft/graph/strided.h>

#include <fmt/format.h>
#include <utility>

#include <weft/graph/map/box.h>
#include <weft/graph/operation.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

struct Strided {
  Shape strides;
  std::int64_t offset;
  std::string_view op;
  std::function<Tensor(const Tensor&)> to_flat;

  static constexpr std::tuple fields{kept(&Strided::strides, "strides"),
                                     kept(&Strided::offset, "offset"), hidden(&Strided::op),
                                     derived(&Strided::to_flat)};

  std::string_view op_name() const { return op; }

  /// Each axis adds to the one coordinate that the memory has.
  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    const std::size_t rank = shape.size();
    Box& source = to.add(0, box);
    source.origin.push_back(0);  // an axis for rank 0, too
    for (std::size_t axis = 0; axis < rank; ++axis)
      affine(source, static_cast<std::int32_t>(axis), axis == 0 ? offset : 0, strides[axis]);
    if (rank == 0) source.origin[0] = offset;
    for (std::size_t axis = rank; axis > 0; --axis) undivide(source, 0, 1);
  }

  std::size_t trace(const Shape& shape, Index& index) const {
    std::int64_t at = offset;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) at += index[axis] * strides[axis];
    index = {at};
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    return to_flat ? Tensors{to_flat(cotangent)} : Tensors();
  }
};

}  // namespace

Reach reach_of(std::string_view op, const Shape& shape, const Shape& strides) {
  Reach reach;
  bool overflows = false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    std::int64_t span = 0;
    overflows |= __builtin_mul_overflow(shape[axis] - 1, strides[axis], &span);
    std::int64_t& end = span < 0 ? reach.low : reach.high;
    overflows |= __builtin_add_overflow(end, span, &end);
  }
  std::int64_t count = 0;
  overflows |= __builtin_sub_overflow(reach.high, reach.low, &count);
  overflows |= __builtin_add_overflow(count, 1, &count);
  if (overflows)
    throw OverflowError(fmt::format("{}: shape {} with strides {} reaches beyond int64", op,
                                    to_string(shape), to_string(strides)));
  return reach;
}

Tensor strided(std::string_view op, const Tensor& flat, const Shape& shape, const Shape& strides,
               std::int64_t offset, std::function<Tensor(const Tensor&)> adjoint) {
  return tensor_of(Strided{strides, offset, op, std::move(adjoint)}, {flat.dtype(), shape}, flat);
}

}  // namespace weft
