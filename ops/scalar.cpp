// SPDX-License-Identifier: Apache-2.0
// Turning numbers into elements.
#include <weft/ops/scalar.h>

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include <weft/graph/error.h>

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

/// A float from which rounding to half its digits makes what rounding `value` itself would: cut
/// off, and odd where that lost something.
float rounded_to_odd(double value) {
  float cut = static_cast<float>(value);
  if (static_cast<double>(cut) == value || std::isnan(value) || std::isinf(cut)) return cut;
  if (std::abs(static_cast<double>(cut)) > std::abs(value)) cut = std::nextafter(cut, 0.0f);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(cut) | 1u);
}

/// Writes a real number of type T as an element that is no integer; whether it is one.
template <class T>
bool put_real(T value, DType dtype, Bytes& to) {
  using Kind = DType::Kind;
  switch (dtype.kind()) {
    case Kind::f16:
      to.put(static_cast<Eigen::half>(rounded_to_odd(static_cast<double>(value))));
      return true;
    case Kind::bf16:
      to.put(static_cast<Eigen::bfloat16>(rounded_to_odd(static_cast<double>(value))));
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
      return false;
  }
}

}  // namespace

Tensor Scalar::as(DType dtype, std::string_view op) const {
  Bytes bytes(dtype.size());
  const auto refuse = [&](const std::string& value) {
    throw DtypeError(
        fmt::format("{}: the value {} is no element of type {}", op, value, dtype.name()));
  };
  if (kind_ == Kind::floating) {
    if (!put_real(value_, dtype, bytes)) refuse(fmt::format("{}", value_));
  } else if (dtype == bool_) {
    bytes.put(static_cast<std::uint8_t>(bits_ != 0));
  } else if (dtype.is_integer()) {
    switch (dtype.size()) {
      case 1:
        bytes.put(static_cast<std::uint8_t>(bits_));
        break;
      case 2:
        bytes.put(static_cast<std::uint16_t>(bits_));
        break;
      case 4:
        bytes.put(static_cast<std::uint32_t>(bits_));
        break;
      default:
        bytes.put(bits_);
    }
  } else if (dtype.kind() == DType::Kind::opaque) {
    if (bits_ != 0) refuse(fmt::format("{}", bits_));
  } else if (kind_ == Kind::unsigned_integer) {
    put_real(static_cast<std::uint64_t>(bits_), dtype, bytes);
  } else {
    put_real(bits_, dtype, bytes);
  }
  return std::move(bytes).tensor(dtype);
}

}  // namespace weft
