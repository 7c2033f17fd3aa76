// SPDX-License-Identifier: Apache-2.0
// What the command tells: of files, and of ops.
#pragma once

#include <string>
#include <vector>

#include <weft/cli/command_inputs.h>
#include <weft/engine/program/program.h>

namespace weft {

/// A line for each tensor of a file, or for the member that was named: name, type, shape, and of
/// numbers the least, the largest, the mean and how many are NaN. Throws what file_info() and
/// load() do.
std::string file_text(const std::string& name, const NamedFile& file, const EvalOptions& eval);

/// A line for each op of the table.
std::string all_ops_text();
/// What an op takes. Throws ParameterError where there is none of that name.
std::string op_text(const std::string& name);

/// The names of a program's inputs, in their order.
std::vector<std::string> input_names(const Program& program);

/// What explain tells, as JSON: an array of plans.
std::string plans_json(const std::vector<PlanSummary>& plans);

}  // namespace weft
