// SPDX-License-Identifier: Apache-2.0
// What tells machines apart that constants cannot suit both.
#pragma once

#include <cstdint>

namespace weft {

/// How memory behaves. Values never depend on it, only how they are stored and in what parts.
struct Machine {
  double copied = 0, streamed = 0;  ///< bytes a nanosecond of a copy of 4 MiB; 0: not measured
  /// Outputs stay in the caches where they and what they are made of take less than that.
  std::int64_t kept_bytes = unmeasured_bytes;

  /// Reads and what is streamed are in each other's way, so that they are to take turns: a copy
  /// past the caches takes clearly longer than one within them.
  bool in_turns() const { return clearly_slower * streamed < copied; }

  static constexpr double clearly_slower = 1.25;
  static constexpr std::int64_t unmeasured_bytes = 8 * 1024 * 1024;
};

/// This machine's, measured by the first call that asks for so much: it takes 8 MiB for some
/// four milliseconds, once a process, and waits for its threads, 2 ms at most. (It is remembered:
/// the one exception, beside freed blocks, to that nothing is global.) Where there is no memory for
/// it, and for calls that may not measure, what suits where a copy of 4 MiB is faster past the
/// caches.
const Machine& machine(bool may_measure);

}  // namespace weft
