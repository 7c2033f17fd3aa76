// SPDX-License-Identifier: Apache-2.0
// The errors weft throws: one small family, told apart by class and by category.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weft {

/// Base of all errors of weft. `category()` names the mistake (`bad_axis`, `shape_mismatch`, ...);
/// `what()` names the op, the operand, what was given and what was expected, in 600 bytes at most.
class Error : public std::runtime_error {
 public:
  Error(std::string_view category, const std::string& message)
      : std::runtime_error(shortened(message)), category_(category) {}
  /// A constant of static storage duration.
  std::string_view category() const noexcept { return category_; }
  /// Says the same in other words.
  void say(const std::string& message) {
    std::runtime_error::operator=(std::runtime_error(shortened(message)));
  }

  static constexpr std::size_t longest_message = 600;

 private:
  /// A message that is longer loses its middle.
  static std::string shortened(const std::string& message);

  std::string_view category_;
};

/// bad_axis, duplicate_axes, not_a_permutation.
class AxisError : public Error {
  using Error::Error;
};
/// length_mismatch, bad_rank, zero_step, negative_repeats.
class ParameterError : public Error {
  using Error::Error;
};
/// dtype_mismatch.
class DtypeError : public Error {
 public:
  explicit DtypeError(const std::string& message) : Error("dtype_mismatch", message) {}
};
/// shape_mismatch.
class ShapeError : public Error {
 public:
  explicit ShapeError(const std::string& message) : Error("shape_mismatch", message) {}
};
/// overflow: more than 2^62 bytes, or a dim beyond int64.
class OverflowError : public Error {
 public:
  explicit OverflowError(const std::string& message) : Error("overflow", message) {}
};
/// bad_index.
class IndexError : public Error {
 public:
  explicit IndexError(const std::string& message) : Error("bad_index", message) {}
};
/// out_of_memory: a result, or a tensor that has to be stored on the way, does not fit.
class MemoryError : public Error {
 public:
  explicit MemoryError(const std::string& message) : Error("out_of_memory", message) {}
};
/// open_tensor: a value or shape was asked for that is not known before a program runs.
class OpenError : public Error {
 public:
  explicit OpenError(const std::string& message) : Error("open_tensor", message) {}
};
/// empty_tensor: something was asked of a tensor that holds none, default-constructed or moved
/// from.
class EmptyError : public Error {
 public:
  explicit EmptyError(const std::string& message) : Error("empty_tensor", message) {}
};
/// not_in_place: a value was to be written over data that was given up, and cannot be.
class InPlaceError : public Error {
 public:
  explicit InPlaceError(const std::string& message) : Error("not_in_place", message) {}
};
/// bad_format: text that was to be read is not in the form it should be in.
class FormatError : public Error {
 public:
  explicit FormatError(const std::string& message) : Error("bad_format", message) {}
};
/// bad_file: a file cannot be read or written.
class FileError : public Error {
 public:
  explicit FileError(const std::string& message) : Error("bad_file", message) {}
};
/// internal: an op, of weft's or your own, broke a rule that others rely on.
class InternalError : public Error {
 public:
  explicit InternalError(const std::string& message) : Error("internal", message) {}
};

}  // namespace weft
