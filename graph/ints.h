// SPDX-License-Identifier: Apache-2.0
// Integer parameters of ops: shifts, axes, orders, repeats, starts, stops, steps, shapes.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <weft/graph/node.h>
#include <weft/graph/value/dtype.h>
#include <weft/graph/value/extents.h>
#include <weft/graph/value/shape.h>

namespace weft {

class Tensor;

/// "Not given", as Python's None.
struct None {};
inline constexpr None none;

/// A value in a braced list: of any integer type, each of its own.
struct AnyInteger {
  template <std::integral T>
  AnyInteger(T value)
      : bits(static_cast<std::int64_t>(value)),
        exceeds_int64(std::is_unsigned_v<T> && sizeof(T) == 8 && bits < 0) {}
  std::int64_t bits;
  bool exceeds_int64;
};

/// What text is made of: not a list of integers, though C++ says so.
template <class T>
concept Character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

/// A small tensor of integers: a scalar, a list, or (to be refused) of rank 2 or a type that is no
/// integer. From an int, a braced list (i64), a range of any integer type, or a Tensor, which is
/// evaluated.
class Ints {
 public:
  Ints() = default;               ///< an empty list
  Ints(None) : is_none_(true) {}  ///< not given
  template <std::integral T>
  Ints(T value) : dtype_(dtype_of<T>), rank_(0), bits_{static_cast<std::int64_t>(value)} {}
  Ints(std::initializer_list<AnyInteger> values) {
    for (const AnyInteger& value : values) {
      bits_.push_back(value.bits);
      if (value.exceeds_int64) dtype_ = u64;
    }
  }
  template <std::ranges::contiguous_range R>
  requires(std::integral<std::ranges::range_value_t<R>> &&
           !Character<std::ranges::range_value_t<R>>) Ints(const R& values)
      : dtype_(dtype_of<std::ranges::range_value_t<R>>) {
    for (const auto value : values) bits_.push_back(static_cast<std::int64_t>(value));
  }
  Ints(const Tensor& tensor);
  /// Any dtype and rank 0, 1 or 2. The values of a u64 are its bits.
  Ints(DType dtype, int rank, std::span<const std::int64_t> values)
      : dtype_(dtype), rank_(rank), bits_(values) {}

  bool is_none() const noexcept { return is_none_; }
  /// Whether the values are not known before a program runs.
  bool is_open() const noexcept { return static_cast<bool>(open_tensor_); }
  /// Whether it was made from a tensor that is empty: ops refuse it.
  bool is_of_empty() const noexcept { return is_of_empty_; }
  /// Where it is_open().
  const NodePtr& open_tensor() const& noexcept { return open_tensor_; }
  NodePtr open_tensor() const&& noexcept { return open_tensor_; }
  DType dtype() const noexcept { return dtype_; }
  /// -1 where it is not known.
  int rank() const noexcept { return rank_; }
  std::size_t size() const noexcept { return bits_.size(); }
  /// How many there will be where it is_open(), or -1: see known_length().
  std::int64_t open_length() const;
  /// The value, or INT64_MAX for a u64 above it. Throws ParameterError (length_mismatch) where
  /// there is no entry i, as of all that is not known: nobody reads beyond.
  std::int64_t operator[](std::size_t i) const { return exceeds_int64(i) ? INT64_MAX : bits_[i]; }
  /// The same, or the bits of a u64.
  std::int64_t bits(std::size_t i) const {
    if (i >= bits_.size()) throw_no_entry(i);
    return bits_[i];
  }
  bool exceeds_int64(std::size_t i) const { return bits(i) < 0 && dtype_ == u64; }
  /// "[1, -2]", or "3" for a scalar. A long list is cut: "[1, 2, ... of 5000 values]". One that is
  /// open is "(a tensor)".
  std::string text() const;
  /// One value as it was given, also above int64.
  std::string text(std::size_t i) const;

 private:
  [[noreturn]] void throw_no_entry(std::size_t i) const;

  bool is_none_ = false;
  bool is_of_empty_ = false;
  DType dtype_ = i64;
  int rank_ = 1;
  SmallVector<std::int64_t, 8> bits_;
  NodePtr open_tensor_;
};

// Checks shared by the ops, in the order in which mistakes are told. Each names op and parameter.

// They pass over what is not known before a program runs, where they return no value.

/// How many entries a parameter has, or -1 where that is not known, or too many to matter.
inline std::int64_t known_length(const Ints& parameter) {
  return parameter.is_open() ? parameter.open_length()
                             : static_cast<std::int64_t>(parameter.size());
}
/// The value of entry i, or nothing where it is not known.
inline std::optional<std::int64_t> known_entry(const Ints& values, std::size_t i) {
  return values.is_open() ? std::nullopt : std::optional(values[i]);
}

/// OpenError where the values are not known.
void check_known(std::string_view op, std::string_view parameter, const Ints& values);
/// dtype_mismatch unless the type is an integer.
void check_integer(std::string_view op, std::string_view parameter, const Ints& values);
/// bad_rank unless it is a list.
void check_list(std::string_view op, std::string_view parameter, const Ints& values);
/// One value, a scalar or a list of one: dtype_mismatch, bad_rank, length_mismatch. Nothing where
/// it is not known.
std::optional<std::int64_t> check_one(std::string_view op, std::string_view parameter,
                                      const Ints& value);
/// The same where it must be known.
std::int64_t check_single(std::string_view op, std::string_view parameter, const Ints& value);
/// check_one() of several, which are told of their types first, then of their ranks and lengths.
void check_singles(std::string_view op,
                   std::initializer_list<std::pair<std::string_view, const Ints&>> values);
/// bad_rank unless it is a scalar or a list.
void check_scalar_or_list(std::string_view op, std::string_view parameter, const Ints& values);
/// Entry i of `axes` as an axis of `shape` with so many `more` axes, or bad_axis.
std::size_t check_axis(std::string_view op, const Ints& axes, std::size_t i, const Shape& shape,
                       std::size_t more = 0);
std::size_t check_axis(std::string_view op, const Ints& axes, std::size_t i, const Extents& shape,
                       std::size_t more = 0);
/// All axes in range (bad_axis) and different (duplicate_axes).
SmallVector<std::size_t, 8> check_unique_axes(std::string_view op, const Ints& axes,
                                              const Shape& shape, std::size_t more = 0);
SmallVector<std::size_t, 8> check_unique_axes(std::string_view op, const Ints& axes,
                                              const Extents& shape, std::size_t more = 0);
/// A shape, a scalar or a list of extents of 0 or more: dtype_mismatch, bad_rank, overflow,
/// shape_mismatch.
Shape check_extents(std::string_view op, const Ints& shape);
/// The same as far as it is known, in the name of that parameter.
Extents known_extents(std::string_view op, const Ints& shape);

}  // namespace weft
