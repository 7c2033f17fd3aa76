// SPDX-License-Identifier: Apache-2.0
// rearrange: a pattern whose sides have the same axes.
#include <weft/ops/pattern/rearrange.h>

#include <weft/graph/op.h>

namespace weft {
namespace {

Tensor rearrange_by(const Tensor& x, const std::string& pattern, const std::string& names,
                    const Ints& sizes) {
  if (is_any_open(rearrange_op, x, pattern, names, sizes))
    return defer(rearrange_op, {{x}, {pattern, names, sizes}});
  return follow_pattern("rearrange", x, pattern, names, sizes, NewAxes::refused);
}

PartialShape infer(const Arguments& arguments) {
  return infer_pattern("rearrange", arguments, NewAxes::refused);
}

}  // namespace

const Op rearrange_op{"rearrange",        {"x"}, {"pattern", "names", "sizes"},
                      call<rearrange_by>, infer, {"pattern", "names"}};

Tensor rearrange(const Tensor& x, const std::string& pattern, const AxisSizes& sizes) {
  return rearrange_by(x, pattern, sizes.names(), sizes.sizes());
}

Tensor Tensor::rearrange(const std::string& pattern) const {
  return weft::rearrange(*this, pattern);
}
Tensor Tensor::rearrange(const std::string& pattern, const AxisSizes& sizes) const {
  return weft::rearrange(*this, pattern, sizes);
}

}  // namespace weft
