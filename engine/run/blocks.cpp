// SPDX-License-Identifier: Apache-2.0
// Cutting what is computed into blocks.
#include <weft/engine/run/blocks.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/bind_program.h>
#include <weft/engine/run/block_piece.h>
#include <weft/engine/run/cut_piece.h>
#include <weft/engine/run/over_operand.h>
#include <weft/engine/run/piece_layout.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

/// The bytes of lines in which what a piece reads of an operand lies.
double bytes_read(const ComputedPiece& piece, std::size_t operand, std::int64_t size) {
  auto read = static_cast<double>(piece.count());
  std::int64_t apart = cache_line;
  for (const JointLoop& loop : piece.box.loops) {
    const JointStep& step = loop.steps[operand];
    if (!step.table && step.step == 0) read /= static_cast<double>(loop.extent);
    else if (!step.table) apart = std::min(apart, std::abs(step.step) * size);
  }
  return read * static_cast<double>(std::max(apart, size));
}

bool is_integral(DType type) { return type == bool_ || type.is_integer(); }

/// Of how many bytes the copy takes as long as computing one element: less of narrow integers, of
/// which a vector has more.
double work_of_element(const PassProgram& program) {
  constexpr double copied_in_nanosecond = 64;
  constexpr std::int64_t wide = 4;
  double work = 0;
  for (std::size_t k = 0; k < program.steps.size(); ++k) {
    const PassProgram::Step& step = program.steps[k];
    std::int64_t bytes = 1;
    const auto add = [&](DType type) {
      bytes = std::max(bytes, is_integral(type) ? type.size() : std::max(wide, type.size()));
    };
    add(program.types[program.first_step() + k]);
    for (const std::uint32_t operand : step.operands) add(program.types[operand]);
    work += copied_in_nanosecond * cost_of(step) * static_cast<double>(bytes) / wide;
  }
  return work;
}

/// Of how many bytes the copy takes about as long as the pass.
std::int64_t work_of(const Pass& pass) {
  double work = 0;
  for (const ComputedPiece& piece : pass.pieces) {
    const PassProgram& program = pass.programs[piece.program];
    const auto count = static_cast<double>(piece.count());
    double moved = count * static_cast<double>(pass.element());
    for (std::size_t k = 0; k < program.reads; ++k)
      moved += bytes_read(piece, k, program.types[k].size());
    work += std::max(moved / 2, count * work_of_element(program));
  }
  for (const Copy& copy : pass.copies) work += static_cast<double>(copy.count() * pass.element());
  return std::llround(work);
}

/// Two threads have as much to do then.
std::int64_t even(std::int64_t tasks) { return tasks > 1 ? tasks + tasks % 2 : tasks; }

/// Into how many tasks a pass is divided: one where there is little to do.
std::int64_t most_tasks_of(const Pass& pass) {
  constexpr std::int64_t few = 256;  // elements, which are not worth a look
  std::int64_t work = pass.bytes();
  if (work < parallel_bytes && work >= few * pass.element()) work = work_of(pass);
  if (work < parallel_bytes) return 1;
  const std::int64_t share = share_of(work);
  return even((work + share / 2) / share);
}

/// Ranges of blocks of about equal work.
void divide(const Pass& pass, BlockSteps& steps) {
  const auto bytes_of = [&](std::size_t p) {
    return static_cast<double>(pass.pieces[steps.first_piece + p].count() * pass.element());
  };
  double all = 0;
  for (std::size_t p = 0; p < steps.pieces.size(); ++p) all += bytes_of(p);
  const std::int64_t tasks = even(std::llround(all * static_cast<double>(steps.most_tasks) /
                                               static_cast<double>(pass.bytes())));
  double before = 0;
  std::int64_t blocks = 0, end = 0, task = 1;
  for (std::size_t p = 0; p < steps.pieces.size(); ++p) {
    const double bytes = bytes_of(p), each = bytes / static_cast<double>(steps.pieces[p].blocks);
    for (; task < tasks; ++task) {
      const double begin = all / static_cast<double>(tasks) * static_cast<double>(task) - before;
      if (begin >= bytes) break;
      if (const std::int64_t next = blocks + std::llround(begin / each); next > end)
        steps.ends.push_back(end = next);
    }
    before += bytes;
    blocks += steps.pieces[p].blocks;
  }
  if (end < blocks || steps.ends.empty()) steps.ends.push_back(blocks);
}

/// Whether most of what some piece of a program reads and writes lies otherwise than its result: a
/// kernel would turn each operand, where links compute them as they lie and turn the result.
bool lies_otherwise(const Pass& pass, std::size_t program) {
  std::vector<std::int64_t> bytes;
  for (std::size_t value = 0; value < pass.programs[program].reads; ++value)
    bytes.push_back(pass.programs[program].types[value].size());
  return std::any_of(pass.pieces.begin(), pass.pieces.end(), [&](const ComputedPiece& piece) {
    return piece.program == program &&
           !PieceLayout(piece.box, bytes, pass.element()).is_of_result();
  });
}

/// The kernel that carries the program out by itself, or null.
const ComputeDefinition* kernel_of(const Pass& pass, std::size_t number, bool is_over_operand) {
  const PassProgram& program = pass.programs[number];
  const PassProgram::Step& last = program.steps.back();
  if (program.steps.size() > 1 || last.instruction->kernel.empty() ||
      (is_of_links(program) && lies_otherwise(pass, number)))
    return nullptr;
  const ComputeDefinition& kernel = compute_kernel(last.instruction->kernel);
  return is_over_operand && !kernel.may_write_over ? nullptr : &kernel;
}

/// What carries a program out.
void choose(const Pass& pass, std::size_t number, BlockSteps& steps) {
  const PassProgram& program = pass.programs[number];
  steps.kernel = kernel_of(pass, number, steps.is_over_operand);
  if (steps.kernel) return;
  if (!is_of_links(program)) {
    steps.single = program.steps.back().instruction;
    for (const std::uint32_t value : program.steps[0].operands)
      steps.single_types.push_back(program.types[value]);
    steps.made_type = program.types.back();
  } else {
    steps.program = bind_program(program, steps.streams || steps.ahead > 0);
    steps.constants = program.constants;
  }
}

BlockSteps steps_of(const Pass& pass, const BlockLimits& limits, std::size_t program, int shrink) {
  const std::int64_t most_bytes = limits.most_bytes;
  BlockSteps steps;
  steps.is_over_operand = limits.is_over_operand;
  steps.streams = limits.streams || pass.bytes() >= streamed_bytes;
  steps.ahead = limits.ahead;
  steps.most_tasks = most_tasks_of(pass);
  choose(pass, program, steps);
  const auto check = [&](std::int64_t bytes) {
    if (bytes <= most_bytes) return;
    throw MemoryError(
        fmt::format("eval: {} {}: the steps that compute it take more than the {} bytes that are "
                    "allowed",
                    pass.what, to_string(pass.type.shape), most_bytes));
  };
  const auto is_of = [&](const ComputedPiece& piece) { return piece.program == program; };
  const auto first = std::find_if(pass.pieces.begin(), pass.pieces.end(), is_of);
  const auto end = std::find_if_not(first, pass.pieces.end(), is_of);
  steps.first_piece = static_cast<std::size_t>(first - pass.pieces.begin());
  check((end - first) * std::int64_t{sizeof(BlockPiece)});
  steps.pieces.reserve(static_cast<std::size_t>(end - first));
  for (auto piece = first; piece != end; ++piece) {
    steps.pieces.push_back(make_block_piece(pass, *piece, shrink, steps));
    check(steps.bytes());
  }
  if (!steps.is_single()) steps.aside_bytes += steps.program.scratch_bytes();
  divide(pass, steps);
  return steps;
}

}  // namespace

std::string_view name_of(const BlockSteps& steps) {
  if (steps.kernel) return steps.kernel->name;
  return steps.single ? single_name : program_name;
}

Traffic traffic_of(const BlockPiece& piece, std::int64_t rows, std::int64_t columns) {
  Traffic traffic{0, rows * columns * piece.element};
  for (const BlockOperand& operand : piece.operands)
    traffic.read += rows * (operand.period > 0 ? operand.period : columns) * operand.bytes;
  return traffic;
}

std::int64_t tasks_of(const BlockSteps& steps, std::size_t p) {
  std::int64_t begin = 0, tasks = 0, task = 0;
  for (std::size_t before = 0; before < p; ++before) begin += steps.pieces[before].blocks;
  const std::int64_t end = begin + steps.pieces[p].blocks;
  for (const std::int64_t task_end : steps.ends) {
    if (task < end && task_end > begin) ++tasks;
    task = task_end;
  }
  return tasks;
}

BlockSteps make_block_steps(const Pass& pass, const BlockLimits& limits, std::size_t program) {
  BlockSteps steps = steps_of(pass, limits, program, limits.shrink);
  // Blocks of one element are as small as they can be.
  for (int shrink = limits.shrink + 1;
       limits.is_tight && steps.scratch_bytes() > 0 && largest_block >> shrink > 0; ++shrink)
    steps = steps_of(pass, limits, program, shrink);
  return steps;
}

}  // namespace weft
