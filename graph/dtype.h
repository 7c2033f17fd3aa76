// Element types. Movement never looks inside an element: a type is a name and a size.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

namespace weft {

/// The type of an element: one of the named types, or any trivially copyable struct by its size.
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

  constexpr DType(Kind kind, std::uint32_t size) noexcept : kind_(kind), size_(size) {}

  constexpr Kind kind() const noexcept { return kind_; }
  /// Bytes of one element.
  constexpr std::int64_t size() const noexcept { return size_; }
  constexpr bool is_integer() const noexcept { return kind_ >= Kind::i8 && kind_ <= Kind::u64; }
  constexpr bool is_signed_integer() const noexcept {
    return kind_ >= Kind::i8 && kind_ <= Kind::i64;
  }
  /// "f32", "bool", "struct of 12 bytes".
  std::string name() const;

  friend constexpr bool operator==(DType, DType) noexcept = default;

 private:
  Kind kind_;
  std::uint32_t size_;
};

inline constexpr DType bool_{DType::Kind::boolean, 1};
inline constexpr DType i8{DType::Kind::i8, 1};
inline constexpr DType i16{DType::Kind::i16, 2};
inline constexpr DType i32{DType::Kind::i32, 4};
inline constexpr DType i64{DType::Kind::i64, 8};
inline constexpr DType u8{DType::Kind::u8, 1};
inline constexpr DType u16{DType::Kind::u16, 2};
inline constexpr DType u32{DType::Kind::u32, 4};
inline constexpr DType u64{DType::Kind::u64, 8};
inline constexpr DType f16{DType::Kind::f16, 2};
inline constexpr DType bf16{DType::Kind::bf16, 2};
inline constexpr DType f32{DType::Kind::f32, 4};
inline constexpr DType f64{DType::Kind::f64, 8};
inline constexpr DType c64{DType::Kind::c64, 8};
inline constexpr DType c128{DType::Kind::c128, 16};
/// A trivially copyable struct of `size` bytes.
constexpr DType opaque(std::uint32_t size) noexcept { return {DType::Kind::opaque, size}; }

/// What can be an element: moved by its bytes alone.
template <class T>
concept Element = std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_pointer_v<T>;

/// The dtype of a C++ type; `<weft/eigen.h>` adds Eigen::half (f16) and Eigen::bfloat16 (bf16).
template <class T>
struct DTypeOf {
  static_assert(Element<T>, "an element must be trivially copyable");
  static constexpr DType value = [] {
    if constexpr (std::same_as<T, bool>) return bool_;
    else if constexpr (std::integral<T> && std::is_signed_v<T>)
      return sizeof(T) == 1 ? i8 : sizeof(T) == 2 ? i16 : sizeof(T) == 4 ? i32 : i64;
    else if constexpr (std::integral<T>)
      return sizeof(T) == 1 ? u8 : sizeof(T) == 2 ? u16 : sizeof(T) == 4 ? u32 : u64;
    else if constexpr (std::same_as<T, float>) return f32;
    else if constexpr (std::same_as<T, double>) return f64;
    else if constexpr (std::same_as<T, std::complex<float>>) return c64;
    else if constexpr (std::same_as<T, std::complex<double>>) return c128;
    else return opaque(sizeof(T));
  }();
};
template <class T>
inline constexpr DType dtype_of = DTypeOf<std::remove_cv_t<T>>::value;

}  // namespace weft
