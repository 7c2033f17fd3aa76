// SPDX-License-Identifier: Apache-2.0
// What kernels read and write, in bytes.
#pragma once

#include <cstdint>

#include <weft/engine/run/executable.h>

namespace weft {

struct Traffic {
  std::int64_t read = 0, written = 0;
  Traffic& operator+=(const Traffic& more) {
    read += more.read;
    written += more.written;
    return *this;
  }
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Of one run of a step.
Traffic traffic_of(const Step& step, std::int64_t element);
/// Of one run of the steps of a pass.
Traffic traffic_of(const PassSteps& steps);
/// Of one run of all passes of an executable that is ready; a computation counts as one that reads
/// its operands once.
Traffic traffic_of(const Executable& executable);

}  // namespace weft
