// SPDX-License-Identifier: Apache-2.0
// The contract of kernels that compute: each makes elements of one element of each operand, block
// by block.
//
// A kernel is one file that defines a ComputeDefinition: the build finds the line
// `extern const ComputeDefinition NAME_compute;` and puts it into the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <weft/engine/kernels/kernel.h>

namespace weft {

inline constexpr std::size_t most_operands = 3;

/// What all blocks of a piece have in common.
struct ComputeForm {
  std::int64_t element = 1;  ///< bytes of an element of the result
  std::size_t operands = 0;
  std::array<std::int64_t, most_operands> bytes{};  ///< of an element of each operand
  std::array<bool, most_operands> is_still{};       ///< one element a row
  /// Rows lie apart where the caches may lack them: the next ones are better asked for early.
  std::array<bool, most_operands> is_far{};
  bool streams = false;  ///< past the caches where it can; the task then ends by finish_streams()
};

/// Rows of elements that lie side by side in the output and in each operand that is not still.
struct ComputeBlock {
  std::int64_t rows, columns;
  std::byte* out;
  std::int64_t out_pitch;  ///< from row to row, in bytes
  std::array<const std::byte*, most_operands> at;
  std::array<std::int64_t, most_operands> pitch;
};

struct ComputeDefinition {
  std::string_view name;  ///< of the instruction that it carries out
  /// Nothing is allocated. No operand overlaps the output, unless it is that whole.
  void (*run)(const ComputeForm& form, const ComputeBlock& block) noexcept;
  /// Whether an operand as wide as the output may be it.
  bool may_write_over = false;
};

/// Every one, listed by the build.
std::span<const ComputeDefinition* const> compute_table();
/// The one of that name; InternalError where there is none.
const ComputeDefinition& compute_kernel(std::string_view name);

/// Carries a block out, as one row where its rows follow one another.
void carry_out(const ComputeDefinition& kernel, const ComputeForm& form,
               const ComputeBlock& block) noexcept;

/// Of one block of so many rows and columns.
Traffic traffic_of(const ComputeForm& form, std::int64_t rows, std::int64_t columns);

}  // namespace weft
