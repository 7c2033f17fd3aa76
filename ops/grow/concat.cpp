// SPDX-License-Identifier: Apache-2.0
// concat: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/concat.h>

#include <weft/graph/map/box.h>
#include <weft/ops/grow/common_dim.h>

namespace weft {
namespace {

struct Concat {
  std::int64_t axis;
  std::vector<std::int64_t> extents;  // of the operands on it

  static constexpr std::string_view name = "concat";
  static constexpr const Op& op = concat_op;
  static constexpr std::tuple fields{
      operands("tensors", "what is joined"),
      parameter("axis", &Concat::axis, "the axis along which they are joined", 0),
      derived(&Concat::extents)};

  static KnownType infer(const KnownTypes& tensors, const Ints& axis) {
    check_joined_types(name, tensors);
    const DType dtype = tensors[0].dtype;
    check_one(name, "axis", axis);
    const Extents& shape = first_known_shape(tensors);
    if (!shape.has_rank()) return {dtype, shape};
    if (axis.is_open()) return {dtype, Extents::of_rank(shape.rank())};
    KnownType joined{dtype, {}};
    const std::size_t at = check_axis(name, axis, 0, shape);
    if (const auto k = find_misfit(tensors, at))
      throw ShapeError(fmt::format("concat: tensor {} has shape {}, expected {} but on axis {}", *k,
                                   to_string(tensors[*k].shape), to_string(tensors[0].shape), at));
    for (std::size_t k = 0; k < shape.rank(); ++k)
      joined.shape.push_back(k == at ? sum(tensors, shape.rank(), at)
                                     : common_dim(tensors, shape.rank(), k));
    return joined;
  }

  static Extent sum(const KnownTypes& tensors, std::size_t rank, std::size_t axis) {
    Extent total = 0;
    for (const auto& [dtype, shape] : tensors) {
      const Extent own = shape.has_rank() && shape.rank() == rank ? shape[axis] : Extent();
      std::int64_t lowest = 0;
      if (__builtin_add_overflow(total.low, own.low, &lowest))
        throw OverflowError(fmt::format("concat: axis {} gets longer than int64 holds", axis));
      total = total + own;
    }
    return total;
  }

  static Tensor make(TensorType type, const Tensors& tensors, const Ints& axis) {
    const std::size_t at = check_axis(name, axis, 0, type.shape);
    Concat concat{static_cast<std::int64_t>(at), {}};
    for (const Tensor& tensor : tensors) concat.extents.push_back(tensor.shape()[at]);
    return tensor_of(std::move(concat), std::move(type), tensors);
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const {
    const std::int32_t at = static_cast<std::int32_t>(axis);
    Boxes rest = to.list(), own = to.list(), later = to.list();
    rest.push_back(box);
    std::int64_t start = 0;
    for (std::size_t k = 0; k < extents.size() && !rest.empty(); ++k) {
      const std::int64_t end = start + extents[k];
      own.clear();
      later.clear();
      for (const Box& part : rest) split(part, at, end, own, later);
      for (const Box& part : own) affine(to.add(k, part), at, -start, 1);
      std::swap(rest, later);
      start = end;
    }
  }

  std::size_t trace(const Shape&, Index& index) const {
    const std::size_t at = static_cast<std::size_t>(axis);
    std::size_t k = 0;
    for (; index[at] >= extents[k]; ++k) index[at] -= extents[k];
    return k;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    Tensors parts;
    std::int64_t start = 0;
    for (const std::int64_t extent : extents) {
      parts.push_back(cotangent.slice({start}, {start + extent}, none, {axis}));
      start += extent;
    }
    return parts;
  }
};

}  // namespace

constinit const Op concat_op = op_of<Concat>();

Tensor concat(const Tensors& tensors, const Ints& axis) { return build<Concat>(tensors, axis); }

}  // namespace weft
