// SPDX-License-Identifier: Apache-2.0
// What tril and triu share: the elements on one side of a diagonal, zeros on the other.
#pragma once

#include <string_view>

#include <weft/graph/define.h>

namespace weft {

enum class Side { lower, upper };

/// Keeps x[..., i, j] where j - i <= k (lower) or j - i >= k (upper); operand 1 is the zero. Of x
/// that is stored matrices are read as lines, on one axis: there few boxes make a staircase.
struct Triangle {
  std::int64_t k;
  Side side;
  std::int64_t columns = 0;  // of matrices that are lines

  static constexpr std::tuple fields{operand("x", "whose other triangle is made zero"),
                                     parameter("k", &Triangle::k, "the diagonal", 0),
                                     hidden(&Triangle::side), hidden(&Triangle::columns)};

  static KnownType infer(std::string_view op, const KnownType& x, const Ints& k);
  static Tensor make(TensorType type, const Tensor& x, const Ints& k, Side side);

  std::string_view op_name() const noexcept { return side == Side::lower ? "tril" : "triu"; }
  void pull_back(const Shape& shape, const Box& box, PullBack& to) const;
  std::size_t trace(const Shape& shape, Index& index) const;
  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const;

 private:
  std::int64_t first_right() const noexcept { return side == Side::lower ? k + 1 : k; }
  void cut(const Box& box, std::int32_t rows, std::int32_t across, std::int64_t width, PullBack& to,
           Boxes& left, Boxes& right) const;
};

}  // namespace weft
