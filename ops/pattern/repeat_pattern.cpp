// SPDX-License-Identifier: Apache-2.0
// repeat by a pattern: its right side may have axes that its left side lacks.
#include <weft/ops/pattern/repeat_pattern.h>

#include <weft/graph/op.h>

namespace weft {
namespace {

Tensor repeat_by(const Tensor& x, const std::string& pattern, const std::string& names,
                 const Ints& sizes) {
  if (is_any_open(repeat_pattern_op, x, pattern, names, sizes))
    return defer(repeat_pattern_op, {{x}, {pattern, names, sizes}});
  return follow_pattern("repeat", x, pattern, names, sizes, NewAxes::allowed);
}

PartialShape infer(const Arguments& arguments) {
  return infer_pattern("repeat", arguments, NewAxes::allowed);
}

}  // namespace

const Op repeat_pattern_op{"repeat_pattern", {"x"}, {"pattern", "names", "sizes"},
                           call<repeat_by>,  infer, {"pattern", "names"}};

Tensor repeat_pattern(const Tensor& x, const std::string& pattern, const AxisSizes& sizes) {
  return repeat_by(x, pattern, sizes.names(), sizes.sizes());
}

Tensor Tensor::repeat_pattern(const std::string& pattern) const {
  return weft::repeat_pattern(*this, pattern);
}
Tensor Tensor::repeat_pattern(const std::string& pattern, const AxisSizes& sizes) const {
  return weft::repeat_pattern(*this, pattern, sizes);
}

}  // namespace weft
