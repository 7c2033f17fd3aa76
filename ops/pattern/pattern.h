// SPDX-License-Identifier: Apache-2.0
// Patterns of axes as in einops, "b (h p) c -> (b p) h c": shared by the ops that take one.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <weft/graph/define.h>
#include <weft/ops/pattern/pattern_text.h>

namespace weft {

/// Sizes of axes that a pattern names: {{"p", 4}, {"q", 4}}.
class AxisSizes {
 public:
  AxisSizes() = default;
  AxisSizes(std::initializer_list<std::pair<std::string, AnyInteger>> sizes);
  /// Names separated by spaces, and as many sizes, which may be a tensor.
  AxisSizes(std::string names, Ints sizes) : names_(std::move(names)), sizes_(std::move(sizes)) {}

  const std::string& names() const noexcept { return names_; }
  const Ints& sizes() const noexcept { return sizes_; }

 private:
  std::string names_;
  Ints sizes_;
};

/// Reduces those axes, which go.
using ReduceAxes = std::function<Tensor(const Tensor& x, const Index& axes)>;

/// What `pattern` makes of `x`, as reshape, transpose, expand_dims, broadcast_to and reshape, of
/// which those that do nothing are left out. All is told in the name of `op`, with a caret under
/// the place in the pattern: ParameterError (bad_pattern, bad_rank, length_mismatch), DtypeError,
/// OverflowError, ShapeError. `reduce` takes the axes that the left side has alone.
[[nodiscard]] Tensor follow_pattern(std::string_view op, const Tensor& x,
                                    const std::string& pattern, const std::string& names,
                                    const Ints& sizes, OneSided one_sided,
                                    const ReduceAxes& reduce = {});

/// What is known of the result where x or the sizes are open. Throws what is certain.
KnownType infer_pattern(std::string_view op, const KnownType& x, const std::string& pattern,
                        const std::string& names, const Ints& sizes, OneSided one_sided);

}  // namespace weft
