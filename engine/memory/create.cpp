// SPDX-License-Identifier: Apache-2.0
// Tensors from outside: shapes checked, elements copied or borrowed.
#include <weft/engine/memory/create.h>

#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/strided.h>

namespace weft {

Shape checked_shape(std::string_view op, const Ints& shape, DType dtype) {
  Shape checked = check_extents(op, shape);
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

/// The strides of axes that have more than one element; others do not matter.
Shape checked_strides(const Ints& strides, const Shape& shape) {
  check_known("borrow", "strides", strides);
  check_integer("borrow", "strides", strides);
  check_scalar_or_list("borrow", "strides", strides);
  if (strides.size() != shape.size())
    throw ParameterError(
        "length_mismatch",
        fmt::format("borrow: strides {} has {} entries, expected {}, one for each "
                    "axis of shape {}",
                    strides.text(), strides.size(), shape.size(), to_string(shape)));
  Shape checked = row_major_strides(shape);
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] > 1) checked[axis] = strides[axis];
  return checked;
}

}  // namespace

void throw_ragged() {
  throw ShapeError("array: rows differ in length, expected all of one length");
}

namespace {

[[noreturn]] void refuse_value(const std::string& value, DType dtype) {
  throw DtypeError(
      fmt::format("arange: the value {} is no element of type {}", value, dtype.name()));
}

void check_step(bool is_zero) {
  if (is_zero) throw ParameterError("zero_step", "arange: step is 0, expected any other");
}

}  // namespace

void throw_out_of_range(std::int64_t value, DType dtype) {
  refuse_value(std::to_string(value), dtype);
}
void throw_out_of_range(std::uint64_t value, DType dtype) {
  refuse_value(std::to_string(value), dtype);
}

std::int64_t arange_count(std::int64_t start, std::int64_t stop, std::int64_t step) {
  check_step(step == 0);
  if (step > 0 ? stop <= start : stop >= start) return 0;
  const auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t span = step > 0 ? bits(stop) - bits(start) : bits(start) - bits(stop);
  const std::uint64_t count = (span - 1) / (step > 0 ? bits(step) : 0 - bits(step)) + 1;
  if (count > bits(INT64_MAX))
    throw OverflowError(fmt::format("arange: {} elements, more than int64 holds", count));
  return static_cast<std::int64_t>(count);
}

std::int64_t arange_count(double start, double stop, double step) {
  check_step(step == 0);
  const double count = std::ceil((stop - start) / step);
  if (!std::isfinite(count))
    throw ParameterError(
        "bad_range",
        fmt::format("arange: from {} to {} by {} has no number of elements", start, stop, step));
  if (count >= 0x1p63)
    throw OverflowError(fmt::format("arange: {} elements, more than int64 holds", count));
  return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

Tensor copy_from(const void* elements, DType dtype, const Ints& shape) {
  const Shape checked = checked_shape("copy_from", shape, dtype);
  const std::int64_t bytes = element_count(checked) * dtype.size();
  check_pointer("copy_from", elements, bytes);
  std::shared_ptr<std::byte> buffer = allocate(bytes, "copy_from", checked);
  if (bytes > 0) std::memcpy(buffer.get(), elements, static_cast<std::size_t>(bytes));
  return make_tensor<Stored>(dtype, checked, std::move(buffer));
}

Tensor borrow(const void* elements, DType dtype, const Ints& shape) {
  return borrow_owned(elements, dtype, shape, nullptr);
}

Tensor borrow_owned(const void* elements, DType dtype, const Ints& shape,
                    std::shared_ptr<const void> owner) {
  const Shape checked = checked_shape("borrow", shape, dtype);
  check_pointer("borrow", elements, element_count(checked) * dtype.size());
  // What is borrowed is never written, even where weft once allocated it.
  if (is_allocated(owner)) owner = std::make_shared<std::shared_ptr<const void>>(std::move(owner));
  return make_tensor<Stored>(dtype, checked,
                             Storage(std::move(owner), static_cast<const std::byte*>(elements)));
}

void check_reach(const Ints& shape, const Ints& strides, std::size_t count) {
  const Shape checked = check_extents("borrow", shape);
  const Shape steps = checked_strides(strides, checked);
  if (element_count(checked) == 0) return;
  const Reach reach = reach_of("borrow", checked, steps);
  if (reach.low < 0 || reach.high >= static_cast<std::int64_t>(count))
    throw ShapeError(
        fmt::format("borrow: shape {} with strides {} reaches elements {} to {}, the "
                    "span has {}",
                    to_string(checked), strides.text(), reach.low, reach.high, count));
}

Tensor borrow(const void* elements, DType dtype, const Ints& shape, const Ints& strides,
              std::shared_ptr<const void> owner) {
  const Shape checked = checked_shape("borrow", shape, dtype);
  const Shape steps = checked_strides(strides, checked);
  if (element_count(checked) == 0 || steps == row_major_strides(checked))
    return borrow_owned(elements, dtype, checked, std::move(owner));
  const Reach reach = reach_of("borrow", checked, steps);
  check_shape("borrow", {reach.count()}, dtype);
  check_pointer("borrow", elements, reach.count() * dtype.size());
  const std::byte* const first = static_cast<const std::byte*>(elements) + reach.low * dtype.size();
  return strided("strided", borrow_owned(first, dtype, reach.count(), std::move(owner)), checked,
                 steps, -reach.low);
}

}  // namespace weft
