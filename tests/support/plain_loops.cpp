// SPDX-License-Identifier: Apache-2.0
// Plain loops, and how far from them a result may be.
#include "support/plain_loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include <weft/graph/product.h>
#include <weft/graph/reduction.h>
#include <weft/weft.h>

namespace weft::testing {
namespace {

// Elements of a result that are looked at, at most.
constexpr std::int64_t most_elements = 64;

bool is_float(DType type) { return type == f16 || type == bf16 || type == f32 || type == f64; }

/// Half of what lies between 1 and the next number.
long double rounding_of(DType type) {
  return std::ldexp(1.0L, type == f64 ? -53 : type == f32 ? -24 : type == f16 ? -11 : -8);
}

template <class T>
T value_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
long double number_at(DType type, const std::byte* at) {
  if (type == f16) return static_cast<float>(value_at<float16_t>(at));
  if (type == bf16) return static_cast<float>(value_at<bfloat16_t>(at));
  return type == f32 ? value_at<float>(at) : value_at<double>(at);
}
/// With its sign, in two's complement.
std::uint64_t integer_at(DType type, const std::byte* at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<std::size_t>(type.size()));
  const auto above = static_cast<int>(64 - 8 * type.size());
  const bool has_sign = type == i8 || type == i16 || type == i32 || type == i64;
  return has_sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << above) >> above)
                  : bits;
}

/// What a loop makes, and how far a result may be from that; none where the sum of magnitudes is
/// beyond the type, so that it depends on the order.
struct Made {
  long double value = 0, magnitude = 0, roundings = 0;
  bool is_plain = true;
};

/// Of an element whose parts, as long double, are these.
std::optional<std::string> flaw_of(const Made& made, DType type, long double result) {
  if (std::isnan(made.value)) {
    if (std::isnan(result)) return {};
  } else {
    if (!made.is_plain) return {};
    const long double least = type == f64 ? 0x1p-1074L : type == f16 ? 0x1p-24L : 0x1p-133L;
    const long double most = made.roundings * rounding_of(type == f64 ? f64 : f32);
    const long double allowed = (most + 1e-9L * most + 2 * rounding_of(type)) * made.magnitude +
                                (made.roundings + 1) * least;
    if (result == made.value || std::abs(result - made.value) <= allowed) return {};
  }
  return fmt::format("{} where a loop makes {}", static_cast<double>(result),
                     static_cast<double>(made.value));
}

bool is_within(DType type, long double magnitude) {
  const long double most = type == f16 ? 65000.0L : type == f64 ? 1e308L : 3e38L;
  return magnitude < most;
}

Made added(DType type, const std::vector<long double>& parts) {
  Made made;
  for (const long double part : parts) {
    made.value += part;
    made.magnitude += std::abs(part);
  }
  const auto count = static_cast<long double>(parts.size());
  made.roundings = std::min(count, 518 + std::log2(count));
  made.is_plain = is_within(type, made.magnitude);
  return made;
}

Made multiplied(DType type, const std::vector<long double>& parts) {
  Made made{1, 0, static_cast<long double>(parts.size()), true};
  long double range = 0;
  for (const long double part : parts) {
    made.value *= part;
    range += part == 0 ? 0 : std::abs(std::log2(std::abs(part)));
  }
  made.magnitude = std::abs(made.value);
  made.is_plain = range < (type == f64 ? 1000 : type == f16 ? 14 : 120);
  return made;
}

Made extreme(const std::vector<long double>& parts, bool is_max) {
  Made made{parts[0], 0, 0, true};
  for (const long double part : parts)
    if (std::isnan(part) || (is_max ? part > made.value : part < made.value)) {
      made.value = part;
      if (std::isnan(part)) break;
    }
  return made;
}

/// Where the elements of a result are that are looked at.
template <class Visit>
std::string first_flaw(std::int64_t count, const Visit& visit) {
  const std::int64_t step = std::max<std::int64_t>(1, count / most_elements);
  for (std::int64_t at = 0; at < count; at += step)
    if (const std::optional<std::string> flaw = visit(at))
      return fmt::format("element {} is {}", at, *flaw);
  return {};
}

std::string of_integers(const std::string_view op, DType from, DType to,
                        const std::vector<const std::byte*>& parts, const std::byte* result) {
  std::uint64_t made = op == "prod" ? 1 : 0;
  const bool has_sign = from != u64 && from != u32 && from != u16 && from != u8;
  for (const std::byte* const part : parts) {
    const std::uint64_t value = integer_at(from, part);
    if (op == "sum") made += value;
    else if (op == "prod") made *= value;
    else if (part == parts[0]) made = value;
    else {
      const bool is_less = has_sign
                               ? static_cast<std::int64_t>(value) < static_cast<std::int64_t>(made)
                               : value < made;
      if (value != made && is_less == (op == "min")) made = value;
    }
  }
  if (std::memcmp(&made, result, static_cast<std::size_t>(to.size())) == 0) return {};
  return fmt::format("{} where a loop makes {}", integer_at(to, result), made);
}

std::string flaw_of_reduction(const Reduction& op, const Tensor& x, const Tensor& result) {
  const DType from = x.dtype(), to = result.dtype();
  const std::string_view name = op.reducer().op;
  if (from == bool_ || (!is_float(from) && !from.is_integer()) || is_float(from) != is_float(to))
    return {};
  const std::byte* const elements = x.node().value().get();
  return first_flaw(result.size(), [&](std::int64_t at) -> std::optional<std::string> {
    const std::byte* const made = result.node().value().get() + at * to.size();
    std::vector<const std::byte*> parts;
    for (std::int64_t i = 0; i < op.extent(); ++i)
      parts.push_back(elements + op.position(at, i) * from.size());
    if (!is_float(from)) {
      const std::string flaw = of_integers(name, from, to, parts, made);
      return flaw.empty() ? std::nullopt : std::optional(flaw);
    }
    std::vector<long double> numbers;
    for (const std::byte* const part : parts) numbers.push_back(number_at(from, part));
    const Made expected = name == "sum"    ? added(to, numbers)
                          : name == "prod" ? multiplied(to, numbers)
                                           : extreme(numbers, name == "max");
    return flaw_of(expected, to, number_at(to, made));
  });
}

std::string flaw_of_product(const Product& op, const Tensor& x, const Tensor& y,
                            const Tensor& result) {
  const DType type = result.dtype();
  const auto part = [&](const Tensor& of, std::size_t k, const Index& index, std::int64_t i) {
    return of.node().value().get() +
           linear_index(op.position(k, index, i), of.shape()) * type.size();
  };
  return first_flaw(result.size(), [&](std::int64_t at) -> std::optional<std::string> {
    const std::byte* const own = result.node().value().get() + at * type.size();
    const Index index = unravel_index(at, result.shape());
    Made made;
    std::uint64_t integers = 0;
    for (std::int64_t i = 0; i < op.inner(); ++i) {
      const std::byte *const one = part(x, 0, index, i), *const other = part(y, 1, index, i);
      if (!is_float(type)) {
        integers += integer_at(type, one) * integer_at(type, other);
        continue;
      }
      const long double product = number_at(type, one) * number_at(type, other);
      made.value += product;
      made.magnitude += std::abs(product);
    }
    if (!is_float(type)) {
      if (std::memcmp(&integers, own, static_cast<std::size_t>(type.size())) == 0) return {};
      return fmt::format("{} where a loop makes {}", integer_at(type, own), integers);
    }
    const auto inner = static_cast<long double>(op.inner());
    made.roundings = std::min(inner, 1024.0L) + inner / 192 + 2;
    made.is_plain = is_within(type, made.magnitude);
    return flaw_of(made, type, number_at(type, own));
  });
}

}  // namespace

std::string difference_from_loops(const Tensor& x) {
  const std::optional<NodeInputs> inputs = x.node().inputs();
  if (!inputs) return {};
  std::vector<Tensor> operands;
  for (const NodePtr& input : *inputs) {
    operands.emplace_back(input);
    if (std::string why = difference_from_loops(operands.back()); !why.empty()) return why;
  }
  x.eval();
  const Operation& operation = x.node().operation();
  std::string flaw;
  if (const auto* const reduction = operation.as<Reduction>())
    flaw = flaw_of_reduction(*reduction, operands[0], x);
  else if (const auto* const product = operation.as<Product>())
    flaw = flaw_of_product(*product, operands[0], operands[1], x);
  if (flaw.empty()) return {};
  return fmt::format("{} {} of {} {}: {}", x.node().op(), to_string(x.shape()),
                     operands[0].dtype().name(), to_string(operands[0].shape()), flaw);
}

}  // namespace weft::testing
