// SPDX-License-Identifier: Apache-2.0
// stack: what it refuses; it is a concat of tensors with one more axis.
#include <weft/ops/grow/stack.h>

#include <weft/ops/grow/common_dim.h>
#include <weft/ops/grow/concat.h>
#include <weft/ops/shape/expand_dims.h>

namespace weft {
namespace {

struct Stack {
  static constexpr std::string_view name = "stack";
  static constexpr const Op& op = stack_op;
  static constexpr std::tuple fields{
      operands("tensors", "what is joined"),
      parameter("axis", "the axis of the result that counts them", 0)};

  static KnownType infer(const KnownTypes& tensors, const Ints& axis) {
    check_joined_types(name, tensors);
    const DType dtype = tensors[0].dtype;
    check_one(name, "axis", axis);
    const Extents& shape = first_known_shape(tensors);
    if (!shape.has_rank()) return {dtype, shape};
    const std::int64_t count = std::ssize(tensors);
    if (axis.is_open()) return {dtype, Extents::of_rank(shape.rank() + 1)};
    const std::size_t at = check_axis(name, axis, 0, shape, 1);
    Extents stacked = tensors[0].shape.has_rank() ? tensors[0].shape : shape;
    stacked.insert(at, count);
    check_shape(name, stacked.lowest(), dtype);
    if (const auto k = find_misfit(tensors))
      throw ShapeError(fmt::format("stack: tensor {} has shape {}, expected {} as the first", *k,
                                   to_string(tensors[*k].shape), to_string(tensors[0].shape)));
    Extents common;
    for (std::size_t k = 0; k < shape.rank(); ++k)
      common.push_back(common_dim(tensors, shape.rank(), k));
    common.insert(at, count);
    return {dtype, common};
  }

  static Tensor make(const TensorType&, const Tensors& tensors, const Ints& axis) {
    const std::size_t at = check_axis(name, axis, 0, tensors[0].shape(), 1);
    Tensors expanded;
    for (const Tensor& tensor : tensors) expanded.push_back(tensor.expand_dims(at));
    return concat(expanded, at);
  }
};

}  // namespace

constinit const Op stack_op = op_of<Stack>();

Tensor stack(const Tensors& tensors, const Ints& axis) { return build<Stack>(tensors, axis); }

}  // namespace weft
