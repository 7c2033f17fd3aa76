// SPDX-License-Identifier: Apache-2.0
// Planning, depth, threads and fresh memory, each measured in turn with what it is compared to.
#include "also.h"

#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <tbb/parallel_for.h>

#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "measure.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr int pairs = 31;

std::function<Tensor()> builder(const std::string& id) {
  const Workload& found = workload(id);
  return [build = found.build, in = found.inputs()]() mutable { return build(in); };
}

/// Median of the times of `a` over those of `b`, taken in turn.
double ratio(const std::function<void()>& a, const std::function<void()>& b) {
  a();
  b();
  Pairs taken;
  for (int i = 0; i < pairs; ++i) {
    taken.copy.push_back(seconds_of(b));
    taken.work.push_back(seconds_of(a));
  }
  return taken.summary().ratio;
}

std::function<void()> evaluation(const std::string& id, const EvalOptions& options = {}) {
  const std::function<Tensor()> build = builder(id);
  const std::int64_t bytes = build().bytes();
  return [build, bytes, options, out = allocate(bytes)] {
    eval_into(build(), out.get(), bytes, options);
  };
}

double planning_seconds(int ops, int rounds) {
  const Tensor x = full<float>({64, 64, 16}, 1).eval();
  Tensor y = x;
  for (int i = 0; i < ops; ++i)
    y = i % 2 == 0 ? y.roll({3 + i, -5}, {0, 1}) : y.transpose({1, 0, 2});
  Pairs taken;
  for (int i = 0; i < rounds; ++i) {
    taken.work.push_back(seconds_of([&] { make_plan(y.node_ptr()); }));
    taken.copy.push_back(1);
  }
  return taken.summary().work;
}

void* run_million_rolls(void*) {
  Tensor x = iota<int>({4});
  for (int i = 0; i < 1000000; ++i) x = x.roll(1, 0);
  x.eval();
  return nullptr;
}

double million_rolls_seconds() {
  return seconds_of([] {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, run_million_rolls, nullptr) != 0)
      throw std::runtime_error("no thread of 256 KiB of stack");
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  });
}

/// A first evaluation over a two-thread copy into memory fresh from the system.
double fresh_memory_ratio() {
  const std::function<Tensor()> build = builder("W1");
  const std::size_t bytes = static_cast<std::size_t>(build().bytes());
  const std::shared_ptr<std::byte> from = allocate(static_cast<std::int64_t>(bytes));
  std::memset(from.get(), 1, bytes);
  const std::int64_t before = set_kept_bytes(0);
  const double fresh = ratio([&] { build().eval(); },
                             [&] {
                               std::byte* to = static_cast<std::byte*>(std::malloc(bytes));
                               tbb::parallel_for(0, 2, [&](int side) {
                                 const std::size_t begin = side == 0 ? 0 : bytes / 2;
                                 const std::size_t end = side == 0 ? bytes / 2 : bytes;
                                 std::memcpy(to + begin, from.get() + begin, end - begin);
                               });
                               std::free(to);
                             });
  set_kept_bytes(before);
  return fresh;
}

/// Medians of a program's runs on what it never saw, and of those whose plan is there, in turn.
struct NewAndCached {
  Pairs taken;

  void add(const std::function<void()>& on_new, const std::function<void()>& cached, int round) {
    if (round % 2 == 0) taken.work.push_back(seconds_of(on_new));
    taken.copy.push_back(seconds_of(cached));
    if (round % 2 == 1) taken.work.push_back(seconds_of(on_new));
  }
};

/// W13 by 1,000 shifts.
Pairs::Summary new_shifts() {
  const Program program = tiny_program();
  const Tensor x = iota<float>({2, 3, 4}), updates = iota<float>({4, 2, 3}, 100);
  const Tensor known = array<std::int64_t>({1});
  NewAndCached both;
  for (std::int64_t round = 0; round < 1000; ++round) {
    const Tensor shift = array<std::int64_t>({round + 2});
    static_cast<void>(program(x, updates, known));
    both.add([&] { static_cast<void>(program(x, updates, shift)); },
             [&] { static_cast<void>(program(x, updates, known)); }, static_cast<int>(round));
  }
  return both.taken.summary();
}

/// W8 on 100 batch sizes; what has seen them is another program.
Pairs::Summary new_batch_sizes() {
  constexpr std::int64_t sizes = 100, floats = 56 * 56 * 96;
  const Tensor pictures = iota<float>({sizes, 56, 56, 96});
  const std::shared_ptr<std::byte> out = allocate(pictures.bytes());
  std::memset(out.get(), 0, static_cast<std::size_t>(pictures.bytes()));
  const Program seen = window_partition_program(), fresh = window_partition_program();
  NewAndCached both;
  for (std::int64_t n = 1; n <= sizes; ++n) {
    const Tensor x = borrow(pictures.data<float>(), {n, 56, 56, 96});
    const auto run = [&](const Program& program) {
      program.run_into({x}, {{out.get(), n * floats * 4}});
    };
    run(seen);
    both.add([&] { run(fresh); }, [&] { run(seen); }, static_cast<int>(n));
  }
  return both.taken.summary();
}

}  // namespace

std::vector<Figure> measure_also() {
  std::vector<Figure> figures;
  figures.push_back({"W10.64/4", "64 ops over 4, rolls in the end",
                     ratio(evaluation("W10.64"), evaluation("W10.4"))});
  figures.push_back({"W10.66/2", "66 ops over 2, permuted runs",
                     ratio(evaluation("W10.66"), evaluation("W10.2"))});
  figures.push_back(
      {"plan.64", "planning a chain of 64, us an op", planning_seconds(64, 2001) / 64 * 1e6});
  figures.push_back(
      {"plan.10000", "planning a chain of 10,000, ms", planning_seconds(10000, 11) * 1e3});
  figures.push_back(
      {"deep", "a chain of 1,000,000 rolls on 256 KiB of stack, s", million_rolls_seconds()});
  figures.push_back(
      {"fresh", "64 MiB into fresh memory, over a copy into fresh pages", fresh_memory_ratio()});
  const Pairs::Summary shifts = new_shifts();
  figures.push_back({"W13.new",
                     "a program's run by a shift it never saw, us more than by one it did",
                     (shifts.work - shifts.copy) * 1e6});
  figures.push_back({"W8.new", "a program's run on a batch size it never saw, over one it did",
                     new_batch_sizes().ratio});
  for (const char* id : {"W1", "W2.f32", "W9"})
    figures.push_back({std::string("threads.") + id, "speed-up of two threads over one",
                       1 / ratio(evaluation(id, {.threads = 2}), evaluation(id, {.threads = 1}))});
  return figures;
}

}  // namespace weft::bench
