// SPDX-License-Identifier: Apache-2.0
// weft_calibrate: what an evaluation measures of this machine, and how the constants that are
// compiled in (engine/run/workers.h) suit it.
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <thread>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/machine.h>

#include "measure.h"

namespace weft::bench {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;
constexpr int rounds = 41;

struct Memory {
  std::shared_ptr<std::byte> from, to;
  explicit Memory(std::int64_t bytes) : from(allocate(bytes)), to(allocate(bytes)) {
    std::memset(from.get(), 1, static_cast<std::size_t>(bytes));
    std::memset(to.get(), 2, static_cast<std::size_t>(bytes));
  }
};

/// Median of the times of `a` over those of `b`, taken in turn; each just after it ran untimed, so
/// that it finds the caches as it leaves them, and after `between`.
double ratio(
    const std::function<void()>& a, const std::function<void()>& b,
    const std::function<void()>& between = [] {}) {
  Pairs pairs;
  const auto timed = [&](const std::function<void()>& work) {
    work();
    between();
    return seconds_of(work);
  };
  for (int i = 0; i < rounds; ++i) {
    pairs.copy.push_back(timed(b));
    pairs.work.push_back(timed(a));
  }
  return pairs.summary().ratio;
}

/// The smallest size from which on every ratio is below 1; 0 where there is none.
std::int64_t from_which(const std::vector<std::pair<std::int64_t, double>>& ratios) {
  std::int64_t first = 0;
  for (auto at = ratios.rbegin(); at != ratios.rend() && at->second < 1; ++at) first = at->first;
  return first;
}

std::string size_text(std::int64_t bytes) {
  if (bytes == 0) return "no size";
  return bytes >= MiB ? fmt::format("{} MiB", bytes / MiB) : fmt::format("{} KiB", bytes / KiB);
}

/// The kernel that the table chooses for loops of one source, outermost first.
Bound bound(std::int64_t unit, std::initializer_list<ByteLoop> loops, bool streams) {
  Nest nest;
  nest.unit = unit;
  for (const ByteLoop& loop : loops) nest.loops.push_back({loop.extent, loop.dst, {loop.src}});
  Bound bound;
  bind_cheapest(nest, {.streams = streams, .streams_turned = streams, .streams_early = streams},
                bound);
  return bound;
}

void copy(const Memory& memory, std::int64_t begin, std::int64_t end, bool streams) {
  copy_run(memory.to.get() + begin, memory.from.get() + begin, end - begin, streams);
  if (streams) finish_streams();
}

/// In tasks of `share` bytes on all threads.
void copy_in_tasks(const Memory& memory, std::int64_t bytes, std::int64_t share, bool streams) {
  tbb::parallel_for(std::int64_t{0}, (bytes + share - 1) / share, [&](std::int64_t t) {
    copy(memory, t * share, std::min(bytes, (t + 1) * share), streams);
  });
}

void print_machine() {
  Machine told;
  const double seconds = seconds_of([&] { told = machine(true); });
  fmt::print(
      "measured once a process, in {:.2f} ms: a copy of 4 MiB moves {:.1f} GB/s, {:.1f} past "
      "the caches;\nwith what they are made of, results up to {} stay in them\n\n",
      seconds * 1e3, told.copied, told.streamed, size_text(told.kept_bytes));
}

void calibrate_parallel() {
  fmt::print("parallel_bytes: a copy in halves on two threads over one on one thread\n");
  fmt::print("  {:>8}  {:>12}  {:>28}\n", "size", "back to back", "after 1 ms without any work");
  std::vector<std::pair<std::int64_t, double>> warm, cold;
  for (std::int64_t bytes = 16 * KiB; bytes <= 32 * MiB; bytes *= 2) {
    const Memory memory(bytes);
    const auto two = [&] { copy_in_tasks(memory, bytes, bytes / 2, false); };
    const auto one = [&] { copy(memory, 0, bytes, false); };
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    warm.emplace_back(bytes, ratio(two, one));
    cold.emplace_back(bytes, ratio(two, one, pause));
    fmt::print("  {:>8}  {:>12.2f}  {:>28.2f}\n", size_text(bytes), warm.back().second,
               cold.back().second);
  }
  fmt::print("  pays from {} on when warm, {} when cold\n\n", size_text(from_which(warm)),
             size_text(from_which(cold)));
}

/// Every second element of what a task has just written, written again.
void paint(const Memory& memory, std::int64_t begin, std::int64_t end) {
  const std::byte* const from = memory.from.get() + begin;
  carry_out(bound(4, {{(end - begin) / 8, 8, 8}}, false), memory.to.get() + begin, &from);
}

void calibrate_tasks() {
  constexpr std::int64_t bytes = 64 * MiB, shortest = 32 * KiB, longest = 8 * MiB;
  fmt::print("task_bytes: {} in tasks, over tasks of 512 KiB\n", size_text(bytes));
  fmt::print("  {:>8}  {:>12}  {:>16}\n", "task", "streamed copy", "painted twice");
  const Memory memory(bytes);
  const auto painted = [&](std::int64_t share) {
    tbb::parallel_for(std::int64_t{0}, bytes / share, [&](std::int64_t t) {
      copy(memory, t * share, (t + 1) * share, false);
      paint(memory, t * share, (t + 1) * share);
    });
  };
  std::int64_t best = 0;
  double least = 1e9;
  for (std::int64_t share = shortest; share <= longest; share *= 2) {
    const double copied = ratio([&] { copy_in_tasks(memory, bytes, share, true); },
                                [&] { copy_in_tasks(memory, bytes, 512 * KiB, true); });
    const double twice = ratio([&] { painted(share); }, [&] { painted(512 * KiB); });
    fmt::print("  {:>8}  {:>12.2f}  {:>16.2f}\n", size_text(share), copied, twice);
    if (copied * twice < least) best = share, least = copied * twice;
  }
  fmt::print("  the least product of both: {}\n\n", size_text(best));
}

/// A square of f32 transposed in blocks of 32 rows.
void transpose(const Memory& memory, std::int64_t n, bool streams) {
  const Bound turned = bound(4, {{32, 4 * n, 4}, {n, 4, 4 * n}}, streams);
  tbb::parallel_for(std::int64_t{0}, n / 32, [&](std::int64_t t) {
    const std::byte* const from = memory.from.get() + t * 32 * 4;
    carry_out(turned, memory.to.get() + t * 32 * n * 4, &from);
    if (streams) finish_streams();
  });
}

/// Images of three channels of bytes taken apart, one a task.
void take_apart(const Memory& memory, std::int64_t bytes, bool streams) {
  const std::int64_t pixels = 128 * KiB / 3, image = 3 * pixels;
  const Bound apart = bound(1, {{3, pixels, 1}, {pixels, 1, 3}}, streams);
  tbb::parallel_for(std::int64_t{0}, bytes / image, [&](std::int64_t t) {
    const std::byte* const from = memory.from.get() + t * image;
    carry_out(apart, memory.to.get() + t * image, &from);
    if (streams) finish_streams();
  });
}

/// Reads all of the output, as whoever wanted it will.
void read_back(const Memory& memory, std::int64_t bytes) {
  tbb::parallel_for(0, 2, [&](int side) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(memory.to.get() + side * bytes / 2);
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < bytes / 16; ++i) sum += words[i];
    volatile std::uint64_t kept = sum;
    (void)kept;
  });
}

void calibrate_streams() {
  fmt::print(
      "streamed_bytes, streamed_early_bytes: streaming over ordinary stores, and with the output "
      "read afterwards\n");
  fmt::print("  {:>8}  {:>8} {:>8}  {:>10} {:>8}  {:>10} {:>8}\n", "size", "copy", "and read",
             "channels", "and read", "transpose", "and read");
  std::vector<std::pair<std::int64_t, double>> copies, channels, transposes;
  for (const std::int64_t n : {256, 512, 736, 1024, 1440, 2048, 4096, 8192}) {
    const std::int64_t bytes = 4 * n * n;
    const Memory memory(bytes);
    const auto compared = [&](const auto& work, bool reads) {
      const auto run = [&, reads](bool streams) {
        work(streams);
        if (reads) read_back(memory, bytes);
      };
      return ratio([&] { run(true); }, [&] { run(false); });
    };
    const std::int64_t share = std::max(64 * KiB, std::min(512 * KiB, bytes / 2));
    const auto copied = [&](bool streams) { copy_in_tasks(memory, bytes, share, streams); };
    const auto apart = [&](bool streams) { take_apart(memory, bytes, streams); };
    const auto turned = [&](bool streams) { transpose(memory, n, streams); };
    fmt::print("  {:>8}", size_text(bytes));
    const auto compare = [&](int width, const auto& work, auto& ratios) {
      ratios.emplace_back(bytes, compared(work, false));
      fmt::print("  {:>{}.2f} {:>8.2f}", ratios.back().second, width, compared(work, true));
    };
    compare(8, copied, copies);
    compare(10, apart, channels);
    compare(10, turned, transposes);
    fmt::print("\n");
  }
  fmt::print(
      "  pays, unless read at once, from {} on for copies, {} for channels, {} for transposes\n",
      size_text(from_which(copies)), size_text(from_which(channels)),
      size_text(from_which(transposes)));
}

}  // namespace
}  // namespace weft::bench

int main() {
  fmt::print("medians of {} pairs taken in turn; below 1 the first is faster\n\n",
             weft::bench::rounds);
  weft::bench::print_machine();
  weft::bench::calibrate_parallel();
  weft::bench::calibrate_tasks();
  weft::bench::calibrate_streams();
}
