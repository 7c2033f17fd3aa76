// SPDX-License-Identifier: Apache-2.0
// The long_shuffle kernel: groups of one source, of more than a line or not beside one another.
#include <algorithm>
#include <cstdlib>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/grouping.h>
#include <weft/engine/kernels/move/long_groups.h>
#include <weft/engine/kernels/move/turned_loops.h>

namespace weft {
namespace {

constexpr std::int64_t line = 64;
// Several shorter groups are made at once, where they follow one another (shuffle.cpp); what is
// turned does not lie together for that, and groups by a table need not follow one another.
constexpr std::int64_t fewest_turned_bytes = line / 2, fewest_table_bytes = line / 4;
// Rows of so few bytes fill no squares: shorter groups pay, where they are made of a few lines (two
// threads; u8 [2030, 30, 8], the last two turned: 103 us, 56; [16, 93, 31, 4, 7]: 284, 184; but
// rows of 26 bytes of [472, 2, 13]: 0.8 ms, 1.9).
constexpr std::int64_t few_row_bytes = 8, fewest_bytes_of_few = 24;

std::int64_t fewest_bytes_of(const Nest& nest) {
  if (nest.rows == no_loop) return nest.innermost().is_plain() ? line + 1 : fewest_table_bytes;
  return nest.loops[nest.rows].extent * nest.unit <= few_row_bytes ? fewest_bytes_of_few
                                                                   : fewest_turned_bytes;
}

/// Whether a short group of what is turned takes no longer than its pieces do in squares.
bool pays_short(const LongCost& cost) {
  constexpr float of_piece = 140;
  return static_cast<float>(cost.pieces) * of_piece >= cost.way.picoseconds;
}

}  // namespace

bool WithinGroup::add(const NestLoop& loop, std::int64_t element) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (static_cast<std::size_t>(count_) == loops_.size() || loop.dst_table || table_ ||
      loop.extent > most_long_bytes || std::abs(loop.dst) > most_long_bytes ||
      std::abs(loop.src[0]) > most / most_long_bytes)
    return false;
  table_ = loop.src_table;
  element_ = static_cast<std::int32_t>(element);
  loops_[static_cast<std::size_t>(count_++)] = {static_cast<std::int32_t>(loop.extent),
                                                static_cast<std::int32_t>(loop.dst),
                                                static_cast<std::int32_t>(loop.src[0])};
  return true;
}

bool WithinGroup::write(std::int64_t bytes, std::int64_t unit, LongPlaces& places) const {
  std::int64_t written = 0;
  return write(0, 0, 0, unit, bytes, places, written) && written == bytes;
}

bool WithinGroup::write(std::size_t k, std::int64_t dst, std::int64_t src, std::int64_t unit,
                        std::int64_t bytes, LongPlaces& places, std::int64_t& written) const {
  const Loop& loop = loops_[k];
  const bool is_innermost = k + 1 == static_cast<std::size_t>(count_);
  const bool is_listed = table_ && is_innermost;
  for (std::int64_t i = 0; i < loop.extent; ++i) {
    const std::int64_t to = dst + i * loop.dst;
    const std::int64_t from = src + (is_listed ? table_[i] * element_ : i * loop.src);
    if (is_innermost ? !places.add(to, from, unit, bytes)
                     : !write(k + 1, to, from, unit, bytes, places, written))
      return false;
  }
  if (is_innermost) written += loop.extent * unit;
  return true;
}

std::optional<LongGroup> find_long_group(const Nest& nest) {
  const std::int64_t fewest = fewest_bytes_of(nest);
  std::optional<LongGroup> short_group;  // where there is no other
  std::int64_t bytes = nest.unit;
  for (std::size_t at = nest.loops.size(); at-- > 1 && bytes <= most_long_bytes;) {
    bytes *= nest.loops[at].extent;
    const NestLoop& over = nest.loops[at - 1];
    if (bytes < fewest || bytes > most_long_bytes || !over.is_plain() || std::abs(over.dst) < bytes)
      continue;
    LongGroup group{at - 1, bytes, {}, {}};
    bool fits = true;
    for (std::size_t k = at; k < nest.loops.size() && fits; ++k)
      fits = group.within.add(nest.loops[k], nest.element);
    LongPlaces places;
    if (!fits || !group.within.write(bytes, nest.unit, places)) continue;
    const auto cost = cost_of({&places, 1}, bytes, nest.unit, false);
    if (!cost) continue;
    group.cost = *cost;
    if (nest.rows == no_loop || bytes >= fewest_turned_bytes) return group;
    if (!short_group && pays_short(*cost)) short_group = group;
  }
  return short_group;
}

namespace {

// What stores are made of is laid out with each call, which takes about a microsecond.
constexpr std::int64_t fewest_bytes_a_call = 24 * 1024;
// A table has been found to pay; parts that are cut of it take longer one by one from here on.
constexpr std::int64_t fewest_listed_bytes = 1024;
// Shorter rows of a turned nest fill no vector.
constexpr std::int64_t short_row_bytes = 16;

struct LongShuffle {
  LongGroups groups;
  std::int64_t unit;
  WithinGroup within;
};

/// What a piece takes, moved one by one, in picoseconds. Rows of a table are joined where that pays
/// (joined_rows.cpp).
float of_piece(const Nest& nest) {
  const bool is_listed = !nest.innermost().is_plain();
  const std::size_t rows = is_listed ? nest.loop_along_source() : nest.rows;
  const bool is_turned = rows != no_loop && has_turned_word(nest);
  if (is_listed) return is_turned && nest.loops[rows].extent * nest.unit >= line ? 280 : 650;
  if (!is_turned) return 280;
  return nest.loops[rows].extent * nest.unit < short_row_bytes ? 350 : 180;
}

Cost match(const Nest& nest, const Writing&) {
  if (!permutes_lines()) return no_match;
  const bool is_listed = !nest.innermost().is_plain();
  if (nest.bytes() < (is_listed ? fewest_listed_bytes : fewest_bytes_a_call)) return no_match;
  return is_listed ? 16 : nest.rows != no_loop ? 45 : 590;
}

bool bind(Nest& nest, const Writing&, BoundArguments& arguments) {
  const auto group = find_long_group(nest);
  if (!group ||
      static_cast<float>(group->cost.pieces) * of_piece(nest) < group->cost.way.picoseconds ||
      (group->bytes <= line && find_grouping(nest, Loads::several)))  // those at once then
    return false;
  LongShuffle shuffle{{group->bytes}, nest.unit, group->within};
  const std::int64_t fewest =
      nest.innermost().is_plain() ? fewest_bytes_a_call : fewest_listed_bytes;
  if (!shuffle.groups.take(nest, group->at, fewest)) return false;
  LongPlaces places;
  group->within.write(group->bytes, shuffle.unit, places);
  shuffle.groups.find_way({&places, 1}, group->cost.way);
  arguments.keep(shuffle);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& shuffle = arguments.as<LongShuffle>();
  LongPlaces places;
  shuffle.within.write(shuffle.groups.bytes, shuffle.unit, places);
  move_long_groups(shuffle.groups, {&places, 1}, dst, src);
  count_moved(shuffle.groups.all_bytes(), shuffle.groups.all_bytes());
}

Traffic traffic(const BoundArguments& arguments) {
  const std::int64_t bytes = arguments.as<LongShuffle>().groups.all_bytes();
  return {bytes, bytes};
}

/// Groups stay whole.
Cutting cutting(const Nest& nest) {
  const auto group = find_long_group(nest);
  return {group->at + 1, group->bytes};
}

double picoseconds(const BoundArguments& arguments) {
  return arguments.as<LongShuffle>().groups.picoseconds();
}

}  // namespace

extern const KernelDefinition long_shuffle_kernel;
const KernelDefinition long_shuffle_kernel{"long_shuffle",
                                           listed | repeated | packed | turned,
                                           match,
                                           bind,
                                           run,
                                           traffic,
                                           cutting,
                                           nullptr,
                                           picoseconds};

}  // namespace weft
