// SPDX-License-Identifier: Apache-2.0
// Options as limits.
#include <weft/engine/run/limits.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/engine/memory/buffer.h>
#include <weft/graph/value/error.h>

namespace weft {

void check_options(const EvalOptions& options) {
  if (options.threads < 0 || options.memory_limit < 0)
    throw ParameterError("bad_option",
                         fmt::format("eval: {} threads and {} bytes, expected 0 or more",
                                     options.threads, options.memory_limit));
}

void refuse_in_place(std::string_view what, const EvalOptions& options) {
  if (options.in_place)
    throw ParameterError("bad_option",
                         fmt::format("{}: in_place is set, which it cannot do", what));
}

std::int64_t stored_limit(const EvalOptions& options) {
  return options.memory_limit > 0 ? options.memory_limit : physical_memory();
}

PlanLimits limits_of(const EvalOptions& options) {
  PlanLimits limits;
  limits.stored_bytes = stored_limit(options);
  limits.planning_bytes = std::max(limits.stored_bytes, planning_allowance);
  limits.may_compute = !options.in_place;  // computations write all, boxes what differs from a base
  limits.may_measure = options.may_measure;
  return limits;
}

}  // namespace weft
