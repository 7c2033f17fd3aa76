// SPDX-License-Identifier: Apache-2.0
// What tests of products share: matrices that lie in some way, and plain loops over them.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "ops/elementwise/values.h"

namespace weft::testing {

/// Random numbers that f16 holds.
template <class T>
Tensor random_values(Random& random, const Shape& shape) {
  std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
  for (T& value : values) {
    if constexpr (is_float<T>)
      value = T(static_cast<Computed<T>>(static_cast<double>(random.in(-1000, 1000)) / 256));
    else value = static_cast<T>(static_cast<std::uint64_t>(random.in(lowest / 2, highest / 2)) * 3);
  }
  return from_vector(values, shape);
}

/// A tensor of that shape that lies in some way: as it was made, turned, flipped, rolled, with
/// steps, or computed.
template <class T>
Tensor somehow_lying(Random& random, const Shape& shape) {
  const std::size_t rank = shape.size();
  if (rank == 0) return random_values<T>(random, shape);
  const auto axis = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(rank) - 1));
  const auto at = static_cast<std::int64_t>(axis);
  Shape other = shape;
  switch (random.below(8)) {
    case 0: {
      std::vector<std::int64_t> order;
      for (std::size_t k = rank; k-- > 0;) {
        order.push_back(static_cast<std::int64_t>(k));
        other[rank - 1 - k] = shape[k];
      }
      return random_values<T>(random, other).transpose(order);
    }
    case 1:
      return random_values<T>(random, shape).flip(at);
    case 2:
      return random_values<T>(random, shape).roll(random.in(-3, 3), at);
    case 3:
      other[axis] = 2 * shape[axis];
      return random_values<T>(random, other).slice({0}, {other[axis]}, {2}, {at});
    case 4:
      other[axis] = 1;
      return random_values<T>(random, other).broadcast_to(shape);
    case 5: {
      other[axis] = shape[axis] + 5;
      return random_values<T>(random, other).slice({2}, {shape[axis] + 2}, {1}, {at});
    }
    case 6: {
      const Tensor x = random_values<T>(random, shape);
      return maximum(x, x.flip(at));
    }
    default:
      return random_values<T>(random, shape);
  }
}

/// Reads an element of a value as what products of T are reckoned in.
template <class T>
auto wide_of(T x) {
  if constexpr (is_float<T>) return static_cast<double>(static_cast<Computed<T>>(x));
  else return static_cast<std::uint64_t>(x);
}

/// One result against the sum of products that it should be, and the sum of their magnitudes.
template <class T, class Wide>
void check_sum(T made, Wide sum, double magnitude, std::int64_t inner) {
  if constexpr (std::is_integral_v<T>) {
    CHECK(made == static_cast<T>(sum));
  } else {
    using C = Computed<T>;
    // What docs/products.md promises.
    const double roundings = static_cast<double>(std::min<std::int64_t>(inner, 1024)) +
                             std::ceil(static_cast<double>(inner) / 192) + 1;
    const double bound =
        magnitude * roundings * static_cast<double>(std::numeric_limits<C>::epsilon()) / 2;
    const auto own = static_cast<double>(static_cast<C>(made));
    if constexpr (is_half<T>) {
      CHECK(own >= static_cast<double>(static_cast<C>(T(static_cast<float>(sum - bound)))));
      CHECK(own <= static_cast<double>(static_cast<C>(T(static_cast<float>(sum + bound)))));
    } else {
      CHECK(std::abs(own - sum) <= bound + 1e-300);
    }
  }
}

/// Of x [batch, rows, inner] and y [batch, inner, columns], values in row-major order.
template <class T>
void check_matrices(const Tensor& made, const Tensor& x, const Tensor& y, std::int64_t batch,
                    std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  const Tensor result = made.eval(), left = x.eval(), right = y.eval();
  REQUIRE(result.size() == batch * rows * columns);
  const T *const out = result.data<T>(), *const a = left.data<T>(), *const b = right.data<T>();
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        decltype(wide_of(T{})) sum{};
        double magnitude = 0;
        for (std::int64_t k = 0; k < inner; ++k) {
          const auto product =
              wide_of(a[(n * rows + i) * inner + k]) * wide_of(b[(n * inner + k) * columns + j]);
          sum += product;
          magnitude += std::abs(static_cast<double>(product));
        }
        check_sum(out[(n * rows + i) * columns + j], sum, magnitude, inner);
      }
}

}  // namespace weft::testing
