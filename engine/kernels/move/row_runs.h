// SPDX-License-Identifier: Apache-2.0
// Rows that are put together of a few runs, and of a few elements one by one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <weft/engine/kernels/kernel.h>

namespace weft {

/// Rows of more bytes are as quickly written by several copies.
inline constexpr std::int64_t most_assembled_bytes = 2 * 1024;

/// What a source has of a row by tables: element `to(i)` of it is its element `src_table[i]`.
struct ListedOfRow {
  std::int64_t count = 0;
  const std::int64_t *dst_table = nullptr, *src_table = nullptr;

  std::int64_t to(std::int64_t i) const { return dst_table ? dst_table[i] : i; }
};
using ListedOfRows = std::array<ListedOfRow, most_sources>;

/// Of a nest of the form `listed` or `listed_parts`.
ListedOfRows listed_of(const Nest& nest);
std::int64_t elements_of_row(const ListedOfRows& all);

/// How a row is put together, of one source or two.
struct RowRuns {
  enum Kind : std::uint8_t {
    run,       ///< of bytes that follow one another
    value,     ///< one element again and again
    elements,  ///< moved one by one
  };
  struct Part {
    std::int32_t dst, bytes;  ///< of the row
    std::int32_t from;        ///< in bytes; of `elements` the first step of the table
    std::uint16_t source;
    Kind kind;
  };
  static constexpr std::size_t most_parts = 5;
  static constexpr std::int64_t fewest_run_bytes = 4, fewest_value_bytes = 16;

  std::array<Part, most_parts> parts{};
  std::int32_t count = 0;
};

/// None where single elements are more than half of a row or many, where parts leave something out,
/// or are whole lines, if rows start where lines do.
std::optional<RowRuns> find_row_runs(const Nest& nest);

/// What makes them.
extern const KernelDefinition assemble_kernel;

}  // namespace weft
