// SPDX-License-Identifier: Apache-2.0
// What scatters do with an update and the element that it meets.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <weft/graph/value/dtype.h>
#include <weft/graph/value/error.h>
#include <weft/graph/value/float16.h>

namespace weft {

/// NumPy's ufunc of that name, or the update in its place.
enum class Combine : std::uint8_t { nothing, add, multiply, minimum, maximum };

/// Throws ParameterError (bad_mode).
Combine combine_named(std::string_view op, const std::string& reduction);
std::string_view to_string(Combine combine);

/// DtypeError where elements of that type are not combined so: structs, and complex numbers by
/// their order.
void check_combined(std::string_view op, Combine combine, DType type);

namespace detail {

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

/// Of elements in memory: integers wrap, f16 and bf16 are rounded.
struct Adds {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::is_same_v<T, bool>) return x || y;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
    else if constexpr (sizeof(T) == 2) return T(static_cast<float>(x) + static_cast<float>(y));
    else return x + y;
  }
};
struct Multiplies {
  template <class T>
  static T of(T x, T y) {
    if constexpr (std::is_same_v<T, bool>) return x && y;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
    else if constexpr (sizeof(T) == 2) return T(static_cast<float>(x) * static_cast<float>(y));
    else if constexpr (IsComplex<T>::value)  // std::complex looks for infinities
      return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
    else return x * y;
  }
};
/// A NaN wins.
template <bool is_larger>
struct Chooses {
  template <class T>
  static T of(T x, T y) {
    if constexpr (!std::is_arithmetic_v<T>) {
      const float a = static_cast<float>(x), b = static_cast<float>(y);
      return std::isnan(a) || (is_larger ? a >= b : a <= b) ? x : y;
    } else {
      if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(x)) return x;
      return (is_larger ? x >= y : x <= y) ? x : y;
    }
  }
};

/// Of bools in memory, where any byte but 0 is true.
template <class Combiner>
struct OfBytes {
  static std::uint8_t of(std::uint8_t x, std::uint8_t y) { return Combiner::of(x != 0, y != 0); }
};

template <class T, class Work>
void with_combiner(Combine combine, const Work& work) {
  if (combine == Combine::add) return work(T(), Adds());
  if (combine == Combine::multiply) return work(T(), Multiplies());
  if constexpr (!IsComplex<T>::value) {
    if (combine == Combine::minimum) return work(T(), Chooses<false>());
    if (combine == Combine::maximum) return work(T(), Chooses<true>());
  }
  throw InternalError("elements are not combined so");
}

}  // namespace detail

/// Calls work(T(), Combiner()) with the type of elements, and a combiner whose of(x, y) is what
/// becomes of an element and an update.
template <class Work>
void with_combiner(Combine combine, DType type, const Work& work) {
  using Kind = DType::Kind;
  switch (type.kind()) {
    case Kind::boolean:
      return detail::with_combiner<bool>(combine, [&]<class Combiner>(bool, Combiner) {
        return work(std::uint8_t{}, detail::OfBytes<Combiner>());
      });
    case Kind::i8:
      return detail::with_combiner<std::int8_t>(combine, work);
    case Kind::i16:
      return detail::with_combiner<std::int16_t>(combine, work);
    case Kind::i32:
      return detail::with_combiner<std::int32_t>(combine, work);
    case Kind::i64:
      return detail::with_combiner<std::int64_t>(combine, work);
    case Kind::u8:
      return detail::with_combiner<std::uint8_t>(combine, work);
    case Kind::u16:
      return detail::with_combiner<std::uint16_t>(combine, work);
    case Kind::u32:
      return detail::with_combiner<std::uint32_t>(combine, work);
    case Kind::u64:
      return detail::with_combiner<std::uint64_t>(combine, work);
    case Kind::f16:
      return detail::with_combiner<float16_t>(combine, work);
    case Kind::bf16:
      return detail::with_combiner<bfloat16_t>(combine, work);
    case Kind::f32:
      return detail::with_combiner<float>(combine, work);
    case Kind::f64:
      return detail::with_combiner<double>(combine, work);
    case Kind::c64:
      return detail::with_combiner<std::complex<float>>(combine, work);
    case Kind::c128:
      return detail::with_combiner<std::complex<double>>(combine, work);
    default:
      throw InternalError("structs are not combined");
  }
}

}  // namespace weft
