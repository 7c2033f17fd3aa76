// SPDX-License-Identifier: Apache-2.0
// stack: what it refuses; it is a concat of tensors with one more axis.
#include <weft/ops/grow/stack.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/grow/common_dim.h>
#include <weft/ops/grow/concat.h>
#include <weft/ops/shape/expand_dims.h>

namespace weft {
namespace {

void check_fit(const Tensors& tensors) {
  if (const auto k = find_misfit(tensors))
    throw ShapeError(fmt::format("stack: tensor {} has shape {}, expected {} as the first", *k,
                                 to_string(tensors[*k].partial_shape()),
                                 to_string(tensors[0].partial_shape())));
}

PartialShape infer(const Arguments& arguments) {
  const Ints& axis = arguments.ints(0);
  for (const Tensor& tensor : arguments.operands) {
    const PartialShape shape = tensor.partial_shape();
    if (!shape.has_rank()) continue;
    if (axis.is_open()) return PartialShape::of_rank(shape.rank() + 1);
    check_single("stack", "axis", axis);
    const std::size_t at = check_axis("stack", axis, 0, shape.lowest(), 1);
    check_fit(arguments.operands);
    std::vector<Dim> dims;
    for (std::size_t k = 0; k < shape.rank(); ++k)
      dims.push_back(common_dim(arguments.operands, shape.rank(), k));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at),
                Dim(std::ssize(arguments.operands)));
    return PartialShape(std::move(dims));
  }
  return PartialShape::any();
}

}  // namespace

const Op stack_op{.name = "stack",
                  .operands = {"tensors"},
                  .parameters = {"axis"},
                  .build = call<weft::stack>,
                  .infer = infer,
                  .is_variadic = true};

Tensor stack(const Tensors& tensors, const Ints& axis) {
  if (tensors.empty())
    throw ParameterError("length_mismatch", "stack: there are no tensors, expected 1 or more");
  if (is_any_open(stack_op, tensors, axis)) return defer(stack_op, {tensors, {axis}});
  for (std::size_t k = 0; k < tensors.size(); ++k)
    if (tensors[k].dtype() != tensors[0].dtype())
      throw DtypeError(fmt::format("stack: tensor {} is {}, expected {} as the first", k,
                                   tensors[k].dtype().name(), tensors[0].dtype().name()));
  const Shape& shape = tensors[0].shape();
  check_single("stack", "axis", axis);
  const std::size_t at = check_axis("stack", axis, 0, shape, 1);
  Shape stacked = shape;
  stacked.insert(stacked.begin() + at, std::ssize(tensors));
  check_shape("stack", stacked, tensors[0].dtype());
  check_fit(tensors);
  Tensors expanded;
  for (const Tensor& tensor : tensors) expanded.push_back(tensor.expand_dims(at));
  return concat(expanded, at);
}

}  // namespace weft
