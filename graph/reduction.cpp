// SPDX-License-Identifier: Apache-2.0
// What a reduction says of itself.
#include <weft/graph/reduction.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/graph/structural_key.h>
#include <weft/graph/tensor.h>

namespace weft {

Reduction::Reduction(const Reducer& reducer, const Shape& operand, Index axes)
    : Operation(own_kind), reducer_(reducer), axes_(std::move(axes)) {
  for (const std::int64_t axis : axes_) extent_ *= operand[static_cast<std::size_t>(axis)];
  const std::size_t behind =
      axes_.empty() ? operand.size() : static_cast<std::size_t>(axes_.back()) + 1;
  for (std::size_t axis = behind; axis < operand.size(); ++axis) inner_ *= operand[axis];
}

std::string Reduction::parameters(const Shape&) const {
  return fmt::format("axes=[{}]", fmt::join(axes_, ", "));
}

bool Reduction::add_parameters(StructuralKey& to) const {
  to.add(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&reducer_)));
  to.add(static_cast<std::int64_t>(axes_.size()));
  for (const std::int64_t axis : axes_) to.add(axis);
  return true;
}

std::vector<Tensor> Reduction::adjoint(const Tensor& cotangent, const Tensor& result,
                                       const std::vector<Tensor>& operands) const {
  if (!reducer_.adjoint) return {};
  return {reducer_.adjoint(cotangent, result, operands[0], axes_)};
}

}  // namespace weft
