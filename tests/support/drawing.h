// SPDX-License-Identifier: Apache-2.0
// What an op draws its calls for random graphs with: each does so in its own test file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/random.h"
#include "support/recipe.h"

namespace weft::testing {

using List = std::vector<std::int64_t>;

/// start, stop, step of slices; axes that are not named are whole.
struct Slices {
  List start, stop, step;
  Numbers axes;
};

/// A recipe in the making, and the value that the next call is of.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed);

  Recipe run();

  Random& random() noexcept { return random_; }
  /// The number of the value to call the op on, its shape and rank.
  std::size_t x() const noexcept { return x_; }
  List shape() const { return shape_of(x_); }
  std::size_t rank() const { return values_[x_].rank(); }
  std::int64_t size() const { return values_[x_].size(); }
  List shape_of(std::size_t value) const;
  DType dtype_of(std::size_t value) const { return values_[value].dtype(); }
  /// So many times as many elements as x a result may have; 0 where x is at the limit.
  std::int64_t room() const;
  /// Ranks of results stay at or below.
  static constexpr std::size_t most_axes = 8;

  /// Adds a call; its number.
  std::size_t add(std::string_view op, std::vector<std::size_t> operands,
                  std::vector<Numbers> parameters, std::vector<std::string> texts = {});
  /// Adds a stored tensor of the recipe's element type.
  std::size_t leaf(const List& shape);
  /// Adds a stored tensor of those values, row-major: i64, or bool.
  std::size_t index(const List& shape, const List& values);
  std::size_t mask(const List& shape, const List& values);
  /// An earlier value of that shape, moved about or not, or a new leaf.
  std::size_t value_like(const List& shape);

  List random_shape();
  std::size_t random_axis() { return random_.below(rank()); }
  /// The same axis, at times counted from the end.
  std::int64_t with_sign(std::size_t axis, std::size_t rank);
  List with_signs(List axes, std::size_t rank);
  /// A subset of the axes in random order, some counted from the end.
  List random_axes(std::size_t rank);
  /// Extents with the product `count`.
  List factors(std::int64_t count);
  /// The same, of so many axes.
  List extents(std::int64_t count, std::size_t rank);
  Slices random_slices(const List& shape);
  /// Of a scatter: none for floating-point numbers, where NaNs made of two may be either.
  std::string reduction();

 private:
  void draw_call();
  void add_range(std::int64_t n, Slices& slices);

  Random random_;
  std::int64_t limit_;
  Recipe recipe_{u8, {}};
  std::vector<Tensor> values_;
  std::size_t x_ = 0;
};

/// Draws a call of an op, or nothing where the op cannot be called on x.
using Draw = void (*)(Drawing&);

/// What `void draw_NAME(Drawing& ...)` in `tests/ops/*_test.cpp` defines. The build makes the list.
struct NamedDraw {
  std::string_view name;
  Draw draw;
};
std::span<const NamedDraw> draw_table();

}  // namespace weft::testing
