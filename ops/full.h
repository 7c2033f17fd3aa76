// full: one value everywhere.
#pragma once

#include <cstring>
#include <memory>

#include <weft/ops/broadcast_to.h>

namespace weft {

/// `value` at every index of `shape`: a single stored element, broadcast, so any size is free.
/// Throws DtypeError, ParameterError (bad_rank), OverflowError, ShapeError. As numpy.full.
template <Element T>
Tensor full(const Ints& shape, const T& value) {
  const Shape extents = check_extents("full", shape);
  check_shape("full", extents, dtype_of<T>);
  std::shared_ptr<std::byte> element(new std::byte[sizeof(T)], std::default_delete<std::byte[]>());
  std::memcpy(element.get(), &value, sizeof(T));
  return make_tensor<Stored>(dtype_of<T>, Shape{}, std::move(element)).broadcast_to(extents);
}

}  // namespace weft
