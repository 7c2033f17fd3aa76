// SPDX-License-Identifier: Apache-2.0
// Passes that are carried out together, some rows of each at a time: what one of them makes for the
// others is in the caches when they read it, and takes no memory but that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <weft/engine/run/product_steps.h>
#include <weft/engine/run/row_steps.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// One of the passes.
struct RowMember {
  std::size_t pass = 0;
  std::int64_t row_bytes = 0;
  /// Where rows lie in the memory of a task, of one whose result nobody else reads.
  std::optional<std::int64_t> aside{};
  RowSteps steps{};
};

/// Passes that follow one another; only read once it is made.
struct RowGroup {
  std::vector<RowMember> members{};
  RowDivision division{};
  std::vector<RowSlab> slabs{};
  std::int64_t share = 1;          ///< slabs of a task
  std::int64_t private_bytes = 0;  ///< of a task: rows that only members read
  std::int64_t scratch_bytes = 0;  ///< of a task, behind those

  std::int64_t task_bytes() const { return private_bytes + scratch_bytes; }
  std::int64_t tasks() const { return (std::ssize(slabs) + share - 1) / share; }
  /// What it takes itself.
  std::int64_t bytes() const;
};

/// What is known of a pass beside the plan.
struct RowCandidate {
  bool may_join = false;  ///< it runs, into memory that nobody reads before
  bool is_kept = false;   ///< it makes a result
  std::size_t last_reader = 0;
  /// Whether it may take the memory of the product that it goes behind.
  bool is_over_product = false;
};

/// The passes around one that go with it; none where that would not pay.
std::optional<RowGroup> find_row_group(const Plan& plan, std::size_t pass,
                                       std::span<const RowCandidate> candidates,
                                       const BlockLimits& limits);

/// The passes behind one that multiplies that read of each of its rows in the same row alone; none
/// where there is none. Slabs are parts of those that are made together.
std::optional<RowGroup> find_rows_behind(const Plan& plan, std::size_t product,
                                         const ProductSteps& steps,
                                         std::span<const RowCandidate> candidates,
                                         const BlockLimits& limits);

/// A group at work.
class RowWork {
 public:
  /// `out(p)` is where the result of pass p is to be, of those that are not private.
  RowWork(const RowGroup& group, const std::function<std::byte*(std::size_t)>& out,
          std::span<const std::byte* const> sources);

  /// In memory of a task, which calls finish_streams() in the end.
  void run(const RowSlab& slab, std::byte* memory) const noexcept;
  /// All slabs of rows [begin, end), which slabs begin and end with.
  void run_rows(std::int64_t begin, std::int64_t end, std::byte* memory) const noexcept;

 private:
  const RowGroup& group_;
  SmallVector<std::byte*, 8> outs_;
  const std::span<const std::byte* const> sources_;
};

/// Runs it: `out(p)` is where the result of pass p is to be, of those that are not private. On
/// `threads` at most, or 0 for as many as there are, and on no more than `most_aside` bytes have
/// room for, but one. Throws MemoryError before anything is written.
void run(const RowGroup& group, const Plan& plan, const std::function<std::byte*(std::size_t)>& out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside);

}  // namespace weft
