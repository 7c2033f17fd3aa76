// SPDX-License-Identifier: Apache-2.0
// What a product says of itself.
#include <weft/graph/product.h>

#include <fmt/format.h>

#include <weft/graph/structural_key.h>
#include <weft/graph/tensor.h>

namespace weft {

std::string Product::parameters(const Shape&) const {
  return told_.empty() ? fmt::format("inner={}", inner_) : told_;
}

bool Product::add_parameters(StructuralKey& to) const {
  to.add(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(op_.data())));
  to.add(inner_);
  to.add_all(told_);
  return true;
}

Index Product::position(std::size_t k, const Index& index, std::int64_t i) const {
  Index at = index;
  at[k == 0 ? at.size() - 1 : at.size() - 2] = i;
  return at;
}

std::vector<Tensor> Product::adjoint(const Tensor& cotangent, const Tensor& result,
                                     const std::vector<Tensor>& operands) const {
  return adjoint_(cotangent, result, operands);
}

}  // namespace weft
