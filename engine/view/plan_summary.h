// SPDX-License-Identifier: Apache-2.0
// What explain tells, as fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <weft/graph/value/tensor_type.h>

namespace weft {

struct PassSummary {
  std::string op;   ///< whose value it makes, or "result"
  TensorType type;  ///< of what it makes
  std::size_t boxes = 0, pieces = 0;
  std::int64_t read = 0, written = 0;  ///< bytes, by its kernels
  bool is_temporary = false;           ///< whether it is memory of the evaluation
  std::string text{};                  ///< what explain says of it, line by line
  std::vector<std::size_t> sources{};  ///< it reads, each once
};

struct SourceSummary {
  TensorType type;
  std::optional<std::size_t> pass;  ///< that makes it, or none: it is stored
};

/// Of one plan; without passes where nothing moves.
struct PlanSummary {
  std::vector<PassSummary> passes{};
  std::vector<SourceSummary> sources{};
  std::int64_t read = 0, written = 0, temporary_bytes = 0;
  std::vector<std::string> refusals{};  ///< fusions that were not done, and why
};

}  // namespace weft
