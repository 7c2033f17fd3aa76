// SPDX-License-Identifier: Apache-2.0
// Running programs of links over blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <weft/engine/kernels/compute/core_links.h>
#include <weft/engine/kernels/kernel.h>

namespace weft {

inline constexpr std::string_view program_name = "program";

/// A program whose places are, in this order: those of what it reads, of constants, of what it puts
/// aside, of the result, and of what it reads from elsewhere. Only read once it is made.
struct BoundProgram {
  const CoreLinks* core = nullptr;
  std::vector<Link> links{};
  std::vector<Link> prelude{};    ///< makes constants lanes, where they are, once
  std::size_t asks = 0;           ///< of the links, so many ask for what is read later
  std::size_t result = 0;         ///< of the links, that which stores it
  Link::Run stream = nullptr;     ///< the same past the caches
  Link::Run store_row = nullptr;  ///< the same of a row of less than a group
  SmallVector<std::int64_t, 4> read_bytes{}, constant_bytes{};  ///< of an element
  SmallVector<std::uint8_t, 4> read_types{};                    ///< their numbers
  SmallVector<bool, 4> is_at_hand{};  ///< whether links that do not load it read it where it lies
  std::int64_t result_bytes = 0;
  bool calls_functions = false;  ///< which may not do with other elements than there are
  std::size_t slots = 0;
  std::int64_t slot_bytes = 0;

  std::size_t result_place() const { return read_bytes.size() + constant_bytes.size() + slots; }
  /// What of an operand is read from elsewhere than its place.
  std::size_t further_place(std::size_t k) const { return result_place() + 1 + k; }
  std::size_t places() const { return further_place(read_bytes.size()); }
  /// Of the links for rows of less than a group, at most.
  std::size_t row_links() const { return links.size() - asks + 2 * read_bytes.size(); }
  /// Memory that a task needs for it.
  std::int64_t scratch_bytes() const;
};

struct ProgramOperand {
  const std::byte* at = nullptr;
  std::int64_t pitch = 0;  ///< from row to row, in bytes
  /// Elements that a row repeats one after another, which divide it and a group: 1 where an operand
  /// stands still. 0 where it repeats none.
  std::int64_t period = 0;
};

/// Rows of elements that lie side by side in the result and in each operand that repeats none.
/// Where one repeats several, results do not go past the caches.
struct ProgramBlock {
  std::int64_t rows = 1, columns = 1;
  std::byte* out = nullptr;
  std::int64_t out_pitch = 0;
  std::span<const ProgramOperand> operands{};
  bool may_stream = true;  ///< where the program is to
};

struct ProgramManner {
  bool streams = false;          ///< past the caches
  bool is_over_operand = false;  ///< elements are lost once they are computed
  /// How far ahead it asks for what it reads, in bytes, where it does: what memory takes to answer,
  /// at the speed that it is read with.
  std::int64_t ahead = 1024;
  bool asks = false;  ///< also where nothing goes past the caches
};

/// A program with memory to run in.
class ProgramRun {
 public:
  /// `scratch` begins at a cache line and has scratch_bytes() bytes; `constants` are numbers of
  /// sources.
  ProgramRun(const BoundProgram& program, const ProgramManner& manner, std::byte* scratch,
             const std::byte* const* sources, std::span<const std::size_t> constants) noexcept;
  /// Room for what it reads, for who makes blocks.
  ProgramOperand* operands() noexcept { return operands_; }
  void carry_out(const ProgramBlock& block) noexcept;

 private:
  std::byte* take(std::int64_t bytes) noexcept;
  template <class T>
  T* take_array(std::size_t count) noexcept {
    return reinterpret_cast<T*>(take(static_cast<std::int64_t>(count * sizeof(T))));
  }
  void clear_own(const ProgramBlock& block) noexcept;
  void fill_own(std::size_t k, std::int64_t count) noexcept;
  void run_row(const ProgramBlock& block, std::int64_t row) noexcept;
  /// Rows that have less than a group, as many as it has room for at once.
  void run_short_rows(const ProgramBlock& block) noexcept;
  /// Whether rows that have less than a group are better computed where they lie, each by itself.
  bool has_rows_in_place(const ProgramBlock& block) const noexcept;
  void run_rows_in_place(const ProgramBlock& block) noexcept;
  void make_row_links(std::int64_t columns) noexcept;
  /// What each row repeats: for the first row, or where it is another than the one before has.
  void put_periods(const ProgramBlock& block, std::int64_t row) noexcept;
  /// What rows repeat, as often as so many elements have room for.
  void put_period(const ProgramOperand& operand, std::size_t k, const std::byte* from,
                  std::int64_t count, std::byte* to) const noexcept;
  /// Groups of a row from an element on, where they lie.
  void run_groups(const ProgramBlock& block, std::int64_t row, std::int64_t first,
                  std::int64_t groups, bool streams) noexcept;
  /// Puts the links that ask for what groups read before the others; where they begin. What is the
  /// same for every row is there already.
  std::size_t ask(const ProgramBlock& block) noexcept;
  /// Less than a group, in memory of the task.
  void run_aside(const ProgramBlock& block, std::int64_t row, std::int64_t first,
                 std::int64_t count) noexcept;
  const std::byte* found(const ProgramBlock& block, std::int64_t row, std::size_t k,
                         std::int64_t first) const noexcept;

  const BoundProgram& program_;
  const ProgramManner manner_;
  std::byte* free_;
  Place *places_, *own_;  ///< where things are, and memory of the task for each
  Link *links_, *row_links_;
  std::int64_t row_columns_ = 0;  // that row_links_ are for
  ProgramOperand* operands_;
  bool is_clear_ = false;
};

/// Of a block.
Traffic traffic_of(const BoundProgram& program, const ProgramBlock& block);

}  // namespace weft
