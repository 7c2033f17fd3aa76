// SPDX-License-Identifier: Apache-2.0
// What each of the command's words does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/cli/command_errors.h>

namespace weft {

/// What the options of all subcommands say.
struct Given {
  std::string pipeline, input, output, format, dtype, shape;
  std::vector<std::string> named, files;
  int threads = 0;
  std::uint64_t memory_bytes = 0;
  bool bfloat16 = false, deflate = false;
  int quality = 90, rounds = 15;
  std::string op, shell, trace, color = "auto";
  bool is_json = false;
  std::size_t at = nowhere;  ///< of the pipeline, where it is wrong
};

/// Each throws what the user can mend.
void command_run(Given& given);
void command_explain(Given& given);
void command_draw(Given& given);
void command_bench(Given& given);
void command_info(Given& given);
void command_ops(Given& given);
void command_convert(Given& given);

}  // namespace weft
