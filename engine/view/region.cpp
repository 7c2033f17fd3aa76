// SPDX-License-Identifier: Apache-2.0
// Regions: a slice, evaluated.
#include <weft/engine/view/region.h>

#include <fmt/format.h>

#include <weft/graph/value/error.h>

namespace weft {

Tensor eval_region(const Tensor& tensor, const Ints& start, const Ints& shape,
                   const EvalOptions& options) {
  tensor.held("eval_region");
  const Shape& whole = tensor.shape();
  for (const auto& [name, list] : {std::pair("start", &start), std::pair("shape", &shape)}) {
    check_known("eval_region", name, *list);
    check_integer("eval_region", name, *list);
    check_list("eval_region", name, *list);
    if (list->size() != whole.size())
      throw ParameterError("length_mismatch",
                           fmt::format("eval_region: {} has {} entries, expected {}, one for each "
                                       "axis of shape {}",
                                       name, list->size(), whole.size(), to_string(whole)));
  }
  std::vector<std::int64_t> from, to;
  for (std::size_t axis = 0; axis < whole.size(); ++axis) {
    const std::int64_t first = start[axis], extent = shape[axis];
    if (first < 0 || extent < 0 || first > whole[axis] || extent > whole[axis] - first)
      throw ShapeError(
          fmt::format("eval_region: a window of {} from {} on axis {} is not inside shape {}",
                      shape.text(axis), start.text(axis), axis, to_string(whole)));
    from.push_back(first);
    to.push_back(first + extent);
  }
  return (whole.size() == 0 ? tensor.reshape({}) : tensor.slice(from, to)).eval(options);
}

}  // namespace weft
