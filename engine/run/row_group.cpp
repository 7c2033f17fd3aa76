// SPDX-License-Identifier: Apache-2.0
// Finding passes that have rows in common.
#include <weft/engine/run/row_group.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <weft/engine/run/workers.h>

namespace weft {
namespace {

// What a slab has of all members: the second cache has room for it, and for what they read.
constexpr std::int64_t slab_bytes = 128 * 1024;
// What is asked for so many bytes ahead is there in time.
constexpr std::int64_t ask_ahead = 4096;
// There are at least so many slabs.
constexpr std::int64_t fewest_slabs = 8;
// Boxes of a pass, in all rows.
constexpr std::size_t most_boxes = 1024;

/// The rows of a pass that reduces: the results of the axes in front of those that are reduced.
std::int64_t rows_of(const PassReduction& reduction) {
  std::int64_t rows = 1;
  for (const PassReduction::Axis& axis : reduction.axes) {
    if (axis.is_reduced) break;
    rows *= axis.extent;
  }
  return rows;
}

std::int64_t in_lines(std::int64_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

/// A range of positions.
struct Range {
  std::int64_t low, high;

  void add(std::int64_t stride, std::int64_t extent) {
    (stride < 0 ? low : high) += stride * (extent - 1);
  }
};

class Finder {
 public:
  Finder(const Plan& plan, std::size_t pass, std::span<const RowCandidate> candidates,
         const BlockLimits& limits)
      : plan_(plan),
        candidates_(candidates),
        limits_(limits),
        rows_(rows_of(plan.passes[pass].reduction)),
        first_(pass),
        last_(pass) {}
  Finder(const Plan& plan, std::size_t product, const ProductSteps& steps,
         std::span<const RowCandidate> candidates, const BlockLimits& limits)
      : plan_(plan),
        candidates_(candidates),
        limits_(limits),
        rows_(steps.products * steps.rows.extent),
        product_(product),
        first_(product + 1),
        last_(product) {}

  std::optional<RowGroup> run() {
    if (rows_ < fewest() || !candidates_[first_].may_join) return {};
    if (!find_boxes(first_, boxes_.emplace_back())) return {};
    while (first_ > 0 && may_begin_with(first_ - 1)) --first_;
    while (last_ + 1 < plan_.passes.size() && may_end_with(last_ + 1)) ++last_;
    const std::int64_t row = row_bytes();
    if (first_ == last_ || private_bytes() < parallel_bytes >> limits_.shrink || row == 0)
      return {};
    return made(row);
  }

  std::optional<RowGroup> run_behind(const ProductSteps& steps) {
    while (last_ + 1 < plan_.passes.size() && may_end_with(last_ + 1)) ++last_;
    if (last_ < first_) return {};
    const std::int64_t row = row_bytes();
    if (row == 0) return {};
    RowGroup group;
    group.division.is_by_halves = true;
    add_division(row, steps.rows.width, group);
    std::size_t most = 1;
    for (std::int64_t k = 0; k < steps.products; ++k)
      for (std::int64_t part = 0; part < steps.rows.count(); ++part) {
        const std::int64_t begin = k * steps.rows.extent + steps.rows.begin(part);
        const std::size_t before = group.slabs.size();
        group.division.for_each_slab(begin, begin + steps.rows.size(part),
                                     [&](const RowSlab& slab) { group.slabs.push_back(slab); });
        most = std::max(most, group.slabs.size() - before);
      }
    group.share = static_cast<std::int64_t>(most);
    for (std::size_t p = first_; p <= last_; ++p) add_member(p, group);
    return group;
  }

 private:
  std::int64_t fewest() const { return std::max<std::int64_t>(1, fewest_slabs >> limits_.shrink); }

  bool find_boxes(std::size_t p, RowBoxes& boxes) const {
    const Pass& pass = plan_.passes[p];
    if (!candidates_[p].may_join || pass.count % rows_ != 0 || pass.count == 0) return false;
    std::optional<RowBoxes> found = pass.is_reduced()
                                        ? reduced_row_boxes(pass, rows_, most_boxes)
                                        : row_boxes(pass, pass.count / rows_, most_boxes);
    if (!found || reads_across(pass, *found)) return false;
    boxes = std::move(*found);
    return true;
  }

  /// Whether it reads what memory has across rows, a little of each line for each slab.
  bool reads_across(const Pass& pass, const RowBoxes& boxes) const {
    const auto is_across = [&](std::size_t source, std::int64_t row_step, std::int64_t least) {
      return row_step != 0 && least > std::abs(row_step) &&
             plan_.sources[source].bytes() >= parallel_bytes;
    };
    const auto least_of = [](std::int64_t least, std::int64_t step) {
      return step == 0 ? least : least == 0 ? std::abs(step) : std::min(least, std::abs(step));
    };
    return std::any_of(boxes.begin(), boxes.end(), [&](const RowBox& box) {
      if (box.steps.empty()) return false;
      if (pass.is_reduced()) {
        std::int64_t least = 0;
        for (std::size_t axis = box.part; axis < pass.reduction.axes.size(); ++axis)
          if (pass.reduction.axes[axis].extent > 1)
            least = least_of(least, pass.reduction.axes[axis].stride);
        return is_across(pass.operands[0].source, box.steps[0], least);
      }
      for (std::size_t k = 0; k < box.steps.size(); ++k) {
        std::int64_t least = 0;
        for (const JointLoop& loop : box.box.loops) least = least_of(least, loop.steps[k].step);
        const std::size_t source = box.part < pass.copies.size()
                                       ? pass.copies[box.part].source
                                       : pass.pieces[box.part - pass.copies.size()].sources[k];
        if (is_across(source, box.steps[k], least)) return true;
      }
      return false;
    });
  }

  bool is_member(std::size_t p) const { return p >= first_ && p <= last_; }
  bool may_begin_with(std::size_t p) {
    RowBoxes boxes;
    if (!find_boxes(p, boxes)) return false;
    bool is_read = false;
    for (std::size_t q = first_; q <= last_; ++q)
      if (!reads_rows_of(q, boxes_[q - first_], p, is_read)) return false;
    if (!is_read && !reads_in_common(p)) return false;
    boxes_.insert(boxes_.begin(), std::move(boxes));
    return true;
  }
  bool may_end_with(std::size_t p) {
    RowBoxes boxes;
    if (!find_boxes(p, boxes)) return false;
    bool is_read = false;
    if (product_ != PlanSource::stored && !reads_rows_of(p, boxes, product_, is_read)) return false;
    for (std::size_t q = first_; q <= last_; ++q)
      if (!reads_rows_of(p, boxes, q, is_read)) return false;
    if (!is_read && !reads_in_common(p)) return false;
    boxes_.push_back(std::move(boxes));
    return true;
  }
  /// Whether a member reads the same tensor.
  bool reads_in_common(std::size_t p) const {
    bool is_common = false;
    plan_.passes[p].for_each_source([&](std::size_t source) {
      for (std::size_t q = first_; q <= last_; ++q)
        is_common =
            is_common || (plan_.sources[source].count >= rows_ && plan_.passes[q].reads(source));
    });
    return is_common;
  }

  /// Whether each row of pass p reads no other one of pass `made`.
  bool reads_rows_of(std::size_t p, const RowBoxes& boxes, std::size_t made, bool& is_read) const {
    const Pass& pass = plan_.passes[p];
    const auto is_of = [&](std::size_t source) { return plan_.sources[source].pass == made; };
    for (const PassProgram& program : pass.programs)
      if (std::any_of(program.constants.begin(), program.constants.end(), is_of)) return false;
    const std::int64_t row = plan_.passes[made].bytes() / rows_;
    // Bytes of an operand of a box, behind `offset`.
    const auto is_own = [&](const RowBox& box, std::size_t k, Range range, std::int64_t element,
                            std::int64_t offset) {
      is_read = true;
      const std::int64_t begin = offset + range.low * element,
                         end = offset + (range.high + 1) * element;
      return begin >= box.begin * row && end <= (box.begin + 1) * row &&
             (box.end - box.begin == 1 || box.steps[k] * element == row);
    };
    for (const RowBox& box : boxes) {
      if (pass.is_reduced()) {
        if (!is_of(pass.operands[0].source)) continue;
        Range range{box.box.first[0], box.box.first[0]};
        for (std::size_t axis = box.part; axis < pass.reduction.axes.size(); ++axis)
          range.add(pass.reduction.axes[axis].stride, pass.reduction.axes[axis].extent);
        if (!is_own(box, 0, range, pass.reduction.type.size(), pass.operands[0].offset))
          return false;
        continue;
      }
      const bool is_copy = box.part < pass.copies.size();
      for (std::size_t k = 0; k < box.box.first.size(); ++k) {
        const ComputedPiece* const piece =
            is_copy ? nullptr : &pass.pieces[box.part - pass.copies.size()];
        if (!is_of(is_copy ? pass.copies[box.part].source : piece->sources[k])) continue;
        Range range{box.box.first[k], box.box.first[k]};
        for (const JointLoop& loop : box.box.loops) {
          if (loop.steps[k].table) return false;
          range.add(loop.steps[k].step, loop.extent);
        }
        const std::int64_t element =
            is_copy ? pass.element() : pass.programs[piece->program].types[k].size();
        if (!is_own(box, k, range, element, 0)) return false;
      }
    }
    return true;
  }

  bool is_private(std::size_t p) const {
    return !candidates_[p].is_kept && candidates_[p].last_reader <= last_;
  }
  std::int64_t private_bytes() const {
    std::int64_t bytes = 0;
    for (std::size_t p = first_; p <= last_; ++p)
      if (is_private(p)) bytes += plan_.passes[p].bytes();
    return bytes;
  }
  /// Of all members, or 0 where one has too long rows.
  std::int64_t row_bytes() const {
    std::int64_t all = 0;
    for (std::size_t p = first_; p <= last_; ++p) {
      const std::int64_t own = plan_.passes[p].bytes() / rows_;
      // Larger passes are divided among threads.
      if (own >= parallel_bytes) return 0;
      all += own;
    }
    return all;
  }

  RowGroup made(std::int64_t row) const {
    RowGroup group;
    add_division(row, rows_ / fewest(), group);
    group.division.for_each_slab(0, rows_,
                                 [&](const RowSlab& slab) { group.slabs.push_back(slab); });
    group.share = std::max<std::int64_t>(
        1, std::min(task_bytes / (group.division.most * row), std::ssize(group.slabs) / fewest()));
    for (std::size_t p = first_; p <= last_; ++p) add_member(p, group);
    return group;
  }

  void add_division(std::int64_t row, std::int64_t most, RowGroup& group) const {
    group.division.most = std::clamp<std::int64_t>((slab_bytes >> limits_.shrink) / row, 1, most);
    auto& ends = group.division.ends;
    for (const RowBoxes& boxes : boxes_)
      for (const RowBox& box : boxes)
        for (const std::int64_t end : {box.begin, box.end})
          if (end > 0) ends.push_back(end);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  }

  void add_member(std::size_t p, RowGroup& group) const {
    const Pass& pass = plan_.passes[p];
    RowMember member{p, pass.bytes() / rows_, {}, {}};
    BlockLimits limits = limits_;
    limits.is_over_operand = candidates_[p].is_over_product;
    limits.streams = !is_private(p) && !limits.is_over_operand && pass.bytes() >= streamed_bytes;
    limits.ahead = ahead_of(p, group.division.most);
    member.steps =
        make_row_steps(pass, boxes_[p - first_], pass.count / rows_, group.division, limits);
    if (is_private(p)) {
      member.aside = group.private_bytes;
      group.private_bytes += in_lines(member.row_bytes * group.division.most);
    }
    // What members have made lies in the memory of the task, from the first row of the slab on.
    for (std::size_t k = 0; k < member.steps.segments.size(); ++k) {
      const std::size_t end = k + 1 < member.steps.segments.size()
                                  ? member.steps.segments[k + 1].feeds
                                  : member.steps.feeds.size();
      for (std::size_t feed = member.steps.segments[k].feeds; feed < end; ++feed)
        place(member.steps.feeds[feed], group, group.division.begin(k));
    }
    group.scratch_bytes =
        std::max(group.scratch_bytes,
                 in_lines(static_cast<std::int64_t>(member.steps.most_feeds() * sizeof(void*))) +
                     member.steps.scratch_bytes());
    group.members.push_back(std::move(member));
  }
  /// How far ahead a pass asks for what it reads: who reads what memory has is a little ahead of
  /// itself, and who reads that again, and computes meanwhile, asks for the next slab.
  std::int64_t ahead_of(std::size_t p, std::int64_t rows) const {
    const Pass& pass = plan_.passes[p];
    bool reads_memory = false;
    for (const RowBox& box : boxes_[p - first_]) {
      if (pass.is_reduced() || box.part < pass.copies.size() || box.steps.empty()) continue;
      const ComputedPiece& piece = pass.pieces[box.part - pass.copies.size()];
      for (std::size_t k = 0; k < piece.sources.size(); ++k) {
        const PlanSource& source = plan_.sources[piece.sources[k]];
        if (source.bytes() < parallel_bytes || is_member(source.pass)) continue;
        reads_memory = true;
        for (std::size_t q = first_; q < p; ++q)
          if (plan_.passes[q].reads(piece.sources[k]))
            return rows * box.steps[k] * pass.programs[piece.program].types[k].size();
      }
    }
    return reads_memory ? ask_ahead : 0;
  }
  void place(RowFeed& feed, const RowGroup& group, std::int64_t begin) const {
    const std::size_t by = plan_.sources[feed.source].pass;
    for (const RowMember& member : group.members) {
      if (member.pass != by || !member.aside) continue;
      feed = {RowFeed::aside, *member.aside + feed.first - begin * member.row_bytes, 0};
      return;
    }
  }

  const Plan& plan_;
  const std::span<const RowCandidate> candidates_;
  const BlockLimits& limits_;
  const std::int64_t rows_;
  const std::size_t product_ = PlanSource::stored;  // that they go behind, if any
  std::size_t first_, last_;                        // of the passes that go together
  std::vector<RowBoxes> boxes_;                     // of each of them
};

}  // namespace

std::int64_t RowGroup::bytes() const {
  std::int64_t all = static_cast<std::int64_t>(slabs.size() * sizeof(RowSlab) +
                                               division.ends.size() * sizeof(std::int64_t));
  for (const RowMember& member : members) all += member.steps.bytes();
  return all;
}

std::optional<RowGroup> find_row_group(const Plan& plan, std::size_t pass,
                                       std::span<const RowCandidate> candidates,
                                       const BlockLimits& limits) {
  return Finder(plan, pass, candidates, limits).run();
}

std::optional<RowGroup> find_rows_behind(const Plan& plan, std::size_t product,
                                         const ProductSteps& steps,
                                         std::span<const RowCandidate> candidates,
                                         const BlockLimits& limits) {
  return Finder(plan, product, steps, candidates, limits).run_behind(steps);
}

}  // namespace weft
