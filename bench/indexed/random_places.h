// SPDX-License-Identifier: Apache-2.0
// Places and masks that are drawn, the same ones each time.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <weft/weft.h>

namespace weft::bench {

inline std::vector<std::int64_t> random_numbers(std::int64_t count, std::int64_t below) {
  std::mt19937_64 engine(1);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  for (std::int64_t& number : numbers)
    number = static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(below));
  return numbers;
}

inline Tensor random_places(const std::vector<std::int64_t>& shape, std::int64_t below) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return from_vector(random_numbers(count, below), shape);
}

inline Tensor random_mask(std::int64_t rows, std::int64_t columns) {
  const std::vector<std::int64_t> bits = random_numbers(rows * columns, 2);
  const std::vector<std::uint8_t> bytes(bits.begin(), bits.end());
  return copy_from(bytes.data(), bool_, {rows, columns});
}

}  // namespace weft::bench
