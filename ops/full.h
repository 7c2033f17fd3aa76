// SPDX-License-Identifier: Apache-2.0
// full: one value everywhere.
#pragma once

#include <cstring>
#include <memory>
#include <new>

#include <weft/ops/broadcast_to.h>

namespace weft {

/// Holds `value` at every index of `shape`: `out[i] = value`.
///
/// `shape` is a scalar or list of any integer type.
///
/// Throws DtypeError, ParameterError (bad_rank), OverflowError, ShapeError.
///
/// Group: grow.
/// Cost: free; a single stored element, broadcast to any size.
/// Gradient: none; the value is no tensor.
/// NumPy: `numpy.full`. torch: `torch.full`. ONNX: ConstantOfShape.
template <Element T>
[[nodiscard]] Tensor full(const Ints& shape, const T& value) {
  if (!shape.is_open()) check_shape("full", check_extents("full", shape), dtype_of<T>);
  auto* const aligned = new (std::align_val_t{64}) std::byte[sizeof(T)];
  const std::shared_ptr<std::byte> element(
      aligned, [](std::byte* p) { ::operator delete[](p, std::align_val_t{64}); });
  std::memcpy(element.get(), &value, sizeof(T));
  return make_tensor<Stored>(dtype_of<T>, Shape{}, element).broadcast_to(shape);
}

}  // namespace weft
