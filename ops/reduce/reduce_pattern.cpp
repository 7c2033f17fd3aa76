// SPDX-License-Identifier: Apache-2.0
// reduce by a pattern: its left side may have axes that its right side lacks.
#include <weft/ops/reduce/reduce_pattern.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/create/full.h>
#include <weft/ops/reduce/extremes.h>
#include <weft/ops/reduce/moments.h>
#include <weft/ops/reduce/sums.h>
#include <weft/ops/reduce/truths.h>

namespace weft {
namespace {

struct NamedReduction {
  std::string_view name;
  ReduceFunction function;
};
constexpr std::array<NamedReduction, 7> reductions{{{"sum", sum},
                                                    {"prod", prod},
                                                    {"min", min},
                                                    {"max", max},
                                                    {"mean", mean},
                                                    {"any", any},
                                                    {"all", all}}};

[[noreturn]] void refuse(const std::string& what) {
  std::string names;
  for (const NamedReduction& each : reductions)
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", each.name);
  throw ParameterError("bad_reduction", fmt::format("reduce: {}, expected one of {}", what, names));
}

ReduceFunction function_of(const std::string& name) {
  for (const NamedReduction& each : reductions)
    if (each.name == name) return each.function;
  refuse(fmt::format("reduction \"{}\"", pattern::shown(name)));
}

struct ReducePattern {
  static constexpr std::string_view name = "reduce_pattern";
  static constexpr const Op& op = reduce_pattern_op;
  static constexpr std::tuple fields{
      operand("x", "what is split, reduced, permuted and merged"),
      parameter("pattern", "its axes, and what becomes of them"),
      parameter("reduction", "of those that are gone: \"sum\", \"max\", ..."),
      parameter("names", "of the axes whose sizes are given, separated by spaces", ""),
      parameter("sizes", "of those axes", Default({}))};

  static KnownType infer(const KnownType& x, const std::string& pattern,
                         const std::string& reduction, const std::string& names,
                         const Ints& sizes) {
    const ReduceFunction reduce = function_of(reduction);
    KnownType made = infer_pattern("reduce", x, pattern, names, sizes, OneSided::left);
    made.dtype = reduce(full(Shape{1}, Scalar(0), x.dtype), none, false).dtype();
    return made;
  }
  static Tensor make(const TensorType&, const Tensor& x, const std::string& pattern,
                     const std::string& reduction, const std::string& names, const Ints& sizes) {
    const ReduceFunction reduce = function_of(reduction);
    return follow_pattern(
        "reduce", x, pattern, names, sizes, OneSided::left,
        [&](const Tensor& split, const Index& axes) { return reduce(split, axes, false); });
  }
};

}  // namespace

constinit const Op reduce_pattern_op = op_of<ReducePattern>();

Tensor reduce_pattern(const Tensor& x, const std::string& pattern, const std::string& reduction,
                      const AxisSizes& sizes) {
  return build<ReducePattern>(x, pattern, reduction, sizes.names(), sizes.sizes());
}
Tensor reduce(const Tensor& x, const std::string& pattern, const std::string& reduction,
              const AxisSizes& sizes) {
  return reduce_pattern(x, pattern, reduction, sizes);
}
Tensor reduce(const Tensor& x, const std::string& pattern, ReduceFunction reduction,
              const AxisSizes& sizes) {
  for (const NamedReduction& each : reductions)
    if (each.function == reduction)
      return reduce_pattern(x, pattern, std::string(each.name), sizes);
  refuse("another function");
}

Tensor ReduceMethods::reduce(const std::string& pattern, const std::string& reduction) const {
  return weft::reduce(tensor(), pattern, reduction);
}
Tensor ReduceMethods::reduce(const std::string& pattern, const std::string& reduction,
                             const AxisSizes& sizes) const {
  return weft::reduce(tensor(), pattern, reduction, sizes);
}
Tensor ReduceMethods::reduce(const std::string& pattern, ReduceFunction reduction) const {
  return weft::reduce(tensor(), pattern, reduction);
}
Tensor ReduceMethods::reduce(const std::string& pattern, ReduceFunction reduction,
                             const AxisSizes& sizes) const {
  return weft::reduce(tensor(), pattern, reduction, sizes);
}

}  // namespace weft
