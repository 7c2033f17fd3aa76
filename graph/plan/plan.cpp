// SPDX-License-Identifier: Apache-2.0
// What a plan that is made is asked.
#include <weft/graph/plan/plan.h>

#include <fmt/format.h>

#include <weft/graph/indexed.h>

namespace weft {

void Copy::add_within(const Loop& loop) {
  if (loop.extent == 1) return;
  if (!loops.empty()) {
    Loop& outer = loops.back();
    if (outer.is_plain() && loop.is_plain() && outer.out_stride == loop.extent * loop.out_stride &&
        outer.src_stride == loop.extent * loop.src_stride) {
      outer = {outer.extent * loop.extent, loop.out_stride, loop.src_stride};
      return;
    }
  }
  loops.push_back(loop);
}

Plan make_plan(const Expression& expression, const PlanLimits& limits) {
  return make_plan(expression, limits, read_stored_indices(expression));
}

void find_alias(const Plan& plan, PlanOutput& output, DType dtype) {
  const Pass& pass = plan.passes[output.pass];
  if (pass.copies.size() != 1 || pass.is_of_whole()) return;
  const Copy& copy = pass.copies[0];
  const PlanSource& source = plan.sources[copy.source];
  const bool is_run = copy.loops.empty() || (copy.loops.size() == 1 && copy.loops[0].is_run());
  // A small part would keep all of a large buffer alive.
  if (!is_run || source.pass != PlanSource::stored || copy.count() != pass.count ||
      pass.bytes() < source.bytes() / 2)
    return;
  // Elements of another type may begin where no element of that type should.
  const std::int64_t alignment = dtype.size() & -dtype.size();
  if (copy.src_offset * pass.element() % alignment != 0) return;
  output.is_alias = true;
  output.source = copy.source;
  output.offset = copy.src_offset;
}

std::string flaw_of_cover(const Plan& plan) {
  for (const Pass& pass : plan.passes)
    if (pass.is_painted ? pass.written() < pass.count : pass.written() != pass.count)
      return fmt::format("the boxes for {} {} hold {} elements, expected each of {} once",
                         pass.what, to_string(pass.type.shape), pass.written(), pass.count);
  return {};
}

}  // namespace weft
