// SPDX-License-Identifier: Apache-2.0
// Running programs: whole groups where elements lie, what is left of a row in memory of the task.
#include <weft/engine/kernels/compute/run_program.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <weft/engine/kernels/counting.h>

namespace weft {
namespace {

constexpr std::int64_t line = 64;

std::int64_t whole_lines(std::int64_t bytes) { return (bytes + line - 1) / line * line; }

template <class T>
void fill(std::byte* to, const std::byte* from, std::int64_t count) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  std::fill_n(reinterpret_cast<T*>(to), count, value);
}

/// A group of one element.
void fill(std::byte* to, const std::byte* from, std::int64_t element, std::int64_t count) {
  if (element == 1) fill<std::uint8_t>(to, from, count);
  else if (element == 2) fill<std::uint16_t>(to, from, count);
  else if (element == 4) fill<std::uint32_t>(to, from, count);
  else fill<std::uint64_t>(to, from, count);
}

/// What begins with so many bytes goes on with them again and again, until there are `bytes`.
void go_on(std::byte* to, std::int64_t period, std::int64_t bytes) {
  for (std::int64_t done = period; done < bytes; done *= 2)
    std::memcpy(to + done, to, static_cast<std::size_t>(std::min(done, bytes - done)));
}
void repeat(std::byte* to, const std::byte* from, std::int64_t period, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(period));
  go_on(to, period, bytes);
}

}  // namespace

std::int64_t BoundProgram::scratch_bytes() const {
  const std::int64_t group = core->group;
  std::int64_t bytes =
      whole_lines(static_cast<std::int64_t>(2 * places() * sizeof(Place))) +
      whole_lines(static_cast<std::int64_t>(links.size() * sizeof(Link))) +
      whole_lines(static_cast<std::int64_t>(row_links() * sizeof(Link))) +
      whole_lines(static_cast<std::int64_t>(read_bytes.size() * sizeof(ProgramOperand)));
  for (const std::int64_t element : read_bytes) bytes += whole_lines(element * group);
  bytes += std::ssize(constant_bytes) * whole_lines(slot_bytes);
  return bytes + static_cast<std::int64_t>(slots) * whole_lines(slot_bytes) +
         whole_lines(result_bytes * group);
}

ProgramRun::ProgramRun(const BoundProgram& program, const ProgramManner& manner, std::byte* scratch,
                       const std::byte* const* sources,
                       std::span<const std::size_t> constants) noexcept
    : program_(program),
      manner_(manner),
      free_(scratch),
      places_(take_array<Place>(2 * program.places())),
      own_(places_ + program.places()),
      links_(take_array<Link>(program.links.size())),
      row_links_(take_array<Link>(program.row_links())),
      operands_(take_array<ProgramOperand>(program.read_bytes.size())) {
  const std::int64_t group = program.core->group;
  std::copy(program.links.begin(), program.links.end(), links_);
  Place* place = own_;
  for (const std::int64_t element : program.read_bytes) *place++ = {take(element * group), 0};
  for (std::size_t k = 0; k < program.constant_bytes.size(); ++k) {
    const std::int64_t element = program.constant_bytes[k];
    *place = {take(program.slot_bytes), 0};
    fill(place++->at, sources[constants[k]], element, group);
  }
  for (std::size_t k = 0; k < program.slots; ++k) *place++ = {take(program.slot_bytes), 0};
  *place = {take(program.result_bytes * group), 0};
  if (!program.prelude.empty()) program.core->run(program.prelude.data(), own_, 0, 1);
  std::copy_n(own_, program.places(), places_);
}

std::byte* ProgramRun::take(std::int64_t bytes) noexcept {
  return std::exchange(free_, free_ + whole_lines(bytes));
}

/// Groups of fewer elements compute with what memory has behind them: numbers that no processor is
/// slow with.
void ProgramRun::clear_own(const ProgramBlock& block) noexcept {
  if (std::exchange(is_clear_, true)) return;
  const std::int64_t group = program_.core->group;
  for (std::size_t k = 0; k < block.operands.size(); ++k)
    if (block.operands[k].period == 0)
      std::memset(own_[k].at, 0, static_cast<std::size_t>(program_.read_bytes[k] * group));
}

/// But functions of one's own get the same elements again and again, each beside what it is beside
/// in its row: of others nobody has asked them.
void ProgramRun::fill_own(std::size_t k, std::int64_t count) noexcept {
  const std::int64_t element = program_.read_bytes[k];
  if (program_.calls_functions) go_on(own_[k].at, count * element, program_.core->group * element);
}

void ProgramRun::carry_out(const ProgramBlock& block) noexcept {
  const CountedRun counted(program_name);
#ifdef WEFT_CHECK_INVARIANTS
  const Traffic moved = traffic_of(program_, block);
  count_moved(moved.read, moved.written);
#endif
  if (block.rows > 1 && block.columns < program_.core->group)
    return has_rows_in_place(block) ? run_rows_in_place(block) : run_short_rows(block);
  for (std::int64_t row = 0; row < block.rows; ++row) run_row(block, row);
}

void ProgramRun::run_short_rows(const ProgramBlock& block) noexcept {
  clear_own(block);
  const CoreLinks& core = *program_.core;
  const std::int64_t most = core.group / block.columns,
                     result = block.columns * program_.result_bytes;
  const bool streams =
      manner_.streams && block.may_stream &&
      (reinterpret_cast<std::intptr_t>(block.out) | block.out_pitch | result) % line == 0;
  const auto put = streams ? core.stream_rows : core.copy_rows;
  for (std::int64_t row = 0; row < block.rows; row += most) {
    const std::int64_t rows = std::min(most, block.rows - row);
    for (std::size_t k = 0; k < block.operands.size(); ++k) {
      const ProgramOperand& operand = block.operands[k];
      if (operand.pitch == 0 && row > 0) continue;
      const std::byte* const from = operand.at + row * operand.pitch;
      const std::int64_t element = program_.read_bytes[k], bytes = block.columns * element;
      if (operand.period == 0 && operand.pitch == bytes)
        core.copy_rows(own_[k].at, 0, from, 0, 1, rows * bytes);
      else if (operand.period == 0)
        core.copy_rows(own_[k].at, bytes, from, operand.pitch, operand.pitch == 0 ? most : rows,
                       bytes);
      else if (operand.pitch == 0) put_period(operand, k, from, most * block.columns, own_[k].at);
      else
        for (std::int64_t r = 0; r < rows; ++r)
          put_period(operand, k, from + r * operand.pitch, block.columns, own_[k].at + r * bytes);
      if (row == 0) fill_own(k, rows * block.columns);
    }
    core.run(links_ + program_.asks, own_, 0, 1);
    put(block.out + row * block.out_pitch, block.out_pitch, own_[program_.result_place()].at,
        result, rows, result);
  }
}

bool ProgramRun::has_rows_in_place(const ProgramBlock& block) const noexcept {
  const CoreLinks& core = *program_.core;
  if (block.columns < core.fewest || 2 * block.columns <= core.group) return false;
  if (program_.calls_functions || (manner_.streams && block.may_stream)) return false;
  return std::none_of(block.operands.begin(), block.operands.end(),
                      [](const ProgramOperand& operand) { return operand.period > 1; });
}

void ProgramRun::run_rows_in_place(const ProgramBlock& block) noexcept {
  make_row_links(block.columns);
  std::int64_t at_once = block.rows;  // rows for which what they repeat is the same
  for (std::size_t k = 0; k < block.operands.size(); ++k) {
    const ProgramOperand& operand = block.operands[k];
    const Place lies =
        operand.period > 0 ? own_[k] : Place{const_cast<std::byte*>(operand.at), operand.pitch};
    places_[k] = program_.is_at_hand[k] ? own_[k] : lies;
    places_[program_.further_place(k)] = lies;
    if (operand.period > 0 && operand.pitch != 0) at_once = 1;
  }
  places_[program_.result_place()] = {block.out, block.out_pitch};
  for (std::int64_t row = 0; row < block.rows; row += at_once) {
    put_periods(block, row);
    program_.core->run(row_links_, places_, row, row + at_once);
  }
}

/// What links find where it lies is put aside first: they read whole groups.
void ProgramRun::make_row_links(std::int64_t columns) noexcept {
  if (std::exchange(row_columns_, columns) == columns) return;
  const CoreLinks& core = *program_.core;
  const auto count = static_cast<std::uint16_t>(columns);
  Link* link = row_links_;
  for (std::size_t k = 0; k < program_.read_bytes.size(); ++k) {
    if (!program_.is_at_hand[k]) continue;
    const std::uint8_t type = program_.read_types[k];
    *link++ = {core.load_row[type], {static_cast<std::uint16_t>(program_.further_place(k)), count}};
    *link++ = {core.store[type], {static_cast<std::uint16_t>(k), 0}};
  }
  for (std::size_t k = program_.asks; k < program_.links.size(); ++k) {
    *link = program_.links[k];
    if (k == program_.result) *link = {program_.store_row, {link->places[0], count}};
    else if (link->loads != Link::none && !program_.is_at_hand[link->places[0]])
      *link = {core.load_row[link->loads], {link->places[0], count}};
    ++link;
  }
}

/// What a row repeats, as often as it has room for so many elements.
void ProgramRun::put_period(const ProgramOperand& operand, std::size_t k, const std::byte* from,
                            std::int64_t count, std::byte* to) const noexcept {
  const std::int64_t element = program_.read_bytes[k];
  if (operand.period == 1) fill(to, from, element, count);
  else repeat(to, from, operand.period * element, count * element);
}

void ProgramRun::put_periods(const ProgramBlock& block, std::int64_t row) noexcept {
  const std::int64_t group = program_.core->group;
  for (std::size_t k = 0; k < block.operands.size(); ++k) {
    const ProgramOperand& operand = block.operands[k];
    if (operand.period == 0 || (row > 0 && operand.pitch == 0)) continue;
    put_period(operand, k, operand.at + row * operand.pitch, group, own_[k].at);
  }
}

void ProgramRun::run_row(const ProgramBlock& block, std::int64_t row) noexcept {
  const std::int64_t group = program_.core->group;
  put_periods(block, row);
  // What goes past the caches does so by whole lines.
  const std::byte* const out = block.out + row * block.out_pitch;
  const std::int64_t before = -reinterpret_cast<std::intptr_t>(out) & (line - 1);
  const bool streams = manner_.streams && block.may_stream && before % program_.result_bytes == 0;
  const std::int64_t head = streams ? std::min(before / program_.result_bytes, block.columns) : 0;
  for (std::int64_t done = 0; done < head; done += group)
    run_aside(block, row, done, std::min(group, head - done));
  const std::int64_t whole = (block.columns - head) / group;
  if (whole > 0) run_groups(block, row, head, whole, streams);
  const std::int64_t done = head + whole * group;
  if (done == block.columns) return;
  // What is left takes as long as a group, so it is computed as one that begins earlier.
  if (whole > 0 && !streams && !manner_.is_over_operand)
    run_groups(block, row, block.columns - group, 1, false);
  else run_aside(block, row, done, block.columns - done);
}

void ProgramRun::run_groups(const ProgramBlock& block, std::int64_t row, std::int64_t first,
                            std::int64_t groups, bool streams) noexcept {
  const std::int64_t group = program_.core->group, element = program_.result_bytes;
  const bool asks = streams || manner_.asks;
  const std::size_t reads = block.operands.size(), result = program_.result_place();
  for (std::size_t k = 0; k < reads; ++k)
    places_[k] = block.operands[k].period > 0
                     ? own_[k]
                     : Place{const_cast<std::byte*>(found(block, row, k, first)),
                             group * program_.read_bytes[k]};
  places_[result] = {block.out + row * block.out_pitch + first * element, group * element};
  const std::size_t begin = asks ? ask(block) : program_.asks;
  Link& storing = links_[program_.result];
  const Link::Run plain = program_.links[program_.result].run;
  storing.run = streams ? program_.stream : plain;
  program_.core->run(links_ + begin, places_, 0, groups);
  storing.run = plain;
}

std::size_t ProgramRun::ask(const ProgramBlock& block) noexcept {
  std::size_t begin = program_.asks;
  Place* const asked = places_ + program_.further_place(0);
  for (std::size_t k = program_.asks; k-- > 0;) {
    const ProgramOperand& operand = block.operands[k];
    if (operand.period > 0 || (operand.pitch == 0 && block.rows > 1)) continue;
    asked[k] = {places_[k].at + manner_.ahead, places_[k].step};
    links_[--begin] = program_.links[k];
  }
  return begin;
}

void ProgramRun::run_aside(const ProgramBlock& block, std::int64_t row, std::int64_t first,
                           std::int64_t count) noexcept {
  clear_own(block);
  const std::int64_t element = program_.result_bytes;
  for (std::size_t k = 0; k < block.operands.size(); ++k) {
    if (block.operands[k].period > 0) continue;
    std::memcpy(own_[k].at, found(block, row, k, first),
                static_cast<std::size_t>(count * program_.read_bytes[k]));
    fill_own(k, count);
  }
  program_.core->run(links_ + program_.asks, own_, 0, 1);
  std::memcpy(block.out + row * block.out_pitch + first * element, own_[program_.result_place()].at,
              static_cast<std::size_t>(count * element));
}

const std::byte* ProgramRun::found(const ProgramBlock& block, std::int64_t row, std::size_t k,
                                   std::int64_t first) const noexcept {
  const ProgramOperand& operand = block.operands[k];
  return operand.at + row * operand.pitch + first * program_.read_bytes[k];
}

Traffic traffic_of(const BoundProgram& program, const ProgramBlock& block) {
  Traffic traffic{0, block.rows * block.columns * program.result_bytes};
  for (std::size_t k = 0; k < block.operands.size(); ++k) {
    const std::int64_t period = block.operands[k].period;
    traffic.read += block.rows * (period > 0 ? period : block.columns) * program.read_bytes[k];
  }
  return traffic;
}

}  // namespace weft
