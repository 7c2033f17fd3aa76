// SPDX-License-Identifier: Apache-2.0
// Asking the processor once: that takes microseconds on virtual machines.
#include <weft/engine/kernels/instruction_set.h>

#include <algorithm>
#include <atomic>

namespace weft {
namespace {

InstructionSet best() noexcept {
  return *std::find_if(instruction_sets.begin(), instruction_sets.end(), has);
}

// None yet.
constexpr std::uint8_t unknown = instruction_sets.size();
std::atomic<std::uint8_t> in_use = unknown;

}  // namespace

std::string_view to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512_vbmi:
      return "AVX3_VBMI";
    case InstructionSet::avx512:
      return "AVX3";
    case InstructionSet::avx2:
      return "AVX2";
    case InstructionSet::baseline:
      break;
  }
  return "baseline";
}

bool has(InstructionSet set) noexcept {
#if defined(__x86_64__) || defined(__i386__)
  // With what Highway's targets of these names take for granted; the operating system's part, too.
  __builtin_cpu_init();
  if (set == InstructionSet::avx512_vbmi)
    return has(InstructionSet::avx512) && __builtin_cpu_supports("avx512vbmi");
  if (set == InstructionSet::avx512)
    return has(InstructionSet::avx2) && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (set == InstructionSet::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("f16c");
#endif
  return set == InstructionSet::baseline;
}

InstructionSet instruction_set() noexcept {
  std::uint8_t set = in_use.load(std::memory_order_relaxed);
  if (set == unknown) in_use.store(set = static_cast<std::uint8_t>(best()));
  return static_cast<InstructionSet>(set);
}

bool permutes_lines() noexcept {
#if defined(__x86_64__)
  return instruction_set() <= InstructionSet::avx512;
#else
  return false;
#endif
}

bool permutes_bytes() noexcept {
  return permutes_lines() && instruction_set() == InstructionSet::avx512_vbmi;
}

void use(std::optional<InstructionSet> set) noexcept {
  in_use.store(static_cast<std::uint8_t>(set.value_or(best())));
}

}  // namespace weft
