// SPDX-License-Identifier: Apache-2.0
// Pipelines of ops as text: "roll([3], [0]) | transpose([1, 0])".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <weft/graph/tensor.h>
#include <weft/graph/value/error.h>

namespace weft {

/// bad_format: a pipeline that is not written as docs/pipelines.md says.
class PipelineError : public FormatError {
 public:
  PipelineError(const std::string& message, std::size_t at) : FormatError(message), at_(at) {}
  /// The byte of the text that it is about.
  std::size_t at() const noexcept { return at_; }

 private:
  std::size_t at_;
};

/// What names stand for: tensors, and integers for parameters as tensors of them.
using PipelineInputs = std::map<std::string, Tensor, std::less<>>;

/// The tensor that a pipeline makes of its inputs: each step is a call of an op of the table, whose
/// arguments are named and ordered as those of the free function, and the first operand is what the
/// step before has made, or "_" of the inputs. `_` says where it goes instead. Nothing is
/// evaluated but what ops read beforehand.
///
/// Throws PipelineError for what is not written so, and what the ops throw; `at`, where it is
/// given, is then the byte of the text at which the call begins. Cost: that of the calls.
[[nodiscard]] Tensor parse_pipeline(std::string_view text, const PipelineInputs& inputs,
                                    std::size_t* at = nullptr);

}  // namespace weft
