// SPDX-License-Identifier: Apache-2.0
// Finding kernels that compute, and starting them.
#include <algorithm>
#include <string>
#include <utility>

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
    if (form.is_still[k] || block.pitch[k] != block.columns * form.bytes[k]) return false;
  }
  return true;
}

}  // namespace

void carry_out(const ComputeDefinition& kernel, const ComputeForm& form,
               const ComputeBlock& block) noexcept {
  const CountedRun counted(kernel.name);
  if (block.rows == 1 || !is_packed(form, block)) return kernel.run(form, block);
  ComputeBlock row = block;
  row.columns *= std::exchange(row.rows, 1);
  kernel.run(form, row);
}

Traffic traffic_of(const ComputeForm& form, std::int64_t rows, std::int64_t columns) {
  Traffic traffic{0, rows * columns * form.element};
  for (std::size_t k = 0; k < form.operands; ++k)
    traffic.read += rows * (form.is_still[k] ? 1 : columns) * form.bytes[k];
  return traffic;
}

}  // namespace weft
