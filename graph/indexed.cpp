// SPDX-License-Identifier: Apache-2.0
// Reading and checking index tensors.
#include <weft/graph/indexed.h>

#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include <weft/graph/value/error.h>

namespace weft {
namespace {

template <class T>
T element(const std::byte* bytes, std::size_t k) {
  T value;  // borrowed memory may be aligned to nothing
  std::memcpy(&value, bytes + k * sizeof(T), sizeof(T));
  return value;
}

/// Puts element k, as it counts, at places[k]; the first that is out of bounds, or how many.
template <class T>
std::size_t read(const std::byte* bytes, const std::vector<IndexBounds>& bounds,
                 std::vector<std::int64_t>& places) {
  const std::size_t tuple = bounds.size();
  const auto is_within = [](T given, const IndexBounds& bound) {
    return std::cmp_greater_equal(given, bound.low) && std::cmp_less_equal(given, bound.high);
  };
  bool all_within = true;
  for (std::size_t part = 0; part < tuple; ++part) {
    const IndexBounds bound = bounds[part];
    for (std::size_t k = part; k < places.size(); k += tuple) {
      const T given = element<T>(bytes, k);
      all_within &= is_within(given, bound);
      // Without a sign, for one that is out of bounds may be anything.
      const std::uint64_t place = static_cast<std::uint64_t>(given);
      const std::uint64_t counted =
          std::cmp_less(given, 0) ? place + static_cast<std::uint64_t>(bound.high) + 1 : place;
      places[k] = static_cast<std::int64_t>(counted);
    }
  }
  if (all_within) return places.size();
  std::size_t k = 0;
  while (is_within(element<T>(bytes, k), bounds[k % tuple])) ++k;
  return k;
}

/// Whether all are from 0 to `high`.
bool are_plain(std::span<const std::int64_t> places, std::int64_t high) {
  bool all_within = true;
  for (const std::int64_t place : places) all_within &= place >= 0 && place <= high;
  return all_within;
}

}  // namespace

std::int64_t Indexed::index_bytes() const noexcept {
  const std::lock_guard lock(mutex_);
  return lies_in_index_ ? 0 : static_cast<std::int64_t>(places_.size() * sizeof(std::int64_t));
}

void Indexed::read_index(const Node& index, std::int64_t most_bytes) const {
  const std::lock_guard lock(mutex_);
  if (places_ && !lies_in_index_) return;
  const std::byte* const bytes = index.value().get();
  const std::size_t count = static_cast<std::size_t>(index.count());
  const std::vector<IndexBounds> bounds = this->bounds();
  // Looked at again before each evaluation, for the memory may be borrowed.
  if (index.dtype() == i64 && bounds.size() == 1 && !is_arranged() &&
      reinterpret_cast<std::uintptr_t>(bytes) % alignof(std::int64_t) == 0) {
    const auto* const first = reinterpret_cast<const std::int64_t*>(bytes);
    if (are_plain({first, count}, bounds[0].high)) {
      if (!places_) places_ = Places({index.value(), first}, count);
      lies_in_index_ = true;
      return;
    }
  }
  if (index.count() > most_bytes / static_cast<std::int64_t>(sizeof(std::int64_t)))
    throw MemoryError(fmt::format(
        "{}: {} {} indices are kept as 8 bytes each, at most {} bytes are left for that", op(),
        to_string(index.shape()), index.dtype().name(), most_bytes));
  auto places = std::make_shared<std::vector<std::int64_t>>(count);
  const std::size_t wrong =
      with_integer(index.dtype(), [&]<class T>(T) { return read<T>(bytes, bounds, *places); });
  if (wrong < count) {
    const auto& [low, high, what] = bounds[wrong % bounds.size()];
    const std::string given = with_integer(
        index.dtype(), [&]<class T>(T) { return fmt::format("{}", element<T>(bytes, wrong)); });
    throw IndexError(
        fmt::format("{}: {} {} at {} is out of range, expected {}", op(), what, given,
                    to_string(unravel_index(static_cast<std::int64_t>(wrong), index.shape())),
                    high < low ? "none, for the extent is 0" : fmt::format("{} to {}", low, high)));
  }
  if (is_arranged()) arrange(*places);
  places->reserve(1);  // so that there is a first, also of none
  lies_in_index_ = false;
  places_ = Places({places, places->data()}, places->size());
}

void check_index(std::string_view op, std::string_view operand, DType index) {
  if (!index.is_integer())
    throw DtypeError(
        fmt::format("{}: {} is {}, expected an integer type", op, operand, index.name()));
}

Tensor index_tensor(std::string_view op, std::string_view operand, const Ints& indices) {
  if (indices.is_open()) return Tensor(indices.open_tensor());
  check_integer(op, operand, indices);
  check_scalar_or_list(op, operand, indices);
  auto values = std::make_shared<std::vector<std::int64_t>>();
  for (std::size_t k = 0; k < indices.size(); ++k) values->push_back(indices.bits(k));
  const auto* const bytes = reinterpret_cast<const std::byte*>(values->data());
  Shape shape;
  if (indices.rank() == 1) shape.push_back(static_cast<std::int64_t>(indices.size()));
  return make_tensor<Stored>(indices.dtype() == u64 ? u64 : i64, shape,
                             Storage(std::move(values), bytes));
}

}  // namespace weft
