// SPDX-License-Identifier: Apache-2.0
// Integer parameters: how they read, and what is refused.
#include <weft/graph/ints.h>

#include <fmt/format.h>

#include <weft/graph/value/error.h>

namespace weft {

std::string Ints::text(std::size_t i) const {
  return exceeds_int64(i) ? fmt::format("{}", static_cast<std::uint64_t>(bits_[i]))
                          : fmt::format("{}", bits_[i]);
}

namespace {

// A list that is written out takes no more room than this; sixteen short entries always fit.
constexpr std::size_t most_shown = 120;
// What is longer is looked at when the program runs.
constexpr std::int64_t most_entries = 1024;

}  // namespace

std::string Ints::text() const {
  if (is_none_) return "none";
  if (is_open()) return "(a tensor)";
  std::string joined;
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) joined += ", ";
    if (joined.size() > most_shown) {
      joined += fmt::format("... of {} values", size());
      break;
    }
    joined += text(i);
  }
  return rank_ == 0 ? joined : "[" + joined + "]";
}

void Ints::throw_no_entry(std::size_t i) const {
  throw ParameterError("length_mismatch",
                       fmt::format("entry {} of a parameter is asked for, which has {}", i,
                                   is_open() ? "no values before a program runs"
                                             : fmt::format("{} entries", size())));
}

std::int64_t Ints::open_length() const {
  const PartialShape shape = open_tensor_->partial_shape();
  if (!shape.is_closed()) return -1;
  const std::int64_t length = element_count(shape.lowest());
  return length > most_entries ? -1 : length;
}

void check_known(std::string_view op, std::string_view parameter, const Ints& values) {
  if (values.is_open())
    throw OpenError(
        fmt::format("{}: {} depends on a placeholder, expected a value", op, parameter));
}

void check_integer(std::string_view op, std::string_view parameter, const Ints& values) {
  if (values.is_of_empty())
    throw EmptyError(
        fmt::format("{}: {} is an empty tensor, default-constructed or moved from", op, parameter));
  if (!values.dtype().is_integer())
    throw DtypeError(fmt::format("{}: {} is {}, expected an integer type", op, parameter,
                                 values.dtype().name()));
}

namespace {

/// Refuses a rank above `highest`, one below `lowest`, and what was not given.
void check_rank(std::string_view op, std::string_view parameter, const Ints& values, int lowest,
                int highest, std::string_view expected) {
  if (values.is_none())
    throw ParameterError("bad_rank",
                         fmt::format("{}: {} is none, expected {}", op, parameter, expected));
  if (values.rank() < 0) return;  // not known
  if (values.rank() < lowest || values.rank() > highest)
    throw ParameterError("bad_rank", fmt::format("{}: {} has rank {}, expected {}", op, parameter,
                                                 values.rank(), expected));
}

}  // namespace

void check_list(std::string_view op, std::string_view parameter, const Ints& values) {
  check_rank(op, parameter, values, 1, 1, "a list (rank 1)");
}

std::optional<std::int64_t> check_one(std::string_view op, std::string_view parameter,
                                      const Ints& value) {
  check_integer(op, parameter, value);
  check_scalar_or_list(op, parameter, value);
  const std::int64_t length = known_length(value);
  if (length >= 0 && length != 1)
    throw ParameterError("length_mismatch",
                         fmt::format("{}: {} has {} entries, expected one", op, parameter, length));
  return known_entry(value, 0);
}

std::int64_t check_single(std::string_view op, std::string_view parameter, const Ints& value) {
  check_known(op, parameter, value);
  return *check_one(op, parameter, value);
}

void check_singles(std::string_view op,
                   std::initializer_list<std::pair<std::string_view, const Ints&>> values) {
  for (const auto& [name, value] : values) check_integer(op, name, value);
  for (const auto& [name, value] : values) check_scalar_or_list(op, name, value);
  for (const auto& [name, value] : values) check_one(op, name, value);
}

void check_scalar_or_list(std::string_view op, std::string_view parameter, const Ints& values) {
  check_rank(op, parameter, values, 0, 1, "a scalar or a list");
}

namespace {

template <class Extents>
std::size_t checked_axis(std::string_view op, const Ints& axes, std::size_t i, const Extents& shape,
                         std::size_t rank, std::size_t more) {
  const std::int64_t axis = axes[i];
  const std::int64_t end = static_cast<std::int64_t>(rank + more);
  if (axis < -end || axis >= end)
    throw AxisError("bad_axis",
                    fmt::format("{}: axis {} is out of range for rank {} (shape {}{})", op,
                                axes.text(i), end, to_string(shape),
                                more > 0 ? fmt::format(" with {} more", more) : std::string()));
  return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

template <class Extents>
SmallVector<std::size_t, 8> checked_axes(std::string_view op, const Ints& axes,
                                         const Extents& shape, std::size_t rank, std::size_t more) {
  SmallVector<std::size_t, 8> checked;
  for (std::size_t i = 0; i < axes.size(); ++i)
    checked.push_back(checked_axis(op, axes, i, shape, rank, more));
  for (std::size_t i = 0; i < checked.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (checked[i] == checked[j])
        throw AxisError("duplicate_axes",
                        fmt::format("{}: axis {} is named twice in axes {} (rank {})", op,
                                    checked[i], axes.text(), rank + more));
  return checked;
}

}  // namespace

std::size_t check_axis(std::string_view op, const Ints& axes, std::size_t i, const Shape& shape,
                       std::size_t more) {
  return checked_axis(op, axes, i, shape, shape.size(), more);
}

std::size_t check_axis(std::string_view op, const Ints& axes, std::size_t i, const Extents& shape,
                       std::size_t more) {
  return checked_axis(op, axes, i, shape, shape.rank(), more);
}

SmallVector<std::size_t, 8> check_unique_axes(std::string_view op, const Ints& axes,
                                              const Shape& shape, std::size_t more) {
  return checked_axes(op, axes, shape, shape.size(), more);
}

SmallVector<std::size_t, 8> check_unique_axes(std::string_view op, const Ints& axes,
                                              const Extents& shape, std::size_t more) {
  return checked_axes(op, axes, shape, shape.rank(), more);
}

Extents known_extents(std::string_view op, const Ints& shape) {
  check_integer(op, "shape", shape);
  check_scalar_or_list(op, "shape", shape);
  if (!shape.is_open()) return check_extents(op, shape);
  const std::int64_t length = known_length(shape);
  if (length < 0) return Extents::any();
  return Extents::of_rank(static_cast<std::size_t>(length));
}

Shape check_extents(std::string_view op, const Ints& shape) {
  check_known(op, "shape", shape);
  check_integer(op, "shape", shape);
  check_scalar_or_list(op, "shape", shape);
  Shape extents;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0)
      throw ShapeError(
          fmt::format("{}: extent {} in shape {}, expected 0 or more", op, shape[i], shape.text()));
    if (shape.exceeds_int64(i))
      throw OverflowError(fmt::format("{}: extent {} in shape {} is beyond int64", op,
                                      shape.text(i), shape.text()));
    extents.push_back(shape[i]);
  }
  return extents;
}

}  // namespace weft
