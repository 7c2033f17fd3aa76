// SPDX-License-Identifier: Apache-2.0
// What carries a pass that multiplies matrices out: tiles of the result, of operands that are
// packed before, some chunks of the inner axis at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <weft/engine/kernels/product.h>
#include <weft/engine/memory/buffer.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// Only read once it is made, so threads may run one at the same time. All of it follows from
/// shapes, types and strides.
struct ProductSteps {
  enum class Manner : std::uint8_t {
    vector,   ///< of each product one operand is a vector: parts of the other's rows are tasks
    grouped,  ///< products are small: some of them are a task
    shared    ///< all tasks make one product after the other
  };
  struct Operand {
    std::size_t source = 0;            ///< of the plan
    std::int64_t offset = 0;           ///< of its first element, in bytes
    std::int64_t row = 0, column = 0;  ///< strides
  };
  /// An axis in parts, all but the last of one width.
  struct Parts {
    std::int64_t extent = 1, width = 1;

    std::int64_t count() const { return (extent + width - 1) / width; }
    std::int64_t begin(std::int64_t k) const { return k * width; }
    std::int64_t size(std::int64_t k) const { return std::min(width, extent - k * width); }
  };

  const ProductKernels* kernels = nullptr;
  Manner manner = Manner::grouped;
  Operand left{}, right{};
  SmallVector<PassProduct::Axis, 4> batch{};
  std::int64_t products = 1;
  Parts rows{}, inner{}, columns{};
  Parts groups{};          ///< of the inner axis, where a matrix in columns meets a vector
  std::int64_t slab = 1;   ///< chunks of the inner axis that are packed at once
  std::int64_t share = 1;  ///< units of a task: products, or parts of the rows of matrices

  std::int64_t units() const {
    return manner == Manner::vector ? products * rows.count() * groups.count() : products;
  }
  std::int64_t tasks() const {
    return manner == Manner::shared ? rows.count() * columns.count()
                                    : (units() + share - 1) / share;
  }
  /// What a packed part of an operand takes, of a chunk.
  std::int64_t part_bytes(const Parts& parts) const {
    const std::int64_t bytes = parts.width * std::min(inner.width, inner.extent) * kernels->element;
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }
  /// What the packed chunks of a slab take, or all groups but the first of what vectors make.
  std::int64_t packed_bytes() const {
    return manner == Manner::vector
               ? (groups.count() - 1) * products * rows.extent * kernels->element
               : slab * (rows.count() * part_bytes(rows) + columns.count() * part_bytes(columns));
  }
  /// What is needed where all tasks run at once.
  std::int64_t scratch_bytes() const {
    return packed_bytes() * (manner == Manner::grouped ? tasks() : 1);
  }
};

ProductSteps make_product_steps(const Pass& pass);

/// Called by task t, one of as many as threads, when rows [begin, end) of the products are made,
/// counted over all of them: those of a product, or of a part of its rows.
using RowsMade = std::function<void(std::int64_t t, std::int64_t begin, std::int64_t end)>;

/// Writes the products, on `threads` at most, or 0 for as many as there are. Throws MemoryError.
/// Nobody is told of rows where vectors are multiplied.
void run(const ProductSteps& steps, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads, const RowsMade& made = {});

}  // namespace weft
