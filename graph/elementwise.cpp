// SPDX-License-Identifier: Apache-2.0
// What elements are computed from: the operands, broadcast.
#include <weft/graph/elementwise.h>

#include <weft/graph/map/box.h>
#include <weft/graph/structural_key.h>
#include <weft/graph/tensor.h>

namespace weft {

std::string Elementwise::parameters(const Shape&) const {
  return instruction_.is_cast ? "dtype=" + type_.name() : std::string();
}

std::vector<Tensor> Elementwise::adjoint(const Tensor& cotangent, const Tensor& result,
                                         const std::vector<Tensor>& operands) const {
  if (!instruction_.adjoint) return {};
  return instruction_.adjoint(cotangent, result, operands);
}

bool Elementwise::add_parameters(StructuralKey& to) const {
  to.add(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&instruction_)));
  return true;
}

Box Elementwise::pull_back(std::size_t k, const Shape& shape, const Box& box) const {
  Box pulled = box;
  if (shapes_.empty() || shapes_[k] == shape) return pulled;
  const Shape& own = shapes_[k];
  SmallVector<std::int32_t, 8> source;
  const std::size_t lacking = shape.size() - own.size();
  for (std::size_t axis = 0; axis < own.size(); ++axis)
    source.push_back(own[axis] == shape[lacking + axis] ? static_cast<std::int32_t>(lacking + axis)
                                                        : replicated);
  relabel(pulled, {source.data(), source.size()});
  return pulled;
}

Index Elementwise::trace(std::size_t k, const Shape& shape, const Index& index) const {
  if (shapes_.empty()) return index;
  Index at;
  for (std::size_t axis = 0; axis < shapes_[k].size(); ++axis)
    at.push_back(shapes_[k][axis] == 1 ? 0 : index[shape.size() - shapes_[k].size() + axis]);
  return at;
}

}  // namespace weft
