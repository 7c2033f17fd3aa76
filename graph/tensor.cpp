// SPDX-License-Identifier: Apache-2.0
// What a Tensor refuses to be asked.
#include <weft/graph/tensor.h>

#include <fmt/format.h>

namespace weft {

void Tensor::check_single_item() const {
  if (known("item", Node::Known::shape).count() != 1)
    throw ShapeError(fmt::format("item: the tensor has {} elements (shape {}), expected 1", size(),
                                 to_string(shape())));
}

void Tensor::throw_open(std::string_view what) const {
  throw OpenError(
      fmt::format("{}: {} {} depends on a placeholder and is not known before its program runs",
                  what, dtype().name(), to_string(partial_shape())));
}

void Tensor::throw_empty(std::string_view what) {
  throw EmptyError(fmt::format("{}: the tensor is empty, default-constructed or moved from", what));
}

std::vector<Tensor> Operation::adjoint(const Tensor&, const Tensor&,
                                       const std::vector<Tensor>&) const {
  return {};
}

std::size_t Results::checked(std::size_t k) const {
  if (k >= size())
    throw IndexError(fmt::format("at: result {} is asked for, there are {}", k, size()));
  return k;
}

}  // namespace weft
