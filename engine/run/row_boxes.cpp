// SPDX-License-Identifier: Apache-2.0
// Cutting boxes at the ends of rows.
#include <weft/engine/run/row_boxes.h>

#include <algorithm>
#include <utility>

namespace weft {
namespace {

JointBox box_of(const Copy& copy) {
  JointBox box{copy.out_offset, {copy.src_offset}, {}};
  for (const Loop& loop : copy.loops) {
    JointLoop& joint = box.loops.emplace_back();
    joint.extent = loop.extent;
    joint.stride = loop.out_stride;
    joint.steps.push_back({loop.src_stride, loop.src_table});
  }
  return box;
}

std::int64_t span_from(const JointBox& box, std::size_t loop) {
  std::int64_t span = 0;
  for (; loop < box.loops.size(); ++loop) span += box.loops[loop].span();
  return span;
}

/// Steps [begin, end) of the outermost loop.
JointBox some_steps(JointBox box, std::int64_t begin, std::int64_t end) {
  JointLoop& loop = box.loops.front();
  box.offset += begin * loop.stride;
  for (std::size_t k = 0; k < box.first.size(); ++k) {
    if (end - begin == 1 || !loop.steps[k].table) box.first[k] += loop.steps[k].at(begin);
    else loop.steps[k].table += begin;
  }
  if (end - begin == 1) box.loops.erase(box.loops.begin());
  else loop.extent = end - begin;
  return box;
}

bool has_table(const JointLoop& loop) {
  return std::any_of(loop.steps.begin(), loop.steps.end(),
                     [](const JointStep& step) { return step.table != nullptr; });
}

class RowCutter {
 public:
  RowCutter(std::int64_t width, std::size_t most) : width_(width), most_(most) {}

  /// False where there are too many.
  bool cut(JointBox box, std::size_t part) {
    const std::int64_t row = box.offset / width_;
    if ((box.offset + span_from(box, 0)) / width_ == row) {
      box.offset -= row * width_;
      return add({row, row + 1, part, std::move(box), {}});
    }
    JointLoop& outer = box.loops.front();
    const bool is_of_rows = outer.stride % width_ == 0;
    if (is_of_rows && outer.stride == width_ && !has_table(outer) &&
        box.offset % width_ + span_from(box, 1) < width_) {
      RowBox made{row, row + outer.extent, part, {}, {}};
      for (const JointStep& step : outer.steps) made.steps.push_back(step.step);
      box.offset -= row * width_;
      box.loops.erase(box.loops.begin());
      made.box = std::move(box);
      return add(std::move(made));
    }
    if (!is_of_rows && !has_table(outer) && width_ % outer.stride == 0)
      return cut_at_rows(std::move(box), part);
    return cut_into_steps(box, part);
  }

  RowBoxes boxes;

 private:
  bool add(RowBox&& made) {
    if (boxes.size() == most_) return false;
    boxes.push_back(std::move(made));
    return true;
  }
  bool cut_into_steps(const JointBox& box, std::size_t part) {
    const std::int64_t steps = box.loops.front().extent;
    if (steps > static_cast<std::int64_t>(most_)) return false;
    for (std::int64_t i = 0; i < steps; ++i)
      if (!cut(some_steps(box, i, i + 1), part)) return false;
    return true;
  }
  /// What its outermost loop has of the first row, of whole rows, and of the last one.
  bool cut_at_rows(JointBox box, std::size_t part) {
    const JointLoop& loop = box.loops.front();
    const std::int64_t each = width_ / loop.stride, at = box.offset % width_;
    const std::int64_t head = at < loop.stride ? 0 : (width_ - at + loop.stride - 1) / loop.stride;
    const std::int64_t rows = head < loop.extent ? (loop.extent - head) / each : 0;
    const std::int64_t first = (at + head * loop.stride) % width_;
    if (rows == 0 || first + (each - 1) * loop.stride + span_from(box, 1) >= width_)
      return cut_parts(box, part, head);
    const std::int64_t whole = head + rows * each;
    if (head > 0 && !cut(some_steps(box, 0, head), part)) return false;
    JointBox middle = some_steps(box, head, whole);
    JointLoop outer = middle.loops.front();
    outer.extent = rows;
    outer.stride = width_;
    for (JointStep& step : outer.steps) step.step *= each;
    if (each == 1) middle.loops.front() = outer;
    else {
      middle.loops.front().extent = each;
      middle.loops.insert(middle.loops.begin(), outer);
    }
    if (!cut(std::move(middle), part)) return false;
    return whole == loop.extent || cut(some_steps(box, whole, loop.extent), part);
  }
  /// Without a whole row.
  bool cut_parts(const JointBox& box, std::size_t part, std::int64_t head) {
    const std::int64_t steps = box.loops.front().extent;
    if (head == 0 || head >= steps) return cut_into_steps(box, part);
    return cut(some_steps(box, 0, head), part) && cut(some_steps(box, head, steps), part);
  }

  const std::int64_t width_;
  const std::size_t most_;
};

}  // namespace

std::optional<RowBoxes> row_boxes(const Pass& pass, std::int64_t width, std::size_t most) {
  if (pass.is_painted || pass.is_of_whole()) return {};
  RowCutter cutter(width, most);
  std::size_t part = 0;
  for (const Copy& copy : pass.copies) {
    for (const Loop& loop : copy.loops)
      if (loop.out_table) return {};
    if (!cutter.cut(box_of(copy), part++)) return {};
  }
  for (const ComputedPiece& piece : pass.pieces)
    if (!cutter.cut(piece.box, part++)) return {};
  return std::move(cutter.boxes);
}

std::optional<RowBoxes> reduced_row_boxes(const Pass& pass, std::int64_t rows, std::size_t most) {
  const auto& axes = pass.reduction.axes;
  std::size_t leading = 0;
  std::int64_t product = 1;
  SmallVector<PassReduction::Axis, 8> joined;
  for (; product < rows && leading < axes.size() && !axes[leading].is_reduced; ++leading) {
    const PassReduction::Axis& axis = axes[leading];
    product *= axis.extent;
    if (axis.extent == 1) continue;
    if (joined.size() > 0 && joined.back().stride == axis.stride * axis.extent)
      joined.back() = {joined.back().extent * axis.extent, axis.stride, false};
    else joined.push_back(axis);
  }
  if (product != rows || joined.size() == 0) return {};
  // All but the last one step by step.
  const std::int64_t each = joined.back().extent;
  if (rows / each > static_cast<std::int64_t>(most)) return {};
  RowBoxes boxes;
  for (std::int64_t row = 0; row < rows; row += each) {
    std::int64_t first = 0, left = row / each;
    for (std::size_t k = joined.size() - 1; k-- > 0;) {
      first += left % joined[k].extent * joined[k].stride;
      left /= joined[k].extent;
    }
    boxes.push_back({row, row + each, leading, {0, {first}, {}}, {joined.back().stride}});
  }
  return boxes;
}

void clip_columns(const RowBox& row, std::int64_t begin, std::int64_t end, RowBoxes& to) {
  const std::int64_t first = row.box.offset, last = first + span_from(row.box, 0);
  if (last < begin || first >= end) return;
  if (first >= begin && last < end) {
    to.push_back(row);
    to.back().box.offset -= begin;
    return;
  }
  const JointLoop& loop = row.box.loops.front();
  const std::int64_t step_last = first + span_from(row.box, 1);  // of the first step
  const auto steps_until = [&](std::int64_t from, std::int64_t position) {
    return std::clamp<std::int64_t>((position - from + loop.stride - 1) / loop.stride, 0,
                                    loop.extent);
  };
  // Steps that touch the columns, and those of them that lie within.
  const std::int64_t touched = step_last >= begin ? 0 : steps_until(step_last, begin),
                     touched_end = first >= end ? 0 : steps_until(first, end),
                     whole = first >= begin ? 0 : steps_until(first, begin),
                     whole_end = step_last >= end ? 0 : steps_until(step_last, end);
  const auto some = [&](std::int64_t from, std::int64_t until) {
    return RowBox{row.begin, row.end, row.part, some_steps(row.box, from, until), row.steps};
  };
  for (std::int64_t i = touched; i < std::min(whole, touched_end); ++i)
    clip_columns(some(i, i + 1), begin, end, to);
  if (whole < whole_end) clip_columns(some(whole, whole_end), begin, end, to);
  for (std::int64_t i = std::max(whole, whole_end); i < touched_end; ++i)
    clip_columns(some(i, i + 1), begin, end, to);
}

JointBox in_rows(const RowBox& row, std::int64_t rows, std::int64_t width) {
  JointBox box = row.box;
  if (rows == 1) return box;
  JointLoop outer{rows, width, {}};
  for (const std::int64_t step : row.steps) outer.steps.push_back({step, nullptr});
  if (box.loops.empty() || !can_join(outer, box.loops.front())) {
    box.loops.insert(box.loops.begin(), std::move(outer));
  } else {
    box.loops.front().extent *= rows;
  }
  return box;
}

}  // namespace weft
