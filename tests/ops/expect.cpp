// SPDX-License-Identifier: Apache-2.0
// Compiled once: as templates and inline functions they were a fifth of what every test of an op
// compiled.
#include "ops/expect.h"

#include <cstring>

namespace weft::testing {

void report(bool holds, const std::string& what, Where at) {
  if (!holds) ADD_FAIL_CHECK_AT(at.file_name(), static_cast<int>(at.line()), what);
}

void expect_bytes(const Tensor& got, const std::vector<std::byte>& expected, Where at) {
  report(reference_value(got) == expected, "the reference makes another value", at);
  const Tensor value = got.eval();
  report(value.is_stored() && reference_value(value) == expected,
         "eval makes another value: " + to_string(value), at);
}

void expect_value(const Tensor& got, DType dtype, const Shape& shape, const void* values,
                  std::size_t count, Where at) {
  report(got.dtype() == dtype, "the type is " + got.dtype().name(), at);
  report(got.shape() == shape, "the shape is " + to_string(got.shape()), at);
  std::vector<std::byte> bytes(count * static_cast<std::size_t>(dtype.size()));
  if (count > 0) std::memcpy(bytes.data(), values, bytes.size());
  expect_bytes(got, bytes, at);
}

void expect_same(const Tensor& got, const Tensor& expected, Where at) {
  report(got.dtype() == expected.dtype(), "the type is " + got.dtype().name(), at);
  report(got.shape() == expected.shape(), "the shape is " + to_string(got.shape()), at);
  expect_bytes(got, reference_value(expected), at);
}

void expect_refusal(const std::type_info& error, std::string_view category,
                    std::string_view message, const std::function<void()>& call, Where at) {
  try {
    call();
    report(false, "nothing was thrown, expected: " + std::string(message), at);
  } catch (const Error& thrown) {
    report(typeid(thrown) == error, std::string("another class: ") + typeid(thrown).name(), at);
    report(thrown.category() == category, "the category is " + std::string(thrown.category()), at);
    report(thrown.what() == message, "the message is: " + std::string(thrown.what()), at);
  }
}

const std::vector<DType>& all_types() {
  static const std::vector<DType> types = {bool_, i8,  i16,  i32,       i64,        u8,
                                           u16,   u32, u64,  f16,       bf16,       f32,
                                           f64,   c64, c128, opaque(3), opaque(12), opaque(24)};
  return types;
}

std::vector<std::byte> telling_bytes(DType dtype, std::int64_t count) {
  using Kind = DType::Kind;
  const std::size_t size = static_cast<std::size_t>(dtype.size());
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size);
  std::uint32_t state = 12345;
  for (std::byte& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<std::byte>(dtype == bool_ ? state >> 31 : state >> 24);
  }
  const auto put = [&](std::size_t k, auto nan, auto minus_zero) {
    const std::size_t part = sizeof(nan);
    for (std::size_t at = k * size; at < (k + 1) * size; at += part)
      std::memcpy(&bytes[at], k % 2 == 0 ? &nan : &minus_zero, part);
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    if (k % 4 > 1) continue;
    switch (dtype.kind()) {
      case Kind::f16:
        put(k, std::uint16_t{0x7d01}, std::uint16_t{0x8000});
        break;
      case Kind::bf16:
        put(k, std::uint16_t{0x7f81}, std::uint16_t{0x8000});
        break;
      case Kind::f32:
      case Kind::c64:
        put(k, std::uint32_t{0x7f800123}, std::uint32_t{0x80000000});
        break;
      case Kind::f64:
      case Kind::c128:
        put(k, std::uint64_t{0x7ff0000000000123}, std::uint64_t{0x8000000000000000});
        break;
      default:
        break;
    }
  }
  return bytes;
}

void moves_any_element(const Shape& shape, const std::function<Tensor(const Tensor&)>& op,
                       Where at) {
  const std::vector<std::int64_t> from = reference_values<std::int64_t>(op(iota(shape)));
  for (const DType dtype : all_types()) {
    const std::vector<std::byte> before = telling_bytes(dtype, element_count(shape));
    std::vector<std::byte> after;
    for (const std::int64_t k : from) {
      const auto element = before.begin() + k * dtype.size();
      after.insert(after.end(), element, element + dtype.size());
    }
    const Tensor x = copy_from(before.data(), dtype, shape);
    const Tensor moved = op(x);
    report(moved.dtype() == dtype, "the type is not kept: " + dtype.name(), at);
    expect_bytes(moved, after, at);
    report(reference_value(x) == before, "the operand was changed", at);
  }
}

}  // namespace weft::testing
