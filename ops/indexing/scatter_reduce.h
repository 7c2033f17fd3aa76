// SPDX-License-Identifier: Apache-2.0
// Scatters whose updates are combined with what they meet, for each op that scatters.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <weft/graph/define.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/gradient/in_wide.h>
#include <weft/ops/indexing/combine.h>

namespace weft {

/// Of data [outer..., rows, slice...] and updates [outer..., listed..., slice...], where each of
/// the listed goes to a row, slice by slice.
struct ScatterLayout {
  Shape outer, listed, slice;
  std::int64_t rows;

  /// The first `outer_rank` axes of updates, and so many that are listed behind them.
  ScatterLayout(const Shape& data, const Shape& updates, std::size_t outer_rank,
                std::size_t listed_rank);
};

/// Update `update` of those that are listed goes to that row.
struct Hit {
  std::int64_t row, update;
};

/// The updates, if any has elements, by parts of the rows, of which each part is one task's: in
/// their order within one.
std::vector<Hit> hits_of(const ScatterLayout& layout, std::span<const std::int64_t> rows);

/// Combines them one after another, so that the result is the same for any number of threads.
Computation scatter_reduction(const ScatterLayout& layout, const Places& hits, Combine combine,
                              const TensorType& type, std::span<const OperandLayout> layouts);

/// The element at `index`, of elements of both operands.
void reduced_element(const ScatterLayout& layout, std::span<const Hit> hits, Combine combine,
                     const TensorType& type, const Index& index, const ElementOf& element,
                     std::byte* to);

/// An op that scatters says in `Rows` which row each update goes to:
///   static constexpr std::string_view name, static constexpr const Op& op
///   std::vector<IndexBounds> bounds(const Shape& data)
///   ScatterLayout layout(const Shape& data, const Shape& updates)
///   std::vector<std::int64_t> rows(const Shape& data, const Shape& updates,
///   std::vector<std::int64_t> index) Tensor picked(const Tensor& x, const Tensor& index)    what
///   its updates are laid over Tensor stays(const Shape& data, const Tensor& index, const Shape&
///   updates)
///                                          of which updates nothing is written over
///   Tensor scattered(const Tensor& data, const Tensor& index, const Tensor& updates, Combine)
/// and is shown by to_string().
template <class Rows>
struct ScatterReduce {
  Rows rows;
  Combine reduction;
  Shape updates;

  static constexpr std::string_view name = Rows::name;
  static constexpr const Op& op = Rows::op;
  static constexpr std::tuple fields{kept(&ScatterReduce::rows),
                                     kept(&ScatterReduce::reduction, "reduction"),
                                     derived(&ScatterReduce::updates)};

  std::vector<IndexBounds> bounds(const Shape& shape) const { return rows.bounds(shape); }
  Places arrange(const Shape& shape, std::vector<std::int64_t> index) const {
    return Places::made_of(
        hits_of(rows.layout(shape, updates), rows.rows(shape, updates, std::move(index))));
  }

  static constexpr bool writes_over_first = true;
  Computation computation(const Places& hits, const TensorType& type,
                          std::span<const OperandLayout> layouts) const {
    return scatter_reduction(rows.layout(type.shape, updates), hits, reduction, type, layouts);
  }
  std::size_t trace(const Places&, const Shape&, Index&) const {
    throw InternalError("a scatter that reduces makes its elements");
  }
  void value(const Places& hits, const TensorType& type, const Index& index,
             const ElementOf& element, std::byte* to) const {
    reduced_element(rows.layout(type.shape, updates), hits.as<Hit>(), reduction, type, index,
                    element, to);
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensors& operands) const {
    const Tensor &data = operands[0], &index = operands[1], &given = operands[2];
    if (reduction == Combine::add) return {cotangent, {}, rows.picked(cotangent, index)};
    if (reduction == Combine::multiply) return product_adjoint(cotangent, operands);
    // Shared equally by those that are the result, data among them.
    const DType own = cotangent.dtype(), type = wide(own);
    const Tensor is_data = is_same(data, result),
                 is_given = is_same(given, rows.picked(result, index));
    const Tensor count =
        rows.scattered(is_data.astype(type), index, is_given.astype(type), Combine::add);
    const Tensor share = cotangent.astype(type).divide(count).astype(own);
    return {share.where(is_data, 0), {}, rows.picked(share, index).where(is_given, 0)};
  }

 private:
  /// NaN is NaN here.
  static Tensor is_same(const Tensor& x, const Tensor& y) {
    return x.equal(y).logical_or(x.not_equal(x).logical_and(y.not_equal(y)));
  }

  /// Of each factor the product of the others: none of those that are 0 is divided by.
  Tensors product_adjoint(const Tensor& cotangent, const Tensors& operands) const {
    const Tensor &data = operands[0], &index = operands[1], &given = operands[2];
    const auto is_zero = [](const Tensor& x) { return x.equal(0).astype(x.dtype()); };
    const auto or_one = [](const Tensor& x) { return x.where(x.not_equal(0), 1); };
    const Tensor product = rows.scattered(or_one(data), index, or_one(given), Combine::multiply);
    const Tensor zeros = rows.scattered(is_zero(data), index, is_zero(given), Combine::add);
    const auto others = [&](const Tensor& x, const Tensor& all, const Tensor& zeros_among) {
      return all.divide(or_one(x)).where(zeros_among.equal(is_zero(x)), 0);
    };
    const Tensor of_given = others(given, rows.picked(product, index), rows.picked(zeros, index));
    return {cotangent.multiply(others(data, product, zeros)),
            {},
            rows.picked(cotangent, index).multiply(of_given)};
  }
};

/// The adjoint of an op that scatters without a reduction: nothing goes to updates that did not
/// stay.
template <class Rows>
Tensors scatter_adjoint(const Rows& rows, const Tensor& cotangent, const Tensors& operands) {
  const Tensor &index = operands[1], &updates = operands[2];
  return {rows.scattered(cotangent, index, zeros_like(updates), Combine::nothing),
          {},
          rows.picked(cotangent, index)
              .where(rows.stays(cotangent.shape(), index, updates.shape()), 0)};
}

}  // namespace weft
