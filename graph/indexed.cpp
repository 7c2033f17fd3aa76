// Reading and checking index tensors.
#include <weft/graph/indexed.h>

#include <cstring>
#include <fmt/format.h>
#include <memory>

#include <weft/graph/error.h>

namespace weft {
namespace {

template <class T>
std::int64_t widened(const std::byte* at) {
  T value;  // borrowed memory may be aligned to nothing
  std::memcpy(&value, at, sizeof(T));
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return value > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(value);
  else return static_cast<std::int64_t>(value);
}

using Widen = std::int64_t (*)(const std::byte*);

Widen widen_of(DType dtype) {
  using Kind = DType::Kind;
  switch (dtype.kind()) {
    case Kind::i8:
      return widened<std::int8_t>;
    case Kind::i16:
      return widened<std::int16_t>;
    case Kind::i32:
      return widened<std::int32_t>;
    case Kind::u8:
      return widened<std::uint8_t>;
    case Kind::u16:
      return widened<std::uint16_t>;
    case Kind::u32:
      return widened<std::uint32_t>;
    case Kind::u64:
      return widened<std::uint64_t>;
    default:
      return widened<std::int64_t>;
  }
}

/// What an element says, to the last digit.
std::string text_of(DType dtype, const std::byte* at) {
  if (dtype != u64) return fmt::format("{}", widen_of(dtype)(at));
  std::uint64_t value;
  std::memcpy(&value, at, sizeof(value));
  return fmt::format("{}", value);
}

}  // namespace

void Indexed::read_index() const {
  const std::lock_guard lock(mutex_);
  if (places_) return;
  const Widen widen = widen_of(index_->dtype());
  const std::byte* const bytes = index_->value().get();
  std::vector<std::int64_t> places(static_cast<std::size_t>(index_->count()));
  for (std::int64_t k = 0; k < index_->count(); ++k) {
    const std::int64_t given = widen(bytes + k * index_->dtype().size());
    const auto [low, high, what] = bounds(k);
    if (given < low || given > high)
      throw IndexError(fmt::format(
          "{}: {} {} at {} is out of range, expected {}", op(), what,
          text_of(index_->dtype(), bytes + k * index_->dtype().size()),
          to_string(unravel_index(k, index_->shape())),
          high < low ? "none, for the extent is 0" : fmt::format("{} to {}", low, high)));
    places[static_cast<std::size_t>(k)] = given < 0 ? given + high + 1 : given;
  }
  arrange(places);
  places_ = std::make_shared<const std::vector<std::int64_t>>(std::move(places));
}

void check_index(std::string_view op, std::string_view operand, const Tensor& index) {
  if (!index.dtype().is_integer())
    throw DtypeError(
        fmt::format("{}: {} is {}, expected an integer type", op, operand, index.dtype().name()));
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
