// SPDX-License-Identifier: Apache-2.0
// Programs and their pieces in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <weft/engine/run/blocks.h>
#include <weft/graph/plan/plan.h>

namespace weft {

std::string bytes_text(std::int64_t bytes);
const char* plural(std::size_t count, const char* one, const char* many);
std::string source_text(const Plan& plan, std::size_t s);
/// Adds a name to those that a '+' parts, but once.
void add_name(std::string_view name, std::string& names);

/// What the sources of a pass are called.
using SourceNames = std::function<std::string(std::size_t)>;

/// What makes piece i of a pass: "program 4.0 KiB from %0 source 2 by transpose; out 0 src 0".
std::string piece_text(const SourceNames& names, const Pass& planned, const BlockSteps& steps,
                       std::size_t i);

/// What is read, and the steps in their order: "%2 = multiply f32 %0 0.5".
std::string program_text(const Plan& plan, const PassProgram& program, const BlockSteps& steps);

}  // namespace weft
