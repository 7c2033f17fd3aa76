// SPDX-License-Identifier: Apache-2.0
// Drawing what is hostile.
#include "fuzz/hostile_values.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include <weft/weft.h>

namespace weft::testing {
namespace {

using List = std::vector<std::int64_t>;

constexpr std::array integer_types{i64, i32, i8, u8, u16, u64};
constexpr std::array other_types{f32, bool_, f64, c64, opaque(3)};

}  // namespace

DType hostile_type(Random& random) {
  return random.one_in(4) ? other_types[random.below(other_types.size())]
                          : integer_types[random.below(integer_types.size())];
}

namespace {

/// As a value of the type would be widened.
std::int64_t within(DType dtype, std::int64_t value) {
  if (!dtype.is_integer()) return value;
  return with_integer(dtype,
                      [&]<class T>(T) { return static_cast<std::int64_t>(static_cast<T>(value)); });
}

Ints ints_of(DType dtype, int rank, List values) {
  for (std::int64_t& value : values) value = within(dtype, value);
  if (rank == 0 && values.size() != 1) rank = 1;
  return Ints(dtype, rank, values);
}

List list_of(const Ints& ints) {
  List values;
  for (std::size_t i = 0; i < ints.size(); ++i) values.push_back(ints.bits(i));
  return values;
}

/// At most so many bytes.
constexpr std::int64_t most_bytes = 4096;

Shape small_shape(Random& random) {
  Shape shape;
  const std::size_t rank = random.one_in(20) ? 16 : random.below(6);
  for (std::size_t k = 0; k < rank; ++k)
    shape.push_back(rank > 8 ? 1 : random.one_in(8) ? 0 : random.in(1, 5));
  return shape;
}

}  // namespace

std::int64_t hostile_number(Random& random) {
  static constexpr std::array<std::int64_t, 10> ends{INT64_MIN,
                                                     INT64_MAX,
                                                     INT64_MIN + 1,
                                                     INT64_MAX - 1,
                                                     INT64_MAX / 2,
                                                     INT64_MIN / 2,
                                                     std::int64_t{1} << 62,
                                                     std::int64_t{1} << 32,
                                                     -(std::int64_t{1} << 32),
                                                     1 << 20};
  if (random.one_in(4)) return ends[random.below(ends.size())];
  return random.one_in(2) ? random.in(-3, 4) : random.in(-20, 40);
}

Ints hostile_ints(Random& random, std::size_t rank) {
  if (random.one_in(10)) return none;
  const std::size_t lengths[] = {0, 1, 1, 2, 3, rank, rank, 2 * rank};
  const std::size_t length = random.one_in(300) ? 3000 : lengths[random.below(std::size(lengths))];
  const bool is_wild = random.one_in(5);
  List values;
  for (std::size_t k = 0; k < length; ++k)
    values.push_back(is_wild ? hostile_number(random) : random.in(-2, 4));
  return ints_of(random.one_in(6) ? hostile_type(random) : i64,
                 random.one_in(3)    ? 0
                 : random.one_in(30) ? 2
                                     : 1,
                 values);
}

Ints changed(const Ints& ints, Random& random) {
  List values = list_of(ints);
  const std::size_t at = values.empty() ? 0 : random.below(values.size());
  switch (random.below(8)) {
    case 0:
      if (!values.empty()) values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), hostile_number(random));
      break;
    case 2:
      return ints_of(hostile_type(random), ints.rank(), values);
    case 3:
      return ints_of(ints.dtype(), random.one_in(3) ? 2 : random.one_in(2) ? 1 : 0, values);
    case 4:
      return hostile_ints(random, values.size());
    case 5:
      if (random.one_in(20)) values.resize(2000, 1);
      else if (random.one_in(4)) values.clear();
      else random.shuffle(values);
      break;
    default:
      if (values.empty()) return none;
      values[at] = random.one_in(2)
                       ? hostile_number(random)
                       : std::clamp<std::int64_t>(values[at], -1000, 1000) + random.in(-1, 1);
  }
  return ints_of(ints.dtype(), ints.rank(), values);
}

std::string changed(std::string text, Random& random) {
  static constexpr std::string_view letters = "abch w()->.1_ \xc3\xa9\n0";
  const char letter = letters[random.below(letters.size())];
  const std::size_t at = random.below(text.size() + 1);
  switch (random.below(5)) {
    case 0:
      text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), letter);
      break;
    case 1:
      text.erase(at, 1);
      break;
    case 2:
      text.append(std::string(text, at));
      break;
    case 3:
      text.insert(at, random.one_in(30) ? std::string(3000, letter) : std::string(" (a b) "));
      break;
    default:
      return hostile_text(random);
  }
  return text;
}

std::string hostile_text(Random& random) {
  static constexpr std::array<const char*, 16> texts{"constant",
                                                     "reflect",
                                                     "edge",
                                                     "wrap",
                                                     "DCR",
                                                     "CRD",
                                                     "",
                                                     "b c -> c b",
                                                     "a ... -> ... a",
                                                     "(a b) c -> a b c",
                                                     "a b -> (b a)",
                                                     "a b -> a b 2",
                                                     "a -> a r",
                                                     "a b",
                                                     "-> ->",
                                                     "h w"};
  return texts[random.below(texts.size())];
}

Tensor random_tensor(DType dtype, const Shape& shape, Random& random) {
  const std::int64_t count = element_count(shape);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * dtype.size()) + 1);
  if (dtype.is_integer()) {
    const bool is_wild = random.one_in(10);
    with_integer(dtype, [&]<class T>(T) {
      for (std::int64_t k = 0; k < count; ++k) {
        const T value = static_cast<T>(is_wild ? hostile_number(random) : random.in(0, 3));
        std::memcpy(bytes.data() + k * dtype.size(), &value, sizeof(T));
      }
    });
  } else {
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(dtype == bool_ ? random.below(2) : random.below(256));
  }
  return copy_from(bytes.data(), dtype, Ints(shape));
}

Tensor changed(const Tensor& tensor, Random& random) {
  Shape shape = tensor.shape();
  DType dtype = tensor.dtype();
  switch (random.below(4)) {
    case 0:
      dtype = hostile_type(random);
      break;
    case 1:
      shape = small_shape(random);
      break;
    case 2:
      if (shape.size() > 0) shape[random.below(shape.size())] = random.in(0, 6);
      break;
    default:
      break;  // other elements
  }
  if (element_count(shape) > most_bytes / dtype.size()) shape = small_shape(random);
  return random_tensor(dtype, shape, random);
}

Tensor tensor_of(const Ints& ints) {
  const DType dtype = ints.dtype();
  std::vector<std::byte> bytes(ints.size() * static_cast<std::size_t>(dtype.size()) + 1);
  if (dtype.is_integer())
    with_integer(dtype, [&]<class T>(T) {
      for (std::size_t k = 0; k < ints.size(); ++k) {
        const T value = static_cast<T>(ints.bits(k));
        std::memcpy(bytes.data() + k * sizeof(T), &value, sizeof(T));
      }
    });
  Shape shape(static_cast<std::size_t>(std::max(ints.rank(), 0)), 1);
  if (ints.rank() > 0) shape[0] = static_cast<std::int64_t>(ints.size());
  return copy_from(bytes.data(), dtype, Ints(shape));
}

PartialShape opened(const Shape& shape, Random& random) {
  if (random.one_in(5)) return PartialShape::any();
  PartialShape partial = shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t extent = shape[axis];
    const auto above = [&] {
      return random.one_in(3) ? std::max(extent, INT64_MAX - random.in(0, 2))
                              : extent + random.in(0, 9);
    };
    switch (random.below(6)) {
      case 0:
        partial[axis] = Dim();
        break;
      case 1:
        partial[axis] = Dim(random.in(0, extent), above());
        break;
      case 2:
        partial[axis] = Dim(random.in(0, extent), Dim::unbounded);
        break;
      case 3:
        partial[axis] = Dim(fmt::format("n{}", extent));  // equal names, equal extents
        break;
      case 4:
        if (random.one_in(20)) partial[axis] = Dim(random.in(0, 9), 9 + random.in(0, 9), "n");
        break;
      default:
        break;
    }
  }
  return partial;
}

}  // namespace weft::testing
