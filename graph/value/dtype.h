// SPDX-License-Identifier: Apache-2.0
// Element types. Movement never looks inside an element: a type is a name and a size.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <weft/graph/value/error.h>
#include <weft/graph/value/float16.h>

namespace weft {

/// The type of an element: one of the named types, or any trivially copyable struct by its size
/// and, where there is one, a description of what its bytes mean. Movement keeps that and never
/// reads it.
class DType {
 public:
  enum class Kind : std::uint8_t {
    boolean,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    f16,
    bf16,
    f32,
    f64,
    c64,
    c128,
    opaque
  };

  /// A named type; its size follows.
  explicit constexpr DType(Kind kind) noexcept : kind_(kind), size_(size_of(kind)) {}

  constexpr Kind kind() const noexcept { return kind_; }
  /// Bytes of one element.
  constexpr std::int64_t size() const noexcept { return size_; }
  constexpr bool is_integer() const noexcept { return kind_ >= Kind::i8 && kind_ <= Kind::u64; }
  constexpr bool is_signed_integer() const noexcept {
    return kind_ >= Kind::i8 && kind_ <= Kind::i64;
  }
  /// What was given to `described`; empty for other types.
  std::string_view description() const noexcept {
    return description_ == 0 ? std::string_view() : interned(description_);
  }
  /// "f32", "bool", "struct of 12 bytes", "struct of 8 bytes (days since 1970)".
  std::string name() const;

  /// Descriptions that are equal have one number.
  friend constexpr bool operator==(DType, DType) noexcept = default;

 private:
  friend constexpr DType opaque(std::uint32_t size);
  friend DType described(std::uint32_t size, std::string_view description);
  constexpr DType(Kind kind, std::uint32_t size) noexcept : kind_(kind), size_(size) {}

  static constexpr std::uint32_t size_of(Kind kind) noexcept {
    switch (kind) {
      case Kind::boolean:
      case Kind::i8:
      case Kind::u8:
        return 1;
      case Kind::i16:
      case Kind::u16:
      case Kind::f16:
      case Kind::bf16:
        return 2;
      case Kind::i32:
      case Kind::u32:
      case Kind::f32:
        return 4;
      case Kind::c128:
        return 16;
      default:
        return 8;
    }
  }

  /// The description of that number.
  static std::string_view interned(std::uint16_t number) noexcept;

  Kind kind_;
  std::uint16_t description_ = 0;  // its number, or 0: a type stays 8 bytes
  std::uint32_t size_;
};

inline constexpr DType bool_{DType::Kind::boolean};
inline constexpr DType i8{DType::Kind::i8};
inline constexpr DType i16{DType::Kind::i16};
inline constexpr DType i32{DType::Kind::i32};
inline constexpr DType i64{DType::Kind::i64};
inline constexpr DType u8{DType::Kind::u8};
inline constexpr DType u16{DType::Kind::u16};
inline constexpr DType u32{DType::Kind::u32};
inline constexpr DType u64{DType::Kind::u64};
inline constexpr DType f16{DType::Kind::f16};
inline constexpr DType bf16{DType::Kind::bf16};
inline constexpr DType f32{DType::Kind::f32};
inline constexpr DType f64{DType::Kind::f64};
inline constexpr DType c64{DType::Kind::c64};
inline constexpr DType c128{DType::Kind::c128};
/// A trivially copyable struct of `size` bytes, 1 or more (DtypeError).
constexpr DType opaque(std::uint32_t size) {
  if (size == 0) throw DtypeError("opaque: an element has 0 bytes, expected 1 or more");
  return {DType::Kind::opaque, size};
}

/// The longest description, in bytes.
inline constexpr std::size_t most_description_bytes = 4096;
/// The same with a description: the fields of a struct, f8, a date, a string of fixed width. Two
/// such types are equal where size and description are. Each description is kept once, until the
/// process ends; any thread may ask. Throws DtypeError where it is empty or has more than 4096
/// bytes, where there are 65,535 others, or the size is 0.
DType described(std::uint32_t size, std::string_view description);

/// The type of a name as DType::name() gives it, or none.
std::optional<DType> parse_dtype(std::string_view name);

/// What can be an element: moved by its bytes alone, and aligned to a cache line at most.
template <class T>
concept Element = std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_pointer_v<T> &&
                  !std::is_array_v<T> && !std::is_null_pointer_v<T> && alignof(T) <= 64;

/// The dtype of a C++ type. float16_t and _Float16 are f16, bfloat16_t is bf16; `<weft/eigen.h>`
/// adds Eigen::half and Eigen::bfloat16.
template <class T>
struct DTypeOf {
  static_assert(Element<T>, "an element must be trivially copyable and not an array or a pointer");
  static constexpr DType value = [] {
    if constexpr (std::same_as<T, bool>) return bool_;
    else if constexpr (std::integral<T> && sizeof(T) > 8) return opaque(sizeof(T));
    else if constexpr (std::integral<T> && std::is_signed_v<T>)
      return sizeof(T) == 1 ? i8 : sizeof(T) == 2 ? i16 : sizeof(T) == 4 ? i32 : i64;
    else if constexpr (std::integral<T>)
      return sizeof(T) == 1 ? u8 : sizeof(T) == 2 ? u16 : sizeof(T) == 4 ? u32 : u64;
    else if constexpr (std::same_as<T, float16_t>) return f16;
    else if constexpr (std::same_as<T, bfloat16_t>) return bf16;
    else if constexpr (std::same_as<T, float>) return f32;
    else if constexpr (std::same_as<T, double>) return f64;
    else if constexpr (std::same_as<T, std::complex<float>>) return c64;
    else if constexpr (std::same_as<T, std::complex<double>>) return c128;
    else return opaque(sizeof(T));
  }();
};
#ifdef WEFT_HAS_NATIVE_FLOAT16
template <>
struct DTypeOf<NativeFloat16> {
  static constexpr DType value = f16;
};
#endif
template <class T>
inline constexpr DType dtype_of = DTypeOf<std::remove_cv_t<T>>::value;

/// A number as callers write it, which becomes an element of any type that can hold it.
template <class T>
concept Arithmetic = std::integral<T> || std::floating_point<T>;

/// Calls `work` with a value of the C++ type of an integer dtype.
template <class Work>
auto with_integer(DType dtype, Work&& work) {
  using Kind = DType::Kind;
  switch (dtype.kind()) {
    case Kind::i8:
      return work(std::int8_t{});
    case Kind::i16:
      return work(std::int16_t{});
    case Kind::i32:
      return work(std::int32_t{});
    case Kind::u8:
      return work(std::uint8_t{});
    case Kind::u16:
      return work(std::uint16_t{});
    case Kind::u32:
      return work(std::uint32_t{});
    case Kind::u64:
      return work(std::uint64_t{});
    default:
      return work(std::int64_t{});
  }
}

}  // namespace weft
