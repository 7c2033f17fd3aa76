// SPDX-License-Identifier: Apache-2.0
// Making what multiplies: parts of rows, columns and the inner axis, and who makes what.
#include <weft/engine/run/product_steps.h>

#include <utility>

#include <weft/engine/run/workers.h>

namespace weft {
namespace {

// Columns of a tile, which all widths of panels divide, and rows: a packed part of each stays in
// the second cache.
constexpr std::int64_t most_columns = 480, column_step = 48, most_rows = 256, fewest_rows = 32,
                       row_step = 8, rows_apart = 8;
// A slab takes no more than this, so that it stays in the last cache, but one chunk at least.
constexpr std::int64_t slab_bytes = 32 * 1024 * 1024;
// A product of less work is not worth several threads; one of less than `large_work` is not where
// there are `many` others. What moves an element is as much as so many multiplications.
constexpr std::int64_t small_work = 6 * 1024 * 1024, large_work = 16 * 1024 * 1024, many = 16,
                       move_work = 16;
// So many tasks at most share small products.
constexpr std::int64_t most_tasks = 64;
// Matrices of fewer parts are cut along the inner axis, too.
constexpr std::int64_t fewest_tasks = 16;
// Rows of a matrix in columns that are long enough for what follows one another in memory.
constexpr std::int64_t fewest_in_column = 2048;

std::int64_t rounded_up(std::int64_t x, std::int64_t step) { return (x + step - 1) / step * step; }

/// So many that widths are about equal, and whole steps.
ProductSteps::Parts in_parts(std::int64_t extent, std::int64_t most, std::int64_t step) {
  const std::int64_t count = (extent + most - 1) / most;
  return {extent, count == 1 ? extent : rounded_up((extent + count - 1) / count, step)};
}

/// Of a matrix and a vector, whatever side it is on; rows are those of the matrix.
void make_vector_steps(ProductSteps& steps, const PassProduct& product) {
  steps.manner = ProductSteps::Manner::vector;
  const bool is_right = product.columns.extent == 1;
  const PassProduct::Axis& rows = is_right ? product.rows : product.columns;
  if (!is_right) {  // the matrix comes first
    std::swap(steps.left, steps.right);
    std::swap(steps.left.row, steps.left.column);
    for (PassProduct::Axis& axis : steps.batch) std::swap(axis.left, axis.right);
  }
  const std::int64_t row_bytes = product.inner.extent * steps.kernels->element;
  const bool is_in_columns = steps.left.column != 1 && product.inner.extent > 1;
  const std::int64_t share = share_of(row_bytes * rows.extent * steps.products);
  const std::int64_t width = rounded_up(std::max<std::int64_t>(1, share / row_bytes), row_step);
  steps.rows = {rows.extent,
                std::min(rows.extent, is_in_columns ? std::max(width, fewest_in_column) : width)};
  steps.inner = {product.inner.extent, vector_chunk};
  steps.groups = {product.inner.extent, product.inner.extent};
  if (is_in_columns && steps.products * steps.rows.count() < fewest_tasks)
    steps.groups.width = steps.inner.width = column_group;
  steps.share = std::max<std::int64_t>(1, share / (row_bytes * steps.rows.width));
}

}  // namespace

ProductSteps make_product_steps(const Pass& pass) {
  const PassProduct& product = pass.product;
  const std::int64_t rows = product.rows.extent, inner = product.inner.extent,
                     columns = product.columns.extent;
  ProductSteps steps;
  steps.kernels = &product_kernels(pass.type.dtype);
  steps.left = {pass.operands[0].source, pass.operands[0].offset, product.rows.left,
                product.inner.left};
  steps.right = {pass.operands[1].source, pass.operands[1].offset, product.inner.right,
                 product.columns.right};
  for (const PassProduct::Axis& axis : product.batch) {
    steps.products *= axis.extent;
    steps.batch.push_back(axis);
  }
  if (rows == 1 || columns == 1) {
    make_vector_steps(steps, product);
    return steps;
  }
  steps.inner = {inner, inner_chunk};
  steps.columns = in_parts(columns, most_columns, column_step);
  const std::int64_t own_rows =
      std::clamp(rounded_up(rows / rows_apart, row_step), fewest_rows, most_rows);
  steps.rows = in_parts(rows, own_rows, row_step);
  const double work =
      static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns) +
      static_cast<double>(move_work) *
          static_cast<double>(rows * inner + inner * columns + rows * columns);
  const bool is_shared =
      work >= static_cast<double>(steps.products < many ? small_work : large_work);
  if (is_shared) {
    steps.manner = ProductSteps::Manner::shared;
    const std::int64_t chunk = steps.packed_bytes();
    steps.slab = std::clamp<std::int64_t>(slab_bytes / chunk, 1, steps.inner.count());
    return steps;
  }
  const double each = static_cast<double>(small_work) / work;
  steps.share = std::max(each < 1 ? 1 : static_cast<std::int64_t>(each),
                         (steps.products + most_tasks - 1) / most_tasks);
  return steps;
}

}  // namespace weft
