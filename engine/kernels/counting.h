// SPDX-License-Identifier: Apache-2.0
// How kernels count what they move; nothing where invariants are not checked. For files of
// engine/kernels alone: others need not be compiled with the same.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

#ifdef WEFT_CHECK_INVARIANTS

/// One run of a kernel, which counts what its loops move meanwhile, on its thread.
class CountedRun {
 public:
  explicit CountedRun(std::string_view name);
  ~CountedRun();
  CountedRun(const CountedRun&) = delete;
  CountedRun& operator=(const CountedRun&) = delete;

 private:
  std::string_view name_;
};

void count_moved(std::int64_t read, std::int64_t written);

#else

struct CountedRun {
  explicit CountedRun(std::string_view) {}
};

inline void count_moved(std::int64_t, std::int64_t) {}

#endif

}  // namespace weft
