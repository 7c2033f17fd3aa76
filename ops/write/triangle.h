// SPDX-License-Identifier: Apache-2.0
// What tril and triu share: the elements on one side of a diagonal, zeros on the other.
#pragma once

#include <string_view>

#include <weft/graph/define.h>

namespace weft {

enum class Side { lower, upper };

/// Keeps x[..., i, j] where j - i <= k (lower) or j - i >= k (upper); operand 1 is the zero.
struct Triangle {
  std::int64_t k;
  Side side;

  static constexpr std::tuple fields{operand("x", "whose other triangle is made zero"),
                                     parameter("k", &Triangle::k, "the diagonal", 0),
                                     hidden(&Triangle::side)};

  static KnownType infer(std::string_view op, const KnownType& x, const Ints& k);
  static Tensor make(TensorType type, const Tensor& x, const Ints& k, Side side);

  std::string_view op_name() const noexcept { return side == Side::lower ? "tril" : "triu"; }
  void pull_back(const Shape& shape, const Box& box, PullBack& to) const;
  std::size_t trace(const Shape& shape, Index& index) const;
};

}  // namespace weft
