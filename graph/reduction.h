// SPDX-License-Identifier: Apache-2.0
// Ops each element of whose result is made of many elements of one operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <weft/graph/kinds.h>
#include <weft/graph/value/dtype.h>
#include <weft/graph/value/shape.h>

namespace weft {

struct ReduceKernels;

/// What elements are reduced by: each op that reduces has one, which lives as long as the program.
struct Reducer {
  std::string_view op;  ///< as users write it
  /// What carries it out on elements of that type, which the op takes.
  const ReduceKernels& (*kernels)(DType type);
  /// The meaning: makes `to`, of the result's type, of so many elements, one at least.
  void (*compute)(DType type, const std::byte* elements, std::int64_t count, std::byte* to);
  /// The adjoint, of the axes that are reduced; null where the op has none.
  Tensor (*adjoint)(const Tensor& cotangent, const Tensor& result, const Tensor& operand,
                    const Index& axes) = nullptr;
};

/// Of an operand of outer x extent x inner elements, row-major, the middle ones are reduced.
class Reduction final : public Operation {
 public:
  static constexpr Kind own_kind = Kind::reduction;

  /// `axes` of the operand are reduced, which follow one another, and none of whose extents is 0.
  Reduction(const Reducer& reducer, const Shape& operand, Index axes);

  std::string_view name() const noexcept override { return reducer_.op; }
  std::string parameters(const Shape&) const override;
  bool add_parameters(StructuralKey& to) const override;
  std::vector<Tensor> adjoint(const Tensor& cotangent, const Tensor& result,
                              const std::vector<Tensor>& operands) const override;

  const Reducer& reducer() const noexcept { return reducer_; }
  const Index& axes() const noexcept { return axes_; }
  /// How many elements make one.
  std::int64_t extent() const noexcept { return extent_; }
  /// Where, in the operand's order, element `i` of those lies that make element `at` of the result.
  std::int64_t position(std::int64_t at, std::int64_t i) const noexcept {
    return (at / inner_ * extent_ + i) * inner_ + at % inner_;
  }

 private:
  const Reducer& reducer_;
  const Index axes_;
  std::int64_t extent_ = 1, inner_ = 1;
};

}  // namespace weft
