// SPDX-License-Identifier: Apache-2.0
// Cutting a result into parts that read and write long runs.
#include <weft/engine/view/parts.h>

#include <algorithm>
#include <cstdlib>

#include <weft/engine/run/limits.h>
#include <weft/engine/run/part_options.h>
#include <weft/engine/run/resolve_indices.h>
#include <weft/engine/view/region.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

/// From here on longer runs gain nothing.
constexpr std::int64_t long_run_bytes = 1 << 20;
/// Parts below this are not tried where memory is short.
constexpr std::int64_t least_bytes = 1 << 16;

using Axes = SmallVector<std::size_t, 8>;

/// For each axis of the result the least stride that it has in `source`, in elements; 0 where it
/// has none.
void meet_strides(Shape& strides, const Shape& shape, std::int64_t out_stride,
                  std::int64_t src_stride) {
  const Shape weights = row_major_strides(shape);
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] > 1 && out_stride >= weights[axis] &&
        out_stride < weights[axis] * shape[axis] && src_stride != 0 &&
        (strides[axis] == 0 || std::abs(src_stride) < strides[axis]))
      strides[axis] = std::abs(src_stride);
}

/// A plan that is looked at, and not carried out.
Plan plan_of(const Tensor& tensor, const EvalOptions& options) {
  EvalOptions left = silent(options);
  const Indices indices = resolve_indices(tensor.node_ptr(), left);
  PlanLimits limits = limits_of(left);
  limits.stored_bytes = max_bytes;
  return make_plan(Expression(tensor.node_ptr()), limits, indices);
}

/// The strides of the largest box of the pass that makes the result, in what it reads.
Shape source_strides(const Tensor& tensor, const EvalOptions& options) {
  Shape strides(tensor.rank(), 0);
  const Plan plan = plan_of(tensor, options);
  const Pass& pass = plan.passes[plan.outputs[0].pass];
  std::int64_t largest = 0;
  for (const Copy& copy : pass.copies) {
    if (copy.count() <= largest) continue;
    largest = copy.count();
    strides = Shape(tensor.rank(), 0);
    for (const Loop& loop : copy.loops)
      if (loop.is_plain()) meet_strides(strides, tensor.shape(), loop.out_stride, loop.src_stride);
  }
  return strides;
}

/// The bytes that follow one another in a part, along axes in that order.
std::int64_t run_bytes(const Shape& part, const Shape& shape, const Axes& axes,
                       std::int64_t bytes) {
  for (const std::size_t axis : axes) {
    bytes *= part[axis];
    if (part[axis] != shape[axis]) break;
  }
  return bytes;
}

/// Doubles the first extent along those axes that is not whole. Returns whether there was one.
bool grow(Shape& part, const Shape& shape, const Axes& axes, std::int64_t most_elements) {
  for (const std::size_t axis : axes) {
    if (part[axis] == shape[axis]) continue;
    const std::int64_t others = element_count(part) / part[axis];
    const std::int64_t most = std::min(shape[axis], most_elements / others);
    if (most <= part[axis]) return false;
    part[axis] = std::min(most, 2 * part[axis]);
    return true;
  }
  return false;
}

}  // namespace

Shape shape_of_parts(const Tensor& tensor, const PartsOrder& order, std::int64_t bytes,
                     const EvalOptions& options) {
  const Shape& shape = tensor.shape();
  const std::int64_t element = tensor.dtype().size();
  Axes along_result, along_source;
  for (std::size_t axis = shape.size(); axis-- > 0;) along_result.push_back(axis);
  along_source = along_result;
  if (!order.in_order) {
    const Shape strides = source_strides(tensor, options);
    std::stable_sort(along_source.begin(), along_source.end(), [&](std::size_t a, std::size_t b) {
      return (strides[a] ? strides[a] : INT64_MAX) < (strides[b] ? strides[b] : INT64_MAX);
    });
  }
  const std::int64_t most_elements = bytes / element;
  Shape part(shape.size(), 1);
  for (;;) {
    const std::int64_t of_result = run_bytes(part, shape, along_result, element);
    const std::int64_t of_source = run_bytes(part, shape, along_source, element);
    const bool by_source =
        std::min(of_source, long_run_bytes) < std::min(of_result, long_run_bytes);
    if (!grow(part, shape, by_source ? along_source : along_result, most_elements) &&
        !grow(part, shape, by_source ? along_result : along_source, most_elements))
      return part;
  }
}

bool stores_on_the_way(const Tensor& tensor, const EvalOptions& options) {
  return plan_of(tensor, options).passes.size() > 1;
}

void eval_in_parts(const Tensor& tensor, const PartsOrder& order, const EvalOptions& options,
                   const std::function<void(const Shape& start, const Tensor& part)>& take) {
  tensor.held("eval_in_parts");
  check_options(options);
  const Shape shape = tensor.shape();
  const Shape origin(shape.size(), 0);
  if (tensor.is_stored()) {
    take(origin, tensor);
    return tell_done(options);
  }
  // Half of what may be taken, for what is stored on the way and what tasks put aside.
  const std::int64_t limit = stored_limit(options);
  std::int64_t bytes = tensor.bytes() <= limit ? tensor.bytes() : limit / 2;
  Index start = origin;
  Shape part;
  Tensor elements;
  // What is told of a part is told as what the whole has, and never less than before.
  double done = 0, told = 0;
  const std::function<void(double)> tell = [&](double now) {
    if (now > told) (*options.progress)(told = now);
  };
  EvalOptions forward = options;
  if (options.progress) forward.progress = &tell;
  const auto evaluated = [&](const Index& from, const Shape& extents) {
    const double to = done + static_cast<double>(element_count(extents)) /
                                 static_cast<double>(std::max<std::int64_t>(tensor.size(), 1));
    const PartOptions of_part(forward, done, std::min(to, 1.0));
    Tensor made = eval_region(tensor, from, extents, of_part.options());
    done = std::min(to, 1.0);
    return made;
  };
  for (;; bytes /= 2) {
    part = bytes >= tensor.bytes() ? shape : shape_of_parts(tensor, order, bytes, options);
    try {
      elements = evaluated(origin, part);
      break;
    } catch (const MemoryError&) {
      if (bytes <= least_bytes || shape.size() == 0) throw;
    }
  }
  for (;;) {
    take(start, elements);
    elements = Tensor();  // its memory is the next one's
    std::size_t axis = shape.size();
    for (; axis > 0; --axis) {
      start[axis - 1] += part[axis - 1];
      if (start[axis - 1] < shape[axis - 1]) break;
      start[axis - 1] = 0;
    }
    if (axis == 0) return tell_done(options);
    Shape extents = part;
    for (std::size_t k = 0; k < shape.size(); ++k)
      extents[k] = std::min(part[k], shape[k] - start[k]);
    elements = evaluated(start, extents);
  }
}

}  // namespace weft
