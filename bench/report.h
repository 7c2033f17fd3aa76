// SPDX-License-Identifier: Apache-2.0
// What was measured, as a table for people and as JSON for scripts.
#pragma once

#include "also.h"
#include "run.h"

namespace weft::bench {

void print_table(const std::vector<Result>& results);
void print_also(const std::vector<Figure>& also);
/// False where the file cannot be written. `isa`: what the kernels were limited to, if anything.
bool write_json(const std::string& path, const std::vector<Result>& results,
                const std::vector<Figure>& also, const std::string& isa);

}  // namespace weft::bench
