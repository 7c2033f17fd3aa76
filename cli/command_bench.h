// SPDX-License-Identifier: Apache-2.0
// What a pipeline takes: fused, step by step, and a copy of as many bytes.
#pragma once

#include <string>

#include <weft/cli/parse_pipeline.h>
#include <weft/engine/run/options.h>

namespace weft {

/// A table, or JSON, of medians and middle halves of so many rounds in turn, results in memory that
/// is used again and plans kept; before that one of each, whose time is told too. Throws what
/// parse_pipeline() and an evaluation do; `at` as there.
std::string bench_text(const std::string& pipeline, const PipelineInputs& inputs, int rounds,
                       const EvalOptions& options, bool is_json, std::size_t* at);

}  // namespace weft
