// SPDX-License-Identifier: Apache-2.0
// Finding sources that are the result already, but for what is written over them.
#include <weft/engine/run/in_place.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <vector>

#include <weft/engine/kernels/move/in_place.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/over_operand.h>
#include <weft/engine/run/pass_steps.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/plan/by_kind.h>
#include <weft/graph/plan/staging.h>

namespace weft {
namespace {

bool is_identity(const Copy& copy) {
  return copy.out_offset == copy.src_offset &&
         std::all_of(copy.loops.begin(), copy.loops.end(), [](const Loop& loop) {
           return loop.is_plain() && loop.out_stride == loop.src_stride;
         });
}

const Pass& pass_of(const Plan& plan, std::size_t output) {
  return plan.passes[plan.outputs[output].pass];
}

/// Whether an output could lie where the source lies, whoever holds that.
bool is_as_large(const Plan& plan, std::size_t output, const PlanSource& source) {
  return source.pass == PlanSource::stored && source.bytes() == pass_of(plan, output).bytes() &&
         is_whole_block(source.value, source.bytes());
}

/// How many elements of a source the output has elsewhere.
std::int64_t moved(const Plan& plan, std::size_t output, std::size_t source) {
  const Pass& pass = pass_of(plan, output);
  std::int64_t count = 0;
  if (pass.is_of_whole()) return count;  // which reads where it likes
  for (const Copy& copy : pass.copies)
    if (copy.source == source && !is_kept(copy, pass)) count += copy.count();
  return count;
}

/// Whether somebody looks at a source when the output has been made.
bool is_read_later(const Plan& plan, std::size_t output, std::size_t source) {
  for (const PlanOutput& other : plan.outputs)
    if (other.is_alias && other.source == source) return true;
  for (std::size_t p = plan.outputs[output].pass + 1; p < plan.passes.size(); ++p)
    if (plan.passes[p].reads(source)) return true;
  return false;
}

bool is_base(const Plan& plan, std::size_t output, std::size_t s, bool at_any_cost) {
  const Pass& pass = pass_of(plan, output);
  if (pass.is_of_whole() || !is_as_large(plan, output, plan.sources[s])) return false;
  if (pass.has_program()) return may_write_over(pass, s) && !is_read_later(plan, output, s);
  const std::int64_t gone = moved(plan, output, s);
  const bool is_worth_it =
      (at_any_cost && gone > 0) ||
      (gone <= pass.count / 4 &&
       std::any_of(pass.copies.begin(), pass.copies.end(),
                   [&](const Copy& copy) { return copy.source == s && is_kept(copy, pass); }));
  return is_worth_it && !is_read_later(plan, output, s);
}

}  // namespace

bool is_kept(const Copy& copy, const Pass& pass) {
  // What is painted over something is not there before.
  return copy.layer == pass.copies.front().layer && is_identity(copy);
}

SmallVector<std::size_t, 4> bases(const Plan& plan, std::size_t output, bool at_any_cost) {
  SmallVector<std::size_t, 4> list;
  if (plan.outputs[output].is_alias) return list;
  // Of many sources few are read by one of many outputs.
  SmallVector<std::size_t, 4> read;
  pass_of(plan, output).for_each_source([&](std::size_t source) {
    if (read.empty() || read.back() != source) read.push_back(source);
  });
  std::sort(read.begin(), read.end());
  const auto end = std::unique(read.begin(), read.end());
  for (auto s = read.begin(); s != end; ++s)
    if (is_base(plan, output, *s, at_any_cost)) list.push_back(*s);
  return list;
}

OverBase over_base(const Pass& pass, std::size_t base, std::size_t sources) {
  OverBase parts{{pass.what, pass.type, pass.count, {}, pass.is_painted},
                 {pass.what, {pass.type.dtype, {}}, 0, {}, false}};
  for (Copy copy : pass.copies) {
    if (copy.source == base && is_kept(copy, pass)) continue;
    if (copy.source == base) {
      parts.moved.copies.push_back(gather_first(copy, sources, parts.moved.count));
      parts.moved.count += parts.moved.copies.back().count();
    }
    parts.pass.copies.push_back(std::move(copy));
  }
  parts.moved.type.shape = {parts.moved.count};
  // What the base alone was painted over by is written in any order.
  const std::vector<Copy>& left = parts.pass.copies;
  if (!left.empty() && left.front().layer == left.back().layer) parts.pass.is_painted = false;
  return parts;
}

namespace {

/// Reads all of `from`, which is not empty, and writes it into a tensor of that shape, from `start`
/// on in steps of `step`.
Copy put(const Shape& from, const Shape& to, const Index& start, const Index& step) {
  Copy copy{0, 0, 0, 0, {}};
  std::int64_t out = 1, src = 1;
  for (std::size_t axis = to.size(); axis-- > 0;) {
    Loop loop{from[axis], step[axis] * out, src};
    copy.out_offset += start[axis] * out;
    out *= to[axis];
    src *= from[axis];
    if (loop.extent == 1) continue;
    if (loop.out_stride < 0) {
      copy.out_offset += (loop.extent - 1) * loop.out_stride;
      copy.src_offset += (loop.extent - 1) * loop.src_stride;
      loop.out_stride = -loop.out_stride;
      loop.src_stride = -loop.src_stride;
    }
    Loop* const inner = copy.loops.empty() ? nullptr : &copy.loops.back();
    if (inner && loop.out_stride == inner->extent * inner->out_stride &&
        loop.src_stride == inner->extent * inner->src_stride)
      inner->extent *= loop.extent;
    else copy.loops.push_back(loop);
  }
  std::reverse(copy.loops.begin(), copy.loops.end());
  return copy;
}

}  // namespace

namespace {

/// Whether it has no value, but all its inputs have.
bool has_stored_inputs(const Node& node) {
  bool are_stored = true;
  return node.for_each_input([&](const NodePtr& input) { are_stored &= input->is_stored(); }) &&
         are_stored;
}

}  // namespace

Storage replaced(const Node& root, int threads) {
  const Movement* const movement = root.operation().as<Movement>();
  Index start, step;
  if (!movement || !movement->replaces(start, step) || !has_stored_inputs(root)) return nullptr;
  std::optional<NodeInputs> inputs = root.inputs();
  if (!inputs) return nullptr;
  const Shape from = (*inputs)[1]->shape();
  const std::int64_t count = (*inputs)[1]->count();
  if (count == 0 || count == root.count()) return nullptr;  // nothing is written, or nothing kept
  Storage data = (*inputs)[0]->value();
  const Storage updates = (*inputs)[1]->value();
  const bool may_overlap = !data.owner_before(updates) && !updates.owner_before(data);
  if (may_overlap || !is_whole_block(data, root.bytes())) return nullptr;
  Pass pass{{}, {root.dtype(), root.shape()}, root.count(), {}, false};
  pass.copies.push_back(put(from, root.shape(), start, step));
  inputs.reset();
  if (!root.withhold(data)) return nullptr;
  const std::byte* const source = updates.get();
  const auto out = std::const_pointer_cast<std::byte>(data);
  const PassSteps steps = make_pass_steps(pass, {.is_over_base = true, .is_once = true});
  run(steps, pass, out.get(), {&source, 1}, threads);
  return data;
}

std::optional<CyclicMap> turn_of(const Node& root) {
  CyclicMap map = CyclicMap::identity(root.rank());
  NodePtr held;
  const Node* node = &root;
  while (!node->is_stored()) {
    if (!by_kind::composes(*node)) return {};
    by_kind::compose(*node, map);
    const std::optional<NodeInputs> inputs = node->inputs();
    if (!inputs) return {};
    held = (*inputs)[0];
    node = held.get();
  }
  for (std::size_t axis = 0; axis < map.axes.size(); ++axis)
    if (map.axes[axis] != static_cast<std::int32_t>(axis)) return {};
  return map;
}

bool can_turn(const Plan& plan) {
  return plan.sources.size() == 1 && plan.outputs.size() == 1 && !plan.is_alias() &&
         is_as_large(plan, 0, plan.sources[0]);
}

void turn_in_place(std::byte* data, const Shape& shape, const CyclicMap& turn, std::int64_t element,
                   int threads) {
  // Rows that are turned, each whole, by some tasks.
  struct Rows {
    std::int64_t count, extent, unit, shift;
    bool is_reversed;
    std::int64_t bytes() const { return extent * unit; }
    std::int64_t share() const { return std::max<std::int64_t>(1, task_bytes / bytes()); }
    std::int64_t tasks() const { return (count + share() - 1) / share(); }
  };
  std::vector<Rows> turns;
  std::int64_t unit = element * element_count(shape), count = 1, most_tasks = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    unit /= shape[axis];
    const Rows rows{count, shape[axis], unit, turn.shift[axis] * unit, turn.reversed[axis]};
    count *= shape[axis];
    if (rows.shift == 0 && !rows.is_reversed) continue;
    turns.push_back(rows);
    most_tasks = std::max(most_tasks, rows.tasks());
  }
  // From here on nothing is allocated: what is half turned could not be read again.
  std::vector<unsigned char> done(static_cast<std::size_t>(most_tasks));
  for (const Rows& rows : turns) {
    const std::span<unsigned char> some(done.data(), static_cast<std::size_t>(rows.tasks()));
    std::fill(some.begin(), some.end(), 0);
    const auto task = [&](std::int64_t t) {
      const std::int64_t share = rows.share();
      for (std::int64_t r = t * share; r < std::min(rows.count, (t + 1) * share); ++r) {
        std::byte* const row = data + r * rows.bytes();
        if (rows.is_reversed) reverse_in_place(row, rows.extent, rows.unit);
        if (rows.shift != 0) rotate_in_place(row, rows.bytes() - rows.shift, rows.shift);
      }
    };
    finish_tasks(some, threads, std::ref(task));
  }
}

InPlace in_place_of(const Node& root, const Plan& plan, bool at_any_cost) {
  InPlace refused{false, false, "nothing it is made of has its size and is memory of weft's own"};
  if (plan.is_alias()) return {false, false, "it lies in memory already"};
  const bool turns = can_turn(plan) && turn_of(root);
  for (std::size_t s = 0; s < plan.sources.size(); ++s) {
    if (!is_as_large(plan, 0, plan.sources[s])) continue;
    const std::string source = fmt::format("source {}", s);
    const std::int64_t gone = moved(plan, 0, s);
    if (!turns && !is_base(plan, 0, s, at_any_cost))
      refused.text = gone > 0 ? fmt::format("{} elements of {} would have to move", gone, source)
                     : pass_of(plan, 0).reads(s) && pass_of(plan, 0).has_program()
                         ? fmt::format("{} is read elsewhere than it would be written", source)
                         : fmt::format("{} is no part of the result", source);
    else if (root.may_withhold(plan.sources[s].value)) return {true, false, source};
    else refused = {false, true, source + " is held elsewhere, too"};
  }
  return refused;
}

}  // namespace weft
