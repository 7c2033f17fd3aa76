// SPDX-License-Identifier: Apache-2.0
// The fills, element by element as their format says.
#include "fill.h"

#include <Eigen/Core>
#include <complex>
#include <cstring>
#include <fmt/format.h>

#include <weft/weft.h>

namespace weft::conformance {
namespace {

std::uint64_t splitmix(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// `z` cut to `bits` bits, centred on 0: exact in a float of that precision.
std::int64_t centred(std::uint64_t z, int bits) {
  return static_cast<std::int64_t>(z & ((std::uint64_t{1} << bits) - 1)) -
         (std::int64_t{1} << (bits - 1));
}

template <class T>
T from_bits(std::uint64_t z) {
  T value;
  std::memcpy(&value, &z, sizeof(T));  // the low bytes, on a little-endian machine
  return value;
}

template <class T>
struct Filler {
  static T iota(std::int64_t v, std::uint64_t) { return static_cast<T>(v); }
  static T hash(std::uint64_t seed, std::uint64_t i) { return static_cast<T>(splitmix(seed, i)); }
  static T bits(std::uint64_t seed, std::uint64_t i) { return hash(seed, i); }
};

template <>
struct Filler<bool> {
  static bool iota(std::int64_t v, std::uint64_t) { return v % 3 == 0; }
  static bool hash(std::uint64_t seed, std::uint64_t i) { return splitmix(seed, i) >> 63; }
  static bool bits(std::uint64_t seed, std::uint64_t i) { return hash(seed, i); }
};

template <class T, int Bits>
struct FloatFiller {
  static T iota(std::int64_t v, std::uint64_t) { return static_cast<T>(v); }
  static T hash(std::uint64_t seed, std::uint64_t i) {
    return static_cast<T>(centred(splitmix(seed, i), Bits));
  }
  static T bits(std::uint64_t seed, std::uint64_t i) { return from_bits<T>(splitmix(seed, i)); }
};

template <>
struct Filler<float> : FloatFiller<float, 25> {};
template <>
struct Filler<double> : FloatFiller<double, 54> {};
template <>
struct Filler<Eigen::half> {
  static Eigen::half iota(std::int64_t v, std::uint64_t) {
    return Eigen::half(static_cast<float>(v % 2048));
  }
  static Eigen::half hash(std::uint64_t seed, std::uint64_t i) {
    return Eigen::half(static_cast<float>(centred(splitmix(seed, i), 12)));
  }
  static Eigen::half bits(std::uint64_t seed, std::uint64_t i) {
    return Eigen::numext::bit_cast<Eigen::half>(static_cast<std::uint16_t>(splitmix(seed, i)));
  }
};
template <class T>
struct Filler<std::complex<T>> {
  static std::complex<T> iota(std::int64_t v, std::uint64_t) {
    return {static_cast<T>(v), static_cast<T>(-v)};
  }
  static std::complex<T> hash(std::uint64_t seed, std::uint64_t i) {
    return {Filler<T>::hash(seed, 2 * i), Filler<T>::hash(seed, 2 * i + 1)};
  }
  static std::complex<T> bits(std::uint64_t seed, std::uint64_t i) {
    return {Filler<T>::bits(seed, 2 * i), Filler<T>::bits(seed, 2 * i + 1)};
  }
};

template <class T>
Tensor filled(DType dtype, const Shape& shape, Fill fill, std::int64_t number) {
  std::vector<std::byte> bytes;
  const std::int64_t count = element_count(shape);
  bytes.resize(static_cast<std::size_t>(count) * sizeof(T));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t seed = static_cast<std::uint64_t>(number),
                        at = static_cast<std::uint64_t>(i);
    const T value = fill == Fill::iota   ? Filler<T>::iota(number + i, at)
                    : fill == Fill::hash ? Filler<T>::hash(seed, at)
                                         : Filler<T>::bits(seed, at);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
  return copy_from(bytes.data(), dtype, shape);
}

template <class T>
struct Number {
  static T of(std::int64_t v) { return static_cast<T>(v); }
};
template <>
struct Number<Eigen::half> {
  static Eigen::half of(std::int64_t v) { return Eigen::half(static_cast<float>(v)); }
};

template <class T>
Tensor single(DType dtype, std::int64_t number) {
  const T value = Number<T>::of(number);
  return copy_from(&value, dtype, Shape{});
}

struct NamedType {
  const char* name;
  DType dtype;
  Tensor (*fill)(DType, const Shape&, Fill, std::int64_t);
  Tensor (*single)(DType, std::int64_t);
};

const NamedType types[] = {
    {"bool", bool_, filled<bool>, single<bool>},
    {"i8", i8, filled<std::int8_t>, single<std::int8_t>},
    {"i16", i16, filled<std::int16_t>, single<std::int16_t>},
    {"i32", i32, filled<std::int32_t>, single<std::int32_t>},
    {"i64", i64, filled<std::int64_t>, single<std::int64_t>},
    {"u8", u8, filled<std::uint8_t>, single<std::uint8_t>},
    {"u16", u16, filled<std::uint16_t>, single<std::uint16_t>},
    {"u32", u32, filled<std::uint32_t>, single<std::uint32_t>},
    {"u64", u64, filled<std::uint64_t>, single<std::uint64_t>},
    {"f16", f16, filled<Eigen::half>, single<Eigen::half>},
    {"f32", f32, filled<float>, single<float>},
    {"f64", f64, filled<double>, single<double>},
    {"c64", c64, filled<std::complex<float>>, single<std::complex<float>>},
    {"c128", c128, filled<std::complex<double>>, single<std::complex<double>>},
};

}  // namespace

DType dtype_named(const std::string& name) {
  for (const NamedType& type : types)
    if (name == type.name) return type.dtype;
  throw DtypeError(fmt::format("no element type is called {}", name));
}

Tensor make_input(DType dtype, const Shape& shape, Fill fill, std::int64_t number) {
  for (const NamedType& type : types)
    if (dtype == type.dtype) return type.fill(dtype, shape, fill, number);
  throw DtypeError(fmt::format("no fill for {}", dtype.name()));
}

Tensor make_scalar(DType dtype, std::int64_t number) {
  for (const NamedType& type : types)
    if (dtype == type.dtype) return type.single(dtype, number);
  throw DtypeError(fmt::format("no number is a {}", dtype.name()));
}

std::string fnv(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte byte : bytes)
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

}  // namespace weft::conformance
