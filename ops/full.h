// full: one value everywhere.
#pragma once

#include <cstring>
#include <memory>
#include <new>

#include <weft/ops/broadcast_to.h>

namespace weft {

/// `value` at every index of `shape`: a single stored element, broadcast, so any size is free.
/// Throws DtypeError, ParameterError (bad_rank), OverflowError, ShapeError. As numpy.full.
template <Element T>
Tensor full(const Ints& shape, const T& value) {
  if (!shape.is_open()) check_shape("full", check_extents("full", shape), dtype_of<T>);
  auto* const aligned = new (std::align_val_t{64}) std::byte[sizeof(T)];
  const std::shared_ptr<std::byte> element(
      aligned, [](std::byte* p) { ::operator delete[](p, std::align_val_t{64}); });
  std::memcpy(element.get(), &value, sizeof(T));
  return make_tensor<Stored>(dtype_of<T>, Shape{}, element).broadcast_to(shape);
}

}  // namespace weft
