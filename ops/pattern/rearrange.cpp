// SPDX-License-Identifier: Apache-2.0
// rearrange: a pattern whose sides have the same axes.
#include <weft/ops/pattern/rearrange.h>

#include <weft/graph/define.h>

namespace weft {
namespace {

struct Rearrange {
  static constexpr std::string_view name = "rearrange";
  static constexpr const Op& op = rearrange_op;
  static constexpr std::tuple fields{
      operand("x", "what is split, permuted and merged"),
      parameter("pattern", "its axes, and what becomes of them"),
      parameter("names", "of the axes whose sizes are given, separated by spaces", ""),
      parameter("sizes", "of those axes", Default({}))};

  static KnownType infer(const KnownType& x, const std::string& pattern, const std::string& names,
                         const Ints& sizes) {
    return infer_pattern("rearrange", x, pattern, names, sizes, OneSided::neither);
  }
  static Tensor make(const TensorType&, const Tensor& x, const std::string& pattern,
                     const std::string& names, const Ints& sizes) {
    return follow_pattern("rearrange", x, pattern, names, sizes, OneSided::neither);
  }
};

}  // namespace

constinit const Op rearrange_op = op_of<Rearrange>();

Tensor rearrange(const Tensor& x, const std::string& pattern, const AxisSizes& sizes) {
  return build<Rearrange>(x, pattern, sizes.names(), sizes.sizes());
}

Tensor Tensor::rearrange(const std::string& pattern) const {
  return weft::rearrange(*this, pattern);
}
Tensor Tensor::rearrange(const std::string& pattern, const AxisSizes& sizes) const {
  return weft::rearrange(*this, pattern, sizes);
}

}  // namespace weft
