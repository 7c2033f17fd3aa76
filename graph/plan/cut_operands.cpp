// SPDX-License-Identifier: Apache-2.0
// Counting the runs in which a value is asked for, and what it is computed of.
#include <weft/graph/plan/cut_operands.h>

#include <algorithm>
#include <cstdlib>

#include <weft/graph/map/box.h>
#include <weft/graph/plan/slots.h>

namespace weft {
namespace {

// One more pass takes longer than such runs where there are few elements.
constexpr std::int64_t small_run = 128;
// Operands that are read so often are small enough to be moved.
constexpr std::int64_t few_readings = 8;
// In runs of fewer elements, or bytes where that is more than caches keep, several operands take
// longer to move than their result; not where much of that is asked for by nobody (one thread, sums
// moved: of 24 movements of four types and 14 shapes 240 of 1,344 took over 1.08 of computing
// first, now 44).
constexpr std::int64_t moved_run = 512;
constexpr double least_asked = 0.8;
// Nor where wide elements are turned, in rows of so many, that no cache keeps: each operand is
// turned as fast as the result is written, and nothing is written twice (two threads, sums of 4 and
// 8 bytes, transposed: 0.5 to 0.85 of computing first).
constexpr std::int64_t turned_element = 4, turned_row = 16, turned_bytes = 8 * cached_bytes;
// As many operands as matter, and as deep as programs are long: expressions may be far deeper.
constexpr std::size_t several = 2, deepest = most_steps;

struct Row {
  std::int64_t elements;  ///< of a box that lie together in the output
  bool is_run;            ///< in a value of that shape, too, or reversed
};

Row row_of(Box box, const Shape& shape) {
  linearise(box, shape);
  canonicalise(box);
  if (box.digits.empty() || box.digits.back().out_stride != 1) return {1, true};
  const Digit& inner = box.digits.back();
  return {inner.extent, !inner.table && std::abs(inner.in_stride) == 1};
}

/// Operands of about so many elements that the vertex is computed of in a program, up to several.
std::size_t operands_of(const Expression& expression, std::size_t v, std::int64_t count,
                        std::size_t depth = 0) {
  std::size_t operands = 0;
  for (std::size_t k = 0; k < expression[v].operand_count && operands < several; ++k) {
    const std::size_t operand = expression.operand(v, k);
    const Expression::Vertex& vertex = expression[operand];
    if (vertex.node->count() * few_readings < count) continue;
    const bool is_computed =
        depth < deepest && !vertex.is_stored && vertex.uses == 1 && step_of(expression, operand);
    operands += is_computed ? operands_of(expression, operand, count, depth + 1) : 1;
  }
  return operands;
}

}  // namespace

std::int64_t shortest_run(std::int64_t bytes, std::int64_t element) {
  if (bytes <= program_run * element) return std::max(run_bytes, small_run * element);
  return bytes > cached_bytes ? program_run : program_run * element;
}

bool are_short(std::int64_t runs, std::int64_t bytes, std::int64_t shortest) {
  constexpr std::int64_t few_runs = 16;
  return runs > few_runs && bytes / runs < shortest;
}

bool cuts_operands(const Expression& expression, std::size_t v, const TargetBoxes& asked,
                   std::int64_t stored) {
  if (!step_of(expression, v)) return false;
  const Node& node = *expression[v].node;
  const std::int64_t element = node.dtype().size();
  std::int64_t runs = 0, count = 0;
  bool is_turned = true;
  for (const Box& box : asked.boxes) {
    const Row row = row_of(box, node.shape());
    count += element_count(box);
    runs += element_count(box) / (row.is_run ? row.elements : 1);
    is_turned = is_turned && !row.is_run && row.elements >= turned_row;
  }
  const std::int64_t bytes = count * element;
  if (is_turned && element >= turned_element && bytes >= turned_bytes) return false;
  const std::int64_t shortest = bytes > cached_bytes ? moved_run : moved_run * element;
  if (asked.boxes.size() == 1 && count <= program_run) return false;
  return static_cast<double>(count) >= least_asked * static_cast<double>(stored) &&
         are_short(runs, bytes, shortest) && operands_of(expression, v, node.count()) >= several;
}

}  // namespace weft
