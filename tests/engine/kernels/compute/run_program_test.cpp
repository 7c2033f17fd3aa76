// SPDX-License-Identifier: Apache-2.0
// Programs over rows that begin anywhere, past the caches and not, and that have less than a group;
// over values met with themselves and with constants; in lanes of all widths.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/run/workers.h>
#include <weft/weft.h>

namespace weft {
namespace {

/// x + 1 of `count` elements, to memory that begins so many of them behind a cache line.
template <class T>
bool is_right_at(std::int64_t offset, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k)
    values[static_cast<std::size_t>(k)] = static_cast<T>(k % 100);
  const Tensor sum = from_vector(values, {count}) + 1;
  constexpr std::int64_t line = 64, untouched = 0x5a;
  std::vector<std::uint8_t> memory(
      static_cast<std::size_t>((count + offset) * std::int64_t{sizeof(T)} + 3 * line), untouched);
  const std::int64_t before = -reinterpret_cast<std::intptr_t>(memory.data()) & (line - 1);
  std::uint8_t* const out = memory.data() + before + offset * std::int64_t{sizeof(T)};
  eval_into(sum, out, count * std::int64_t{sizeof(T)});
  for (const std::uint8_t* at = memory.data(); at < out; ++at)
    if (*at != untouched) return false;
  const std::uint8_t* const end = out + count * std::int64_t{sizeof(T)};
  for (const std::uint8_t* at = end; at < memory.data() + memory.size(); ++at)
    if (*at != untouched) return false;
  for (std::int64_t k = 0; k < count; ++k) {
    T made;
    std::memcpy(&made, out + k * std::int64_t{sizeof(T)}, sizeof(T));
    if (!(made == static_cast<T>(k % 100 + 1))) return false;
  }
  return true;
}

template <class T>
void check_all_places() {
  const std::int64_t streamed = streamed_bytes / std::int64_t{sizeof(T)};
  for (const std::int64_t offset : {0, 1, 3, 15, 16, 63})
    for (const std::int64_t count : {std::int64_t{1}, std::int64_t{200}, streamed + 77}) {
      CAPTURE(offset);
      CAPTURE(count);
      CHECK(is_right_at<T>(offset, count));
    }
}

TEST_CASE("a program writes its result wherever it begins, and nothing beside it") {
  check_all_places<std::uint8_t>();
  check_all_places<bfloat16_t>();
  check_all_places<float>();
  check_all_places<double>();
}

/// x * scale + own + pair of rows that lie apart, as the result's do: what stays for all rows, what
/// each row repeats one of, and two of.
template <class T>
bool are_right_rows(std::int64_t rows, std::int64_t columns) {
  const auto numbers = [](std::int64_t count, int factor) {
    std::vector<T> all;
    for (std::int64_t k = 0; k < count; ++k) all.push_back(static_cast<T>(k * factor % 11));
    return all;
  };
  const std::int64_t apart = columns + 5;
  const auto x = numbers(rows * apart, 7), scale = numbers(columns, 3), own = numbers(rows, 5),
             pair = numbers(rows * 2, 9);
  const Tensor pairs = from_vector(pair, {rows, 1, 2}).broadcast_to({rows, columns / 2, 2});
  const Tensor computed =
      from_vector(x, {rows, apart}).narrow(1, 3, columns) * from_vector(scale, {columns}) +
      from_vector(own, {rows, 1}) + pairs.reshape({rows, columns});
  const Tensor made = pad(computed, {0, 0}, {0, 64}).eval();
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns + 64; ++column) {
      const auto of = [](const std::vector<T>& all, std::int64_t k) {
        return static_cast<int>(all[static_cast<std::size_t>(k)]);
      };
      const int expected = column >= columns ? 0
                                             : of(x, row * apart + 3 + column) * of(scale, column) +
                                                   of(own, row) + of(pair, row * 2 + column % 2);
      if (static_cast<int>(made.data<T>()[row * (columns + 64) + column]) != expected) return false;
    }
  return true;
}

template <class T>
void check_short_rows() {
  for (const std::int64_t columns : {2, 30, 62, 64, 66, 96, 100, 126, 128, 170, 254, 300, 510})
    for (const std::int64_t rows : {2, 3, 4, 7, 100}) {
      CAPTURE(columns);
      CAPTURE(rows);
      CHECK(are_right_rows<T>(rows, columns));
    }
}

TEST_CASE("rows of less than a group give what elements give") {
  for (const InstructionSet set : instruction_sets) {
    if (!has(set)) continue;
    CAPTURE(to_string(set));
    use(set);
    check_short_rows<std::uint8_t>();
    check_short_rows<std::int16_t>();
    check_short_rows<float>();
    check_short_rows<double>();
    // Past the caches.
    CHECK(are_right_rows<float>(streamed_bytes / 256 + 3, 64));
  }
  use({});
}

/// y + x * own of rows that lie apart, of x another type; of each length up to a group and beyond,
/// with an element behind each row that is not the program's to write.
template <class From, class T>
void check_rows_in_place() {
  const std::int64_t most = 8 * 64 / std::int64_t{sizeof(T)} + 3, rows = 5, apart = most + 2;
  std::vector<From> x;
  std::vector<T> y, own;
  for (std::int64_t k = 0; k < rows * apart; ++k) {
    x.push_back(static_cast<From>(k * 7 % 5));
    y.push_back(static_cast<T>(k * 3 % 13));
  }
  for (std::int64_t row = 0; row < rows; ++row) own.push_back(static_cast<T>(row * 2 % 5));
  for (std::int64_t columns = 1; columns <= most; ++columns) {
    const Tensor of_x = from_vector(x, {rows, apart}).narrow(1, 1, columns),
                 of_y = from_vector(y, {rows, apart}).narrow(1, 2, columns);
    const Tensor sum = of_y + of_x.astype(dtype_of<T>) * from_vector(own, {rows, 1});
    const Tensor made = pad(sum, {0, 0}, {0, 1}).eval();
    std::int64_t wrong = 0;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column <= columns; ++column) {
        const auto at = static_cast<std::size_t>(row * apart + column);
        const T expected = column == columns
                               ? T{}
                               : static_cast<T>(y[at + 2] + static_cast<T>(x[at + 1]) *
                                                                own[static_cast<std::size_t>(row)]);
        if (made.data<T>()[row * (columns + 1) + column] != expected) ++wrong;
      }
    CAPTURE(columns);
    CHECK(wrong == 0);
  }
}

TEST_CASE("rows of less than a group are computed where they lie") {
  for (const InstructionSet set : instruction_sets) {
    if (!has(set)) continue;
    CAPTURE(to_string(set));
    use(set);
    check_rows_in_place<std::uint8_t, std::uint8_t>();
    check_rows_in_place<std::uint8_t, std::int16_t>();
    check_rows_in_place<std::uint8_t, float>();
    check_rows_in_place<std::int64_t, float>();
    check_rows_in_place<float, double>();
    check_rows_in_place<std::int16_t, double>();
    check_rows_in_place<double, std::int64_t>();
  }
  use({});
}

/// Of all pairs of some values: f(a, b) of tensors beside f(a, b) of numbers, where b is a tensor,
/// a constant on either side, and a itself.
template <class T, class OfTensors, class OfNumbers>
void check_operands(const OfTensors& tensors, const OfNumbers& numbers) {
  std::vector<T> all;
  for (int k = -300; k < 300; ++k) all.push_back(static_cast<T>(k * 117));
  const auto count = static_cast<std::int64_t>(all.size());
  const Tensor a = from_vector(all, {count});
  const auto check = [&](const Tensor& made, const auto& expected) {
    const Tensor stored = made.eval();
    for (std::int64_t k = 0; k < count; ++k) {
      CAPTURE(k);
      REQUIRE(stored.data<T>()[k] == expected(static_cast<std::size_t>(k)));
    }
  };
  check(tensors(a, a.flip(0)),
        [&](std::size_t k) { return numbers(all[k], all[all.size() - 1 - k]); });
  check(tensors(a, a), [&](std::size_t k) { return numbers(all[k], all[k]); });
  for (const T number : {T{0}, T{3}, static_cast<T>(-5)}) {
    const Tensor constant = full({}, number);
    check(tensors(a, constant), [&](std::size_t k) { return numbers(all[k], number); });
    check(tensors(constant, a), [&](std::size_t k) { return numbers(number, all[k]); });
  }
}

template <class T>
void check_type() {
  const auto wide = [](T x) { return static_cast<std::int64_t>(x); };
  check_operands<T>([](const Tensor& x, const Tensor& y) { return x + y; },
                    [&](T x, T y) { return static_cast<T>(wide(x) + wide(y)); });
  check_operands<T>([](const Tensor& x, const Tensor& y) { return x - y; },
                    [&](T x, T y) { return static_cast<T>(wide(x) - wide(y)); });
  check_operands<T>([](const Tensor& x, const Tensor& y) { return x * y; },
                    [&](T x, T y) { return static_cast<T>(wide(x) * wide(y)); });
  check_operands<T>([](const Tensor& x, const Tensor& y) { return maximum(x, y); },
                    [](T x, T y) { return x > y ? x : y; });
  const auto within = [](T y) { return y >= 0 && y < static_cast<int>(8 * sizeof(T)); };
  check_operands<T>([](const Tensor& x, const Tensor& y) { return x << y; },
                    [&](T x, T y) {
                      return within(y) ? static_cast<T>(static_cast<std::uint64_t>(wide(x)) << y)
                                       : T{0};
                    });
  check_operands<T>([](const Tensor& x, const Tensor& y) { return x >> y; },
                    [&](T x, T y) {
                      return within(y) ? static_cast<T>(wide(x) >> y)
                                       : static_cast<T>(wide(x) < 0 ? -1 : 0);
                    });
}

TEST_CASE("operands that are tensors, constants or the same value give what numbers give") {
  check_type<std::int8_t>();
  check_type<std::uint8_t>();
  check_type<std::int16_t>();
  check_type<std::uint16_t>();
  check_type<std::int32_t>();
  check_type<std::uint32_t>();
}

TEST_CASE("bytes that meet integers of two bytes are computed in those") {
  std::vector<std::uint8_t> a, b;
  for (int k = 0; k < 65536; ++k) {
    a.push_back(static_cast<std::uint8_t>(k));
    b.push_back(static_cast<std::uint8_t>(k >> 8));
  }
  const Tensor x = from_vector(a, {65536}), y = from_vector(b, {65536});
  const Tensor average = ((x.astype(u16) + y.astype(u16)) >> 1).astype(u8).clip(16, 235).eval();
  const Tensor product = (x.astype(i16) * y.astype(i16)).eval();
  const Tensor is_less = (x.astype(i16) - y.astype(i16) < 7).eval();
  for (std::size_t k = 0; k < a.size(); ++k) {
    const int mean = (a[k] + b[k]) / 2;
    REQUIRE(average.data<std::uint8_t>()[k] == (mean < 16 ? 16 : mean > 235 ? 235 : mean));
    REQUIRE(product.data<std::int16_t>()[k] == static_cast<std::int16_t>(a[k] * b[k]));
    REQUIRE(is_less.data<bool>()[k] == (a[k] - b[k] < 7));
  }
}

}  // namespace
}  // namespace weft
