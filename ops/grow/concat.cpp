// SPDX-License-Identifier: Apache-2.0
// concat: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/concat.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>
#include <weft/ops/grow/common_dim.h>

namespace weft {
namespace {

std::vector<NodePtr> inputs_of_all(const Tensors& tensors) {
  std::vector<NodePtr> inputs;
  for (const Tensor& tensor : tensors) inputs.push_back(tensor.node_ptr());
  return inputs;
}

class Concat final : public Node {
 public:
  Concat(const Tensors& tensors, const Shape& shape, std::size_t axis)
      : Node(tensors[0].dtype(), shape, inputs_of_all(tensors)), axis_(axis) {
    for (const Tensor& tensor : tensors) extents_.push_back(tensor.shape()[axis]);
  }

  std::string_view op() const noexcept override { return "concat"; }
  std::string parameters() const override { return fmt::format("axis={}", axis_); }

  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t axis = static_cast<std::int32_t>(axis_);
    Boxes rest = to.list(), own = to.list(), later = to.list();
    rest.push_back(box);
    std::int64_t start = 0;
    for (std::size_t k = 0; k < extents_.size() && !rest.empty(); ++k) {
      const std::int64_t end = start + extents_[k];
      own.clear();
      later.clear();
      for (const Box& part : rest) split(part, axis, end, own, later);
      for (const Box& part : own) affine(to.add(k, part), axis, -start, 1);
      std::swap(rest, later);
      start = end;
    }
  }

  bool add_parameters(Structure& to) const override {
    to.add(static_cast<std::int64_t>(axis_));
    return true;
  }

  std::size_t trace(Index& index) const override {
    std::size_t k = 0;
    for (; index[axis_] >= extents_[k]; ++k) index[axis_] -= extents_[k];
    return k;
  }

 private:
  std::size_t axis_;
  std::vector<std::int64_t> extents_;
};

/// What is known of the sum of the extents.
Dim sum(const Tensors& tensors, std::size_t rank, std::size_t axis) {
  if (tensors.size() == 1) return tensors[0].partial_shape()[axis];
  std::int64_t low = 0, high = 0;
  for (const Tensor& tensor : tensors) {
    const PartialShape own = tensor.partial_shape();
    const Dim dim = own.has_rank() && own.rank() == rank ? own[axis] : Dim();
    if (__builtin_add_overflow(low, dim.low(), &low)) return Dim();  // refused later
    if (high == Dim::unbounded || dim.high() == Dim::unbounded ||
        __builtin_add_overflow(high, dim.high(), &high))
      high = Dim::unbounded;
  }
  return Dim(low, high);
}

void check_fit(const Tensors& tensors, std::size_t at) {
  if (const auto k = find_misfit(tensors, at))
    throw ShapeError(fmt::format("concat: tensor {} has shape {}, expected {} but on axis {}", *k,
                                 to_string(tensors[*k].partial_shape()),
                                 to_string(tensors[0].partial_shape()), at));
}

PartialShape infer(const Arguments& arguments) {
  const Ints& axis = arguments.ints(0);
  for (const Tensor& tensor : arguments.operands) {
    const PartialShape shape = tensor.partial_shape();
    if (!shape.has_rank()) continue;
    PartialShape joined = PartialShape::of_rank(shape.rank());
    if (axis.is_open() || shape.rank() == 0) return joined;
    check_single("concat", "axis", axis);
    const std::size_t at = check_axis("concat", axis, 0, shape.lowest());
    check_fit(arguments.operands, at);
    for (std::size_t k = 0; k < shape.rank(); ++k)
      joined[k] = k == at ? sum(arguments.operands, shape.rank(), at)
                          : common_dim(arguments.operands, shape.rank(), k);
    return joined;
  }
  return PartialShape::any();
}

}  // namespace

const Op concat_op{.name = "concat",
                   .operands = {"tensors"},
                   .parameters = {"axis"},
                   .build = call<weft::concat>,
                   .infer = infer,
                   .is_variadic = true};

Tensor concat(const Tensors& tensors, const Ints& axis) {
  if (tensors.empty())
    throw ParameterError("length_mismatch", "concat: there are no tensors, expected 1 or more");
  if (is_any_open(concat_op, tensors, axis)) return defer(concat_op, {tensors, {axis}});
  for (std::size_t k = 0; k < tensors.size(); ++k)
    if (tensors[k].dtype() != tensors[0].dtype())
      throw DtypeError(fmt::format("concat: tensor {} is {}, expected {} as the first", k,
                                   tensors[k].dtype().name(), tensors[0].dtype().name()));
  Shape shape = tensors[0].shape();
  check_single("concat", "axis", axis);
  const std::size_t at = check_axis("concat", axis, 0, shape);
  check_fit(tensors, at);
  std::int64_t total = 0;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    if (__builtin_add_overflow(total, tensors[k].shape()[at], &total))
      throw OverflowError(fmt::format("concat: axis {} gets longer than int64 holds", at));
  }
  shape[at] = total;
  check_shape("concat", shape, tensors[0].dtype());
  return make_tensor<Concat>(tensors, shape, at);
}

}  // namespace weft
