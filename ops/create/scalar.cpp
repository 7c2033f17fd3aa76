// SPDX-License-Identifier: Apache-2.0
// Turning numbers into elements.
#include <weft/ops/create/scalar.h>

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <weft/graph/value/error.h>

namespace weft {
namespace {

/// The bytes of an element.
class Bytes {
 public:
  explicit Bytes(std::int64_t size) : bytes_(static_cast<std::size_t>(size)) {}

  template <class T>
  void put(T value) {
    std::memcpy(bytes_.data(), &value, sizeof(T));
  }
  Tensor tensor(DType dtype) && {
    auto kept = std::make_shared<std::vector<std::byte>>(std::move(bytes_));
    const std::byte* const at = kept->data();
    return make_tensor<Stored>(dtype, Shape{}, Storage(std::move(kept), at));
  }

 private:
  std::vector<std::byte> bytes_;  // zeros at first
};

/// Writes a number of type T as an element, whole; whether that can hold it.
template <class T>
bool put(T value, DType dtype, Bytes& to) {
  using Kind = DType::Kind;
  if (dtype == bool_ || dtype.is_integer()) {
    if constexpr (std::integral<T>) {
      if (dtype == bool_) return to.put(static_cast<std::uint8_t>(value != 0)), true;
      return with_integer(dtype, [&](auto element) {
        to.put(static_cast<decltype(element)>(value));
        return std::in_range<decltype(element)>(value);
      });
    }
    return false;
  }
  switch (dtype.kind()) {
    case Kind::f16:
      to.put(float16_t(value));
      return true;
    case Kind::bf16:
      to.put(bfloat16_t(value));
      return true;
    case Kind::f32:
    case Kind::c64:  // the imaginary part is 0 already
      to.put(static_cast<float>(value));
      return true;
    case Kind::f64:
    case Kind::c128:
      to.put(static_cast<double>(value));
      return true;
    default:
      return std::integral<T> && value == 0;
  }
}

}  // namespace

Tensor Scalar::as(DType dtype, std::string_view op) const {
  Bytes bytes(dtype.size());
  const auto put_or_refuse = [&](auto value) {
    if (!put(value, dtype, bytes))
      throw DtypeError(
          fmt::format("{}: the value {} is no element of type {}", op, value, dtype.name()));
  };
  if (kind_ == Kind::floating) put_or_refuse(value_);
  else if (kind_ == Kind::unsigned_integer) put_or_refuse(static_cast<std::uint64_t>(bits_));
  else put_or_refuse(bits_);
  return std::move(bytes).tensor(dtype);
}

std::string Scalar::text() const {
  if (kind_ == Kind::boolean) return bits_ != 0 ? "true" : "false";
  if (kind_ == Kind::unsigned_integer) return fmt::format("{}", static_cast<std::uint64_t>(bits_));
  return kind_ == Kind::floating ? fmt::format("{}", value_) : fmt::format("{}", bits_);
}

Tensor Scalar::beside(DType dtype, std::string_view op) const {
  const bool is_boolean = kind_ == Kind::boolean, is_fraction = kind_ == Kind::floating;
  const bool is_opaque = dtype.kind() == DType::Kind::opaque;
  if (is_opaque || (dtype == bool_) != is_boolean || (dtype.is_integer() && is_fraction))
    throw DtypeError(fmt::format(
        "{}: {} and the number {}, expected one kind{}", op, dtype.name(), text(),
        is_opaque ? "" : fmt::format(": cast the tensor (x.astype({}))",
                                     is_boolean ? "bool" : is_fraction ? "f32" : "i32")));
  const auto check = [&](bool holds) {
    if (!holds)
      throw ParameterError("bad_value", fmt::format("{}: the number {} is beyond the range of {}", op, text(),
                                       dtype.name()));
  };
  if (dtype.is_integer())
    with_integer(dtype, [&](auto element) {
      using T = decltype(element);
      check(kind_ == Kind::unsigned_integer ? std::in_range<T>(static_cast<std::uint64_t>(bits_))
                                            : std::in_range<T>(bits_));
    });
  const double value = is_fraction ? value_ : static_cast<double>(bits_);
  if (dtype == f16) check(std::isinf(static_cast<float>(float16_t(value))) == std::isinf(value));
  if (dtype == bf16) check(std::isinf(static_cast<float>(bfloat16_t(value))) == std::isinf(value));
  if (dtype == f32 || dtype == c64)
    check(std::isinf(static_cast<float>(value)) == std::isinf(value));
  return as(dtype, op);
}

}  // namespace weft
