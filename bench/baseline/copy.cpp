// SPDX-License-Identifier: Apache-2.0
// The baseline for measurements made from other languages: the same copy that weft_bench times.
#include "measure.h"

extern "C" {

void* weft_copy_new(std::int64_t bytes) { return new weft::bench::CopyBaseline(bytes); }

void weft_copy_run(void* copy) { static_cast<weft::bench::CopyBaseline*>(copy)->run(); }

void weft_copy_delete(void* copy) { delete static_cast<weft::bench::CopyBaseline*>(copy); }
}
