// SPDX-License-Identifier: Apache-2.0
// The text of a pipeline, taken apart: calls and their arguments, each with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace weft {

struct PipelineCall;

/// A word that stands by itself: an input, `_`, a type, `none`, `true`, `false`.
struct PipelineWord {
  std::string text;
};

struct PipelineValue {
  std::size_t at = 0;  ///< byte of the text
  std::variant<std::int64_t, double, std::vector<std::int64_t>, std::string, PipelineWord,
               std::vector<PipelineCall>, std::vector<PipelineValue>>
      value;  ///< of the last ones, a call, alone; and a list of tensors
};

struct PipelineArgument {
  std::size_t at = 0;
  std::string name;  ///< empty where it is not given
  PipelineValue value;
};

struct PipelineCall {
  std::size_t at = 0;
  std::string name;
  std::vector<PipelineArgument> arguments;
};

/// The steps of a pipeline: one at least. Throws PipelineError. Memory and stack are bounded by the
/// text's length and by 64 levels of brackets.
std::vector<PipelineCall> parse_pipeline_text(std::string_view text);

}  // namespace weft
