// SPDX-License-Identifier: Apache-2.0
// Programs as JSON text: saved by one process, loaded by another.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <weft/engine/program/program.h>

namespace weft {

/// The program in the form that docs/program-json.md tells, a call a line; nothing of its plans.
/// Throws FormatError where the name of an input or extent is no UTF-8 or has more than 256 bytes,
/// for the form has no place for it. Cost: linear; two characters a byte of the constants.
[[nodiscard]] std::string to_json(const Program& program);

/// The program that `text` tells: `program_from_json(to_json(p)) == p`. The text may come from
/// anywhere: its calls are made and checked as those of a program under construction, and memory is
/// taken for what is there, not for what it claims. Throws FormatError, which says where: a JSON
/// pointer ("/calls/3/operands/0"), or the line and byte of what is no JSON; and MemoryError. Cost:
/// linear. `own_ops` are known beside weft's, and may not have their
/// names: ParameterError.
[[nodiscard]] Program program_from_json(std::string_view text,
                                        std::span<const Op* const> own_ops = {});

/// The same to and from a file. Throw FileError too, where it cannot be written or read, with the
/// system's words for why.
void save_program(const Program& program, const std::string& path);
[[nodiscard]] Program load_program(const std::string& path,
                                   std::span<const Op* const> own_ops = {});

}  // namespace weft
