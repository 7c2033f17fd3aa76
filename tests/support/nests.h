// SPDX-License-Identifier: Apache-2.0
// Kernels against plain loops: nests in memory that is just large enough, on every instruction set.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <weft/engine/kernels/counters.h>
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>

namespace weft::testing {

inline constexpr std::int64_t units_of_all_kinds[] = {1, 2, 3, 4, 8, 12, 16, 24, 32, 64, 100};

inline const KernelDefinition& kernel_named(std::string_view name) {
  for (const KernelDefinition* kernel : kernel_table())
    if (kernel->name == name) return *kernel;
  FAIL("no such kernel: ", name);
  return *kernel_table().front();
}

/// Of one source, loops outermost first.
inline Nest nest_of_loops(std::int64_t unit, std::initializer_list<ByteLoop> sides) {
  Nest nest;
  nest.unit = unit;
  for (const ByteLoop& side : sides) nest.loops.push_back({side.extent, side.dst, {side.src}});
  return nest;
}

/// A loop over neighbours in the source, of which it reads the one at `first` first, then those
/// behind or before it, around; with the table for that.
struct RolledRows {
  RolledRows(std::int64_t extent, std::int64_t first, bool is_forwards) {
    for (std::int64_t i = 0; i < extent; ++i)
      table.push_back((is_forwards ? first + i : extent + first - i) % extent);
  }
  NestLoop loop(std::int64_t dst) const {
    return {std::ssize(table), dst, {0}, nullptr, table.data()};
  }
  std::vector<std::int64_t> table{};
};

/// Whether all sources move as the first does, each a unit behind the one before.
inline bool is_stack(const Nest& nest) { return nest.sources > most_sources; }

/// Calls visit(source, dst, src) for each unit that a nest moves.
template <class Visit>
void at_every_unit(const Nest& nest, const Visit& visit) {
  for (std::size_t s = 0; s < nest.sources; ++s) {
    const std::size_t like = is_stack(nest) ? 0 : s;
    const Nest::Source& source = nest.of[like];
    const auto own = [&](auto&& self, std::size_t k, std::int64_t dst, std::int64_t src) -> void {
      for (std::int64_t i = 0; i < source.listed; ++i)
        visit(s, dst + source.dst_table[i] * nest.element,
              src + source.src_table[i] * nest.element);
      if (source.listed > 0) return;
      if (k == source.own.size()) return visit(s, dst, src);
      const ByteLoop& side = source.own[k];
      for (std::int64_t i = 0; i < side.extent; ++i)
        self(self, k + 1, dst + i * side.dst, src + i * side.src);
    };
    const auto shared = [&](auto&& self, std::size_t k, std::int64_t dst,
                            std::int64_t src) -> void {
      if (k == nest.loops.size()) return own(own, 0, dst, src);
      const NestLoop& loop = nest.loops[k];
      for (std::int64_t i = 0; i < loop.extent; ++i)
        self(self, k + 1, dst + (loop.dst_table ? loop.dst_table[i] * nest.element : i * loop.dst),
             src + (loop.src_table ? loop.src_table[i] * nest.element : i * loop.src[like]));
    };
    const auto behind = static_cast<std::int64_t>(s - like) * nest.unit;
    shared(shared, 0, source.dst + behind, source.src);
  }
}

/// A nest with memory for it: of each source exactly what is read, so that a sanitizer sees any
/// other byte; the output between margins, from `shift` bytes after the start of a line on.
class Moved {
 public:
  explicit Moved(Nest nest, std::int64_t shift = 0) : nest_(std::move(nest)) {
    std::int64_t low = 0, high = 0, src_low[most_stacked] = {}, src_high[most_stacked] = {};
    bool is_first = true, is_read[most_stacked] = {};
    at_every_unit(nest_, [&](std::size_t s, std::int64_t dst, std::int64_t src) {
      const std::size_t m = is_stack(nest_) ? s : nest_.of[s].memory;
      low = is_first ? dst : std::min(low, dst);
      high = is_first ? dst : std::max(high, dst);
      src_low[m] = is_read[m] ? std::min(src_low[m], src) : src;
      src_high[m] = is_read[m] ? std::max(src_high[m], src) : src;
      is_first = false;
      is_read[m] = true;
    });
    size_ = high - low + nest_.unit + 2 * margin + shift;
    if (is_stack(nest_)) nest_.of[0].dst += margin + shift - low;
    for (std::size_t s = 0; s < nest_.sources; ++s) {
      if (is_stack(nest_)) {
        fill(memory_[s], src_high[s] - src_low[s] + nest_.unit, s);
        sources_[s] = memory_[s].data() - src_low[s];
        continue;
      }
      const std::size_t m = nest_.of[s].memory;
      nest_.of[s].dst += margin + shift - low;
      nest_.of[s].src -= src_low[m];
      if (memory_[m].empty()) fill(memory_[m], src_high[m] - src_low[m] + nest_.unit, m);
      sources_[s] = memory_[m].data();
    }
    expected_ = untouched();
    at_every_unit(nest_, [&](std::size_t s, std::int64_t dst, std::int64_t src) {
      std::copy_n(sources_[s] + src, nest_.unit, expected_.get() + dst);
    });
  }

  const Nest& nest() const { return nest_; }
  const std::byte* const* sources() const { return sources_; }

  /// Whether a kernel that is bound to nest() makes the same, and touches nothing else.
  bool is_made_by(const Bound& bound) const {
    const std::shared_ptr<std::byte> got = untouched();
    carry_out(bound, got.get(), sources_);
    finish_streams();
    return std::memcmp(got.get(), expected_.get(), static_cast<std::size_t>(size_)) == 0;
  }

 private:
  static constexpr std::int64_t margin = 256;

  std::shared_ptr<std::byte> untouched() const {
    std::shared_ptr<std::byte> bytes = allocate(size_);
    std::fill_n(bytes.get(), size_, std::byte{0xEE});
    return bytes;
  }
  static void fill(std::vector<std::byte>& bytes, std::int64_t size, std::size_t seed) {
    bytes.resize(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::byte>((i * 131 + (i >> 8) * 17 + 77 * seed) & 0xFF);
  }

  Nest nest_;
  std::int64_t size_;
  std::vector<std::byte> memory_[most_stacked];
  const std::byte* sources_[most_stacked] = {};
  std::shared_ptr<std::byte> expected_;
};

/// What a kernel that is bound says it moves, and what its loops counted, if this build counts.
inline void check_counts(const Moved& moved, const Bound& bound) {
  CHECK(bound.traffic().written == moved.nest().bytes());
  if (!counts_kernels()) return;
  std::int64_t runs = 1;
  for (const NestLoop& loop : bound.around) runs *= loop.extent;
  reset_kernel_counts();
  CHECK(moved.is_made_by(bound));
  CHECK(kernel_counts() == std::vector<KernelCount>{{bound.name(), runs, bound.traffic()}});
}

/// Calls `body` on each instruction set that this machine has.
template <class Body>
void on_every_target(const Body& body) {
  for (const InstructionSet set : instruction_sets) {
    if (!has(set)) continue;
    CAPTURE(to_string(set));
    use(set);
    body();
  }
  use({});
}

/// Whether the kernel of that name takes it.
inline bool bind_named(std::string_view name, Nest& nest, const Writing& writing, Bound& bound) {
  return bind(kernel_named(name), nest, writing, bound);
}

/// Calls `body` where no lines are permuted, whatever the machine has.
template <class Body>
void without_lines(const Body& body) {
  use(has(InstructionSet::avx2) ? InstructionSet::avx2 : InstructionSet::baseline);
  body();
  use({});
}

/// The kernel of that name carries the nest out with the instruction set in use, with ordinary and
/// with streaming stores and as part of what no cache keeps, and counts it.
inline void check_carried_out(std::string_view name, const Moved& moved) {
  struct Way {
    bool streams, is_vast, in_turns;
  };
  for (const auto& [streams, is_vast, in_turns] :
       {Way{false, false, false}, Way{false, true, false}, Way{true, true, false},
        Way{true, true, true}}) {
    CAPTURE(streams);
    CAPTURE(is_vast);
    CAPTURE(in_turns);
    Bound bound;
    Nest left = moved.nest();
    REQUIRE(bind_named(name, left,
                       {.streams = streams,
                        .streams_turned = streams,
                        .streams_early = streams,
                        .is_large = streams,
                        .is_vast = is_vast,
                        .in_turns = in_turns,
                        .owns_gaps = true},
                       bound));
    CHECK(moved.is_made_by(bound));
    check_counts(moved, bound);
  }
}

/// The same with every instruction set.
inline void check_kernel(std::string_view name, const Nest& nest, std::int64_t shift = 0) {
  const Moved moved(nest, shift);
  on_every_target([&] { check_carried_out(name, moved); });
}

/// The kernel that the table chooses.
inline std::string_view chosen(Nest nest, const Writing& writing = {}) {
  Bound bound;
  return bind_cheapest(nest, writing, bound) ? bound.name() : "none";
}

}  // namespace weft::testing
