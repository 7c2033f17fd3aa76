// SPDX-License-Identifier: Apache-2.0
// The instruction set that kernels run with: the best one that they are compiled for and the
// machine has. Highway would choose by a library that takes milliseconds to load.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weft {

/// Those that kernels are compiled for, the best first. The last is what the compiler was told that
/// every machine has.
enum class InstructionSet : std::uint8_t { avx512_vbmi, avx512, avx2, baseline };
inline constexpr std::array instruction_sets{InstructionSet::avx512_vbmi, InstructionSet::avx512,
                                             InstructionSet::avx2, InstructionSet::baseline};

std::string_view to_string(InstructionSet set);

/// Whether the machine has it.
bool has(InstructionSet set) noexcept;

/// The one in use: the best that the machine has, unless use() said otherwise. Cost: one load, but
/// for the first call.
InstructionSet instruction_set() noexcept;

/// Whether kernels may put the bytes of a line in any order by a few instructions: AVX-512 is in
/// use.
bool permutes_lines() noexcept;
/// Whether by one.
bool permutes_bytes() noexcept;

/// For tests and benchmarks: all kernels run with that one from now on, which the machine has; none
/// is the best again.
void use(std::optional<InstructionSet> set) noexcept;

/// The function for this machine, of those that WEFT_BY_SET (targets.h) lists.
template <class Function>
Function on_this_machine(const Function (&by_set)[instruction_sets.size()]) noexcept {
  auto k = static_cast<std::size_t>(instruction_set());
  while (!by_set[k]) ++k;  // what the last of them can do may be all that there is
  return by_set[k];
}

}  // namespace weft
