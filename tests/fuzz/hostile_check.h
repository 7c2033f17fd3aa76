// SPDX-License-Identifier: Apache-2.0
// What a hostile program must not do.
#pragma once

#include <cstdint>
#include <string>

#include "fuzz/hostile_program.h"

namespace weft::testing {

/// What became of the programs that were tried.
struct HostileCounts {
  std::uint64_t ran = 0;          ///< a run gave values, all of them right
  std::uint64_t refused = 0;      ///< no call was left, each was refused while it was recorded
  std::uint64_t failed = 0;       ///< a run threw what a call alone throws, too
  std::uint64_t ill_fitting = 0;  ///< the inputs were refused, rightly
  std::uint64_t too_large = 0;    ///< a value was too large to be compared; run under a limit
  std::uint64_t loaded = 0;       ///< damaged JSON that was read all the same
};

/// Empty, or what is wrong. The program is recorded, run, run op by op, and run again with other
/// inputs: shapes must be as they were inferred, bytes equal, errors those of the calls alone, by
/// category, and named after them. Its JSON is damaged, read and run.
std::string flaw_of(const HostileProgram& program, std::uint64_t seed, HostileCounts& counts);

}  // namespace weft::testing
