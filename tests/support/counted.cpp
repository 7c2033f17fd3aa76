// SPDX-License-Identifier: Apache-2.0
// Comparing what is said before a run with what kernels count in it.
#include "support/counted.h"

#include <fmt/format.h>
#include <vector>

#include <weft/engine/kernels/counters.h>
#include <weft/engine/run/executable.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/make_executable.h>
#include <weft/engine/run/resolve_indices.h>
#include <weft/engine/run/traffic.h>
#include <weft/engine/view/explain.h>

namespace weft::testing {
namespace {

std::string text_of(const std::vector<KernelCount>& counts) {
  std::string text;
  for (const auto& [name, calls, traffic] : counts)
    text += fmt::format(" {}: {} calls, {} read, {} written;", name, calls, traffic.read,
                        traffic.written);
  return text;
}

}  // namespace

std::string disagreement_of_counts(const Tensor& tensor) {
  if (!counts_kernels() || tensor.is_stored() || tensor.size() == 0) return {};
  EvalOptions options;
  const Indices indices = resolve_indices(tensor.node_ptr(), options);
  Executable executable =
      make_executable(Expression(tensor.node_ptr()), limits_of(options), indices, {}, false, 1);
  executable.make_ready({OutputTarget::no_base});
  const std::vector<KernelCount> said = kernel_counts_of(executable);
  const Traffic all = traffic_of(executable);
  const std::string text = explain(tensor);
  reset_kernel_counts();
  run(executable, OutputTarget(), {});
  const std::vector<KernelCount> counted = kernel_counts();
  if (said != counted) return fmt::format("said:{} counted:{}", text_of(said), text_of(counted));
  for (const KernelCount& kernel : counted)
    if (!executable.plan.is_alias() && text.find(std::string(kernel.name)) == std::string::npos &&
        text.find(" more\n") == std::string::npos)
      return fmt::format("explain does not name {}: {}", kernel.name, text);
  // Small numbers are told to the byte.
  const std::string bytes = fmt::format("{} B read, {} B written", all.read, all.written);
  if (!executable.plan.is_alias() && all.read < 10240 && all.written < 10240 &&
      text.find(bytes) == std::string::npos)
    return fmt::format("explain does not say \"{}\": {}", bytes, text);
  return {};
}

}  // namespace weft::testing
