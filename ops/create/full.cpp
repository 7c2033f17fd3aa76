// SPDX-License-Identifier: Apache-2.0
// full: what it refuses, and the element that is broadcast.
#include <weft/ops/create/full.h>

#include <cstring>
#include <memory>
#include <new>

#include <weft/ops/grow/broadcast_to.h>

namespace weft {
namespace {

void check(const Ints& shape, DType dtype) {
  if (!shape.is_open()) check_shape("full", check_extents("full", shape), dtype);
}

}  // namespace

Tensor full(const Ints& shape, const Scalar& value, DType dtype) {
  check(shape, dtype);
  return value.as(dtype, "full").broadcast_to(shape);
}

Tensor full_of_bytes(const Ints& shape, const void* element, DType dtype) {
  check(shape, dtype);
  constexpr std::align_val_t cache_line{64};
  const auto size = static_cast<std::size_t>(dtype.size());
  auto* const aligned = new (cache_line) std::byte[size];
  const std::shared_ptr<std::byte> kept(aligned,
                                        [](std::byte* p) { ::operator delete[](p, cache_line); });
  std::memcpy(aligned, element, size);
  return make_tensor<Stored>(dtype, Shape{}, kept).broadcast_to(shape);
}

}  // namespace weft
