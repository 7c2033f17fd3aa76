// SPDX-License-Identifier: Apache-2.0
// The long_weave kernel: groups of two sources that move apart, or of which one stands still, each
// with a table of what it has of a group.
#include <algorithm>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/long_groups.h>

namespace weft {
namespace {

using Parts = std::array<LongPlaces, most_sources>;

struct LongWeave {
  LongGroups groups;
  std::int64_t element;
  struct Part {
    const std::int64_t *dst_table, *src_table;
    std::int64_t count;
  };
  std::array<Part, most_sources> parts;

  /// Writes where the bytes of a group come from; false where they do not fit.
  bool write(Parts& places) const {
    for (std::size_t s = 0; s < most_sources; ++s)
      for (std::int64_t i = 0; i < parts[s].count; ++i)
        if (!places[s].add(parts[s].dst_table[i] * element, parts[s].src_table[i] * element,
                           element, groups.bytes))
          return false;
    return true;
  }
};

/// Of a nest with tables; its groups start where the table of the first source counts from.
LongWeave weave_of(const Nest& nest) {
  LongWeave weave{{}, nest.element, {}};
  for (std::size_t s = 0; s < most_sources; ++s) {
    const Nest::Source& source = nest.of[s];
    weave.parts[s] = {source.dst_table, source.src_table, source.listed};
    weave.groups.bytes += source.listed * nest.element;
  }
  return weave;
}

Cost match(const Nest& nest, const Writing&) {
  return permutes_lines() && nest.unit == nest.element ? 16 : no_match;
}

bool bind(Nest& nest, const Writing&, BoundArguments& arguments) {
  const auto cost = find_long_weaving(nest);
  if (!cost) return false;
  LongWeave weave = weave_of(nest);
  weave.groups.take(nest, nest.loops.size() - 1, 0);
  Parts places;
  weave.write(places);
  weave.groups.find_way(places, cost->way);
  arguments.keep(weave);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& weave = arguments.as<LongWeave>();
  Parts places;
  weave.write(places);
  move_long_groups(weave.groups, places, dst, src);
  count_moved(weave.groups.all_bytes(), weave.groups.all_bytes());
}

Traffic traffic(const BoundArguments& arguments) {
  const std::int64_t bytes = arguments.as<LongWeave>().groups.all_bytes();
  return {bytes, bytes};
}

/// Groups stay whole.
Cutting cutting(const Nest& nest) { return {nest.loops.size(), weave_of(nest).groups.bytes}; }

double picoseconds(const BoundArguments& arguments) {
  return arguments.as<LongWeave>().groups.picoseconds();
}

}  // namespace

std::optional<LongCost> find_long_weaving(const Nest& nest) {
  const LongWeave weave = weave_of(nest);
  Parts places;
  if (nest.loops.empty() || nest.of[0].dst != nest.of[1].dst ||
      weave.groups.bytes > most_long_bytes || !weave.write(places))
    return std::nullopt;
  return cost_of(places, weave.groups.bytes, nest.element, true);
}

extern const KernelDefinition long_weave_kernel;
const KernelDefinition long_weave_kernel{"long_weave", listed_parts, match,   bind,       run,
                                         traffic,      cutting,      nullptr, picoseconds};

}  // namespace weft
