// SPDX-License-Identifier: Apache-2.0
// Products of matrices: operands [batch..., rows, inner] and [batch..., inner, columns].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weft/graph/kinds.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// The elements of the result, [batch..., rows, columns], are sums of products of two operands of
/// its type: f32, f64, or i32 and i64, which wrap. The axes of the batch have the extents of the
/// result's in both operands; no extent is 0.
class Product final : public Operation {
 public:
  static constexpr Kind own_kind = Kind::product;

  /// So many elements make one. In the name of `op`, as users write it, which lives as long as the
  /// program; `told` is what more there is to say.
  Product(std::string_view op, std::int64_t inner, std::string told, Adjoint own_adjoint)
      : Operation(own_kind),
        op_(op),
        inner_(inner),
        told_(std::move(told)),
        adjoint_(own_adjoint) {}

  std::string_view name() const noexcept override { return op_; }
  std::string parameters(const Shape&) const override;
  bool add_parameters(StructuralKey& to) const override;
  std::vector<Tensor> adjoint(const Tensor& cotangent, const Tensor& result,
                              const std::vector<Tensor>& operands) const override;

  std::int64_t inner() const noexcept { return inner_; }
  const std::string& told() const noexcept { return told_; }
  /// Where, in operand k, the i-th element lies of those that make the one at `index`.
  Index position(std::size_t k, const Index& index, std::int64_t i) const;

 private:
  const std::string_view op_;
  const std::int64_t inner_;
  const std::string told_;
  const Adjoint adjoint_;
};

}  // namespace weft
