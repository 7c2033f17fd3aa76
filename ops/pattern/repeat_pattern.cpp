// SPDX-License-Identifier: Apache-2.0
// repeat by a pattern: its right side may have axes that its left side lacks.
#include <weft/ops/pattern/repeat_pattern.h>

#include <weft/graph/define.h>

namespace weft {
namespace {

struct RepeatPattern {
  static constexpr std::string_view name = "repeat_pattern";
  static constexpr const Op& op = repeat_pattern_op;
  static constexpr std::tuple fields{
      operand("x", "what is split, permuted, repeated and merged"),
      parameter("pattern", "its axes, and what becomes of them"),
      parameter("names", "of the axes whose sizes are given, separated by spaces", ""),
      parameter("sizes", "of those axes", Default({}))};

  static KnownType infer(const KnownType& x, const std::string& pattern, const std::string& names,
                         const Ints& sizes) {
    return infer_pattern("repeat", x, pattern, names, sizes, OneSided::right);
  }
  static Tensor make(const TensorType&, const Tensor& x, const std::string& pattern,
                     const std::string& names, const Ints& sizes) {
    return follow_pattern("repeat", x, pattern, names, sizes, OneSided::right);
  }
};

}  // namespace

constinit const Op repeat_pattern_op = op_of<RepeatPattern>();

Tensor repeat_pattern(const Tensor& x, const std::string& pattern, const AxisSizes& sizes) {
  return build<RepeatPattern>(x, pattern, sizes.names(), sizes.sizes());
}

Tensor Tensor::repeat_pattern(const std::string& pattern) const {
  return weft::repeat_pattern(*this, pattern);
}
Tensor Tensor::repeat_pattern(const std::string& pattern, const AxisSizes& sizes) const {
  return weft::repeat_pattern(*this, pattern, sizes);
}

}  // namespace weft
