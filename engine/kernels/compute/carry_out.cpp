// SPDX-License-Identifier: Apache-2.0
// Finding kernels that compute, and starting them.
#include <algorithm>
#include <string>

#include <weft/engine/kernels/compute.h>
#include <weft/engine/kernels/counting.h>
#include <weft/graph/value/error.h>

namespace weft {

const ComputeDefinition& compute_kernel(std::string_view name) {
  const auto table = compute_table();
  const auto at = std::find_if(table.begin(), table.end(),
                               [&](const ComputeDefinition* each) { return each->name == name; });
  if (at == table.end()) throw InternalError("no kernel computes " + std::string(name));
  return **at;
}

namespace {

bool is_packed(const ComputeForm& form, const ComputeBlock& block) {
  if (block.out_pitch != block.columns * form.element) return false;
  for (std::size_t k = 0; k < form.operands; ++k) {
    const std::int64_t row = form.is_still[k] ? 0 : block.columns * form.bytes[k];
    if (block.pitch[k] != row) return false;
  }
  return true;
}

}  // namespace

void carry_out(const ComputeDefinition& kernel, const ComputeForm& form,
               ComputeBlock block) noexcept {
  const bool has_still =
      std::find(form.is_still.begin(), form.is_still.end(), true) != form.is_still.end();
  if (block.rows > 1 && !has_still && is_packed(form, block)) {
    block.columns *= block.rows;
    block.rows = 1;
  }
  const CountedRun counted(kernel.name);
  kernel.run(form, block);
}

Traffic traffic_of(const ComputeForm& form, std::int64_t rows, std::int64_t columns) {
  Traffic traffic{0, rows * columns * form.element};
  for (std::size_t k = 0; k < form.operands; ++k)
    traffic.read += rows * (form.is_still[k] ? 1 : columns) * form.bytes[k];
  return traffic;
}

}  // namespace weft
