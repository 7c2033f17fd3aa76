// SPDX-License-Identifier: Apache-2.0
// Making and running what has some rows of a pass.
#include <weft/engine/run/row_steps.h>

#include <algorithm>
#include <utility>

namespace weft {
namespace {

bool are_same(const JointBox& a, const JointBox& b) {
  return a.offset == b.offset &&
         std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
                    [](const JointLoop& x, const JointLoop& y) {
                      return x.extent == y.extent && x.stride == y.stride &&
                             std::equal(x.steps.begin(), x.steps.end(), y.steps.begin(),
                                        y.steps.end());
                    });
}
bool are_same(const Copy& a, const Copy& b) {
  return a.out_offset == b.out_offset &&
         std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
                    [](const Loop& x, const Loop& y) {
                      return x.extent == y.extent && x.out_stride == y.out_stride &&
                             x.src_stride == y.src_stride && x.src_table == y.src_table;
                    });
}
bool are_same(const ComputedPiece& a, const ComputedPiece& b) {
  return a.program == b.program && are_same(a.box, b.box);
}
bool are_same(const PassReduction& a, const PassReduction& b) {
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [](const PassReduction::Axis& x, const PassReduction::Axis& y) {
                      return x.extent == y.extent && x.stride == y.stride;
                    });
}
/// Of passes that are forms of the same one.
bool are_same(const Pass& a, const Pass& b) {
  const auto same = [](const auto& x, const auto& y) { return are_same(x, y); };
  return a.count == b.count && are_same(a.reduction, b.reduction) &&
         std::equal(a.copies.begin(), a.copies.end(), b.copies.begin(), b.copies.end(), same) &&
         std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(), same);
}

Copy copy_of(JointBox box, std::size_t source) {
  Copy copy{source, 0, box.offset, 0, {}};
  for (const JointLoop& loop : box.loops)
    copy.loops.push_back({loop.extent, loop.stride, loop.steps[0].step, loop.steps[0].table});
  return copy;
}

class Maker {
 public:
  Maker(const Pass& pass, const RowBoxes& boxes, std::int64_t width, const RowDivision& division,
        const BlockLimits& limits)
      : pass_(pass), boxes_(boxes), width_(width), division_(division), limits_(limits) {}

  RowSteps run() {
    for (std::size_t k = 0; k < division_.ends.size(); ++k) add_segment(k);
    return std::move(made_);
  }

 private:
  void add_segment(std::size_t k) {
    const std::int64_t begin = division_.begin(k), end = division_.ends[k];
    active_.clear();
    for (const RowBox& box : boxes_)
      if (box.begin <= begin && box.end >= end) active_.push_back(&box);
    RowSteps::Segment segment{made_.feeds.size(), {}};
    add_feeds(begin);
    division_.for_each_size(k, [&](std::int64_t rows) {
      segment.forms.push_back(static_cast<std::uint32_t>(form_of(rows)));
    });
    made_.segments.push_back(std::move(segment));
  }

  void add_feeds(std::int64_t begin) {
    const auto add = [&](std::size_t source, std::int64_t bytes, const RowBox& box, std::size_t k) {
      const std::int64_t step = box.steps.empty() ? 0 : box.steps[k];
      made_.feeds.push_back(
          {source, (box.box.first[k] + (begin - box.begin) * step) * bytes, step * bytes});
    };
    for (const RowBox* const box : active_) {
      if (pass_.is_reduced()) {
        add(pass_.operands[0].source, pass_.reduction.type.size(), *box, 0);
        made_.feeds.back().first += pass_.operands[0].offset;
      } else if (box->part < pass_.copies.size()) {
        add(pass_.copies[box->part].source, pass_.element(), *box, 0);
      } else {
        const ComputedPiece& piece = pass_.pieces[box->part - pass_.copies.size()];
        const PassProgram& program = pass_.programs[piece.program];
        for (std::size_t k = 0; k < piece.sources.size(); ++k)
          add(piece.sources[k], program.types[k].size(), *box, k);
      }
    }
    for (const PassProgram& program : pass_.programs)
      for (const std::size_t source : program.constants) made_.feeds.push_back({source, 0, 0});
  }

  std::size_t form_of(std::int64_t rows) {
    Pass pass = pass_of(rows);
    for (std::size_t k = 0; k < made_.forms.size(); ++k)
      if (made_.forms[k].rows == rows && are_same(made_.forms[k].pass, pass)) return k;
    RowForm& form = made_.forms.emplace_back(RowForm{rows, std::move(pass)});
    if (form.pass.is_reduced()) form.reduce = make_reduce_steps(form.pass);
    if (!form.pass.copies.empty())
      form.steps = make_pass_steps(form.pass, {.is_beside_blocks = form.pass.has_program()});
    for (const ComputedPiece& piece : form.pass.pieces)
      if (&piece == &form.pass.pieces.front() || piece.program != (&piece - 1)->program)
        form.blocks.push_back(make_block_steps(form.pass, limits_, piece.program));
    return made_.forms.size() - 1;
  }

  /// The active boxes in so many rows; what they read is numbered as feeds are.
  Pass pass_of(std::int64_t rows) const {
    Pass pass{pass_.what, {pass_.type.dtype, {rows, width_}}, rows * width_, {}, false};
    std::size_t feed = 0;
    if (pass_.is_reduced()) {
      pass.reduction = {pass_.reduction.reducer, pass_.reduction.type, {}};
      pass.operands.push_back({feed});
      if (rows > 1) pass.reduction.axes.push_back({rows, active_[0]->steps[0], false});
      for (std::size_t axis = active_[0]->part; axis < pass_.reduction.axes.size(); ++axis)
        pass.reduction.axes.push_back(pass_.reduction.axes[axis]);
      return pass;
    }
    pass.programs = pass_.programs;
    for (const RowBox* const box : active_) {
      JointBox own = in_rows(*box, rows, width_);
      for (std::int64_t& first : own.first) first = 0;
      if (box->part < pass_.copies.size()) {
        pass.copies.push_back(copy_of(std::move(own), feed++));
        continue;
      }
      const ComputedPiece& planned = pass_.pieces[box->part - pass_.copies.size()];
      ComputedPiece piece{std::move(own), {}, planned.program};
      for (std::size_t k = 0; k < planned.sources.size(); ++k) piece.sources.push_back(feed++);
      pass.pieces.push_back(std::move(piece));
    }
    for (PassProgram& program : pass.programs)
      for (std::size_t& source : program.constants) source = feed++;
    return pass;
  }

  const Pass& pass_;
  const RowBoxes& boxes_;
  const std::int64_t width_;
  const RowDivision& division_;
  const BlockLimits& limits_;
  std::vector<const RowBox*> active_;  // of the segment at hand
  RowSteps made_;
};

}  // namespace

std::int64_t RowForm::scratch_bytes() const {
  std::int64_t most = reduce ? reduce->alone_bytes() : 0;
  for (const BlockSteps& each : blocks) most = std::max(most, each.alone_bytes());
  return most;
}

std::int64_t RowForm::bytes() const {
  std::int64_t all = static_cast<std::int64_t>(sizeof(RowForm) + pass.copies.size() * sizeof(Copy) +
                                               pass.pieces.size() * sizeof(ComputedPiece));
  for (const BlockSteps& each : blocks) all += each.bytes();
  return all + steps.bytes();
}

std::size_t RowSteps::most_feeds() const {
  std::size_t most = 0;
  for (std::size_t k = 0; k < segments.size(); ++k)
    most = std::max(
        most, (k + 1 < segments.size() ? segments[k + 1].feeds : feeds.size()) - segments[k].feeds);
  return most;
}

std::int64_t RowSteps::scratch_bytes() const {
  std::int64_t most = 0;
  for (const RowForm& form : forms) most = std::max(most, form.scratch_bytes());
  return most;
}

std::int64_t RowSteps::bytes() const {
  std::int64_t all =
      static_cast<std::int64_t>(feeds.size() * sizeof(RowFeed) + segments.size() * sizeof(Segment));
  for (const RowForm& form : forms) all += form.bytes();
  return all;
}

RowSteps make_row_steps(const Pass& pass, const RowBoxes& boxes, std::int64_t width,
                        const RowDivision& division, const BlockLimits& limits) {
  return Maker(pass, boxes, width, division, limits).run();
}

void run(const RowSteps& steps, const RowSlab& slab, std::int64_t segment_begin, std::byte* out,
         std::span<const std::byte* const> sources, std::byte* aside, std::byte* scratch) noexcept {
  const RowForm& form = steps.form(slab);
  const RowSteps::Segment& segment = steps.segments[slab.segment];
  const std::size_t end = slab.segment + std::size_t{1} < steps.segments.size()
                              ? steps.segments[slab.segment + 1].feeds
                              : steps.feeds.size();
  auto* const from = reinterpret_cast<const std::byte**>(scratch);
  for (std::size_t k = segment.feeds; k < end; ++k) {
    const RowFeed& feed = steps.feeds[k];
    const std::byte* const base = feed.source == RowFeed::aside ? aside : sources[feed.source];
    from[k - segment.feeds] = base + (feed.first + (slab.begin - segment_begin) * feed.step);
  }
  const std::span<const std::byte* const> own(from, end - segment.feeds);
  constexpr std::int64_t line = cache_line;
  std::byte* const rest =
      scratch + (std::ssize(own) * std::int64_t{sizeof(*from)} + line - 1) / line * line;
  if (form.reduce) return run_alone(*form.reduce, out, own, rest);
  for (const Step& step : form.steps.steps) run(step, out, own);
  for (const BlockSteps& blocks : form.blocks) run_alone(blocks, out, own, rest);
}

}  // namespace weft
