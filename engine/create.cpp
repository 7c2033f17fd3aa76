// SPDX-License-Identifier: Apache-2.0
// Tensors from outside: shapes checked, elements copied or borrowed.
#include <weft/engine/create.h>

#include <cstring>
#include <fmt/format.h>

namespace weft {

Shape checked_shape(std::string_view op, const Ints& shape, DType dtype) {
  const Shape checked = check_extents(op, shape);
  check_shape(op, checked, dtype);
  return checked;
}

void check_count(std::string_view op, const Shape& shape, std::size_t count) {
  if (element_count(shape) != static_cast<std::int64_t>(count))
    throw ShapeError(fmt::format("{}: shape {} has {} elements, {} were given", op,
                                 to_string(shape), element_count(shape), count));
}

namespace {

void check_pointer(std::string_view op, const void* elements, std::int64_t bytes) {
  if (!elements && bytes > 0)
    throw ParameterError("null_pointer",
                         fmt::format("{}: the pointer is null, expected {} bytes", op, bytes));
}

}  // namespace

void throw_ragged() {
  throw ShapeError("array: rows differ in length, expected all of one length");
}

Tensor copy_from(const void* elements, DType dtype, const Ints& shape) {
  const Shape checked = checked_shape("copy_from", shape, dtype);
  const std::int64_t bytes = element_count(checked) * dtype.size();
  check_pointer("copy_from", elements, bytes);
  std::shared_ptr<std::byte> buffer = allocate(bytes, "copy_from", checked);
  if (bytes > 0) std::memcpy(buffer.get(), elements, static_cast<std::size_t>(bytes));
  return make_tensor<Stored>(dtype, checked, std::move(buffer));
}

Tensor borrow(const void* elements, DType dtype, const Ints& shape,
              std::shared_ptr<const void> owner) {
  const Shape checked = checked_shape("borrow", shape, dtype);
  check_pointer("borrow", elements, element_count(checked) * dtype.size());
  // What is borrowed is never written, even where weft once allocated it.
  if (is_allocated(owner)) owner = std::make_shared<std::shared_ptr<const void>>(std::move(owner));
  return make_tensor<Stored>(dtype, checked,
                             Storage(std::move(owner), static_cast<const std::byte*>(elements)));
}

}  // namespace weft
