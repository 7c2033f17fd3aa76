// SPDX-License-Identifier: Apache-2.0
// The contract of kernels: what each says of itself, and how one of them is chosen for a nest.
//
// A kernel is one file that defines a KernelDefinition: the build finds the line
// `extern const KernelDefinition NAME_kernel;` and puts it into the table.
#pragma once

#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include <weft/engine/kernels/nest.h>

namespace weft {

/// A core's own caches do not keep what has so many bytes.
inline constexpr std::int64_t large_bytes = 2 * 1024 * 1024;

/// How a nest is to be written.
struct Writing {
  bool streams = false;         ///< past the caches where the kernel can
  bool streams_turned = false;  ///< where it can and rows become columns
  bool streams_early = false;   ///< where it can and reads and writes in order
  bool is_large = false;        ///< the whole of what it is part of is
  bool is_vast = false;         ///< and larger than the last cache keeps
  bool in_turns = false;        ///< reading while streaming takes longer than one after the other
  bool owns_gaps = false;       ///< nobody else writes between the first and the last element
};

/// What a kernel keeps of the nest that it is bound to; only its own file knows what.
struct BoundArguments {
  alignas(8) std::byte bytes[192];

  template <class T>
  void keep(const T& value) {
    static_assert(sizeof(T) <= sizeof(bytes) && alignof(T) <= 8);
    static_assert(std::is_trivially_copyable_v<T>);
    new (bytes) T(value);
  }
  template <class T>
  const T& as() const {
    return *std::launder(reinterpret_cast<const T*>(bytes));
  }
};

/// About what moving a byte takes, in picoseconds, of units of one byte where the caches keep both
/// sides: the cheapest kernel that matches a nest and binds to it carries it out. `no_match` is no
/// cost.
using Cost = int;
/// Beyond the half of what one unit at a time costs, costs rank: kernels that are to be chosen
/// last, those that move unit by unit, and the one that does so in the order that memory likes
/// best.
inline constexpr Cost chosen_last = 500, unit_by_unit = 800, unit_by_unit_in_order = 1000;
inline constexpr Cost no_match = std::numeric_limits<Cost>::max();

/// Bytes that one run asks of memory: of the sources each byte as often as a step needs it.
struct Traffic {
  std::int64_t read = 0, written = 0;
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// How a nest is best cut into parts.
struct Cutting {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t whole = none;     ///< loops from this one on stay whole
  std::int64_t step_bytes = 0;  ///< that a step of the loop before that writes together; 0: a unit
  std::uint64_t late = 0;       ///< loops that are cut after the others: bit k for loop k
  std::size_t first = none;     ///< a loop that is to have at most `steps` steps, whatever the size
  std::int64_t steps = 0;
  std::uint64_t never = 0;  ///< loops that are not cut: bit k for loop k
};

/// Shorter rows of several sources that move alike are not streamed: their ends are parts of lines,
/// each of which would go to memory by itself.
inline constexpr std::int64_t fewest_streamed_bytes = 4096;

/// Of sources that move alike: what they write in a step stays whole.
inline Cutting cutting_of_stack(const Nest& nest) {
  if (nest.sources <= most_sources) return {};
  return {.whole = nest.loops.size(),
          .step_bytes = static_cast<std::int64_t>(nest.sources) * nest.unit};
}

struct KernelDefinition {
  std::string_view name;  ///< for people
  unsigned forms;         ///< it may match nests of these forms
  /// Whether it may carry the nest out, and at what cost. A glance: `bind` looks closer.
  Cost (*match)(const Nest& nest, const Writing& writing);
  /// Takes what it covers off the nest, or declines and leaves the nest as it is.
  bool (*bind)(Nest& nest, const Writing& writing, BoundArguments& arguments);
  /// Carries out what was taken, from the first units on. Nothing is allocated.
  void (*run)(const BoundArguments& arguments, std::byte* dst,
              const std::byte* const* src) noexcept;
  /// Of one run.
  Traffic (*traffic)(const BoundArguments& arguments);
  /// For kernels with wishes.
  Cutting (*cutting)(const Nest& nest) = nullptr;
  /// For those that can: whether it writes past the caches.
  bool (*streams)(const BoundArguments& arguments) = nullptr;
  /// About how long one run takes where the caches keep both sides, for kernels that know better
  /// than by their cost a byte.
  double (*picoseconds)(const BoundArguments& arguments) = nullptr;
};

inline constexpr std::size_t most_kernels = 64;
/// Every kernel, listed by the build: at most `most_kernels`.
std::span<const KernelDefinition* const> kernel_table();

/// A nest that a kernel is bound to. It may be carried out again and again, also at the same time.
struct Bound {
  using Around = SmallVector<NestLoop, 3>;
  const KernelDefinition* kernel = nullptr;
  Cost cost = 0;         ///< by which it was chosen; 0 where it is bound by name
  std::int64_t dst = 0;  ///< where the first run starts, in bytes
  std::array<std::int64_t, most_sources> src{};
  std::int64_t element = 1, unit = 1;
  std::size_t sources = 1;
  Around around{};  ///< loops that the kernel does not cover, outermost first
  BoundArguments arguments;

  std::string_view name() const { return kernel->name; }
  bool streams() const { return kernel->streams && kernel->streams(arguments); }
  /// How often the kernel runs.
  std::int64_t runs() const {
    std::int64_t runs = 1;
    for (const NestLoop& loop : around) runs *= loop.extent;
    return runs;
  }
  /// Of all runs.
  Traffic traffic() const;
  /// About how long it takes, or half of that or twice as long, where the caches keep what it is a
  /// part of, or not, if that is large.
  double picoseconds(bool is_large) const;
};

/// Binds the cheapest kernel of the table that takes it; false, where none does, for several
/// sources alone. The nest is used up.
bool bind_cheapest(Nest& nest, const Writing& writing, Bound& bound);
/// Binds that kernel, if it takes it.
bool bind(const KernelDefinition& kernel, Nest& nest, const Writing& writing, Bound& bound);

/// How the kernel that carries a nest out wants it cut; none where no kernel takes it.
std::optional<Cutting> cutting_of(Nest nest);

/// Runs it at every step of the loops around it; `src` has the memory of each source, or of those
/// that move alike where the first unit of each comes from.
void carry_out(const Bound& bound, std::byte* dst, const std::byte* const* src) noexcept;

/// Makes what was streamed visible to others: once after a task, on the thread that streamed.
void finish_streams();

/// A plain run, past the caches where `streams`.
void copy_run(std::byte* dst, const std::byte* src, std::int64_t bytes, bool streams);

}  // namespace weft
