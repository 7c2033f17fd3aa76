// SPDX-License-Identifier: Apache-2.0
// outer: a column times a row.
#include <weft/ops/product/outer.h>

#include <weft/graph/define.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/product/products.h>

namespace weft {
namespace {

struct Outer {
  static constexpr std::string_view name = "outer";
  static constexpr const Op& op = outer_op;
  static constexpr std::tuple fields{operand("x", "of the rows"), operand("y", "of the columns")};

  static KnownType infer(const KnownType& x, const KnownType& y) {
    KnownType made{product_type(name, x.dtype, y.dtype), {}};
    made.shape.push_back(count_of(x));
    made.shape.push_back(count_of(y));
    return made;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Tensor& y) {
    return multiply(read_as(x, {type.shape[0], 1}), read_as(y, {1, type.shape[1]}));
  }

 private:
  static Extent count_of(const KnownType& x) {
    if (!x.shape.has_rank()) return {};
    Extent count = 1;
    for (std::size_t axis = 0; axis < x.shape.rank(); ++axis) count = count * x.shape[axis];
    return count;
  }
};

}  // namespace

constinit const Op outer_op = op_of<Outer>();

Tensor outer(const Tensor& x, const Tensor& y) { return build<Outer>(x, y); }

Tensor ProductMethods::outer(const Tensor& other) const { return weft::outer(tensor(), other); }

}  // namespace weft
