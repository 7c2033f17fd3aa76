// SPDX-License-Identifier: Apache-2.0
// Evaluation inside arenas of other sizes than weft's own, also those that a worker may enter
// beside the thread that they are told to have.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <future>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <thread>
#include <vector>

#include <weft/weft.h>

#include "support/values.h"

using namespace weft;
using weft::testing::into;
using weft::testing::values_of;

namespace {

// So many threads exist, also where there are fewer processors.
constexpr int most_threads = 17;

/// Large, painted and streamed: every stretch is put together aside.
Tensor painted() {
  return iota<int>({3000, 1000})
      .slice_scatter(full<int>({1500, 500}, 7), {0, 0}, {3000, 1000}, {2, 2})
      .roll(7, 1);
}

const std::vector<int>& painted_values() {
  static const std::vector<int> values = [] {
    std::vector<int> list(3000 * 1000);
    for (int row = 0; row < 3000; ++row)
      for (int column = 0; column < 1000; ++column)
        list[static_cast<std::size_t>(row * 1000 + (column + 7) % 1000)] =
            row % 2 == 0 && column % 2 == 0 ? 7 : row * 1000 + column;
    return list;
  }();
  return values;
}

/// Carries `work` out as a task of the arena and waits for it, outside.
template <class Work>
void run_in(tbb::task_arena& arena, const Work& work) {
  std::promise<void> done;
  arena.enqueue([&] {
    try {
      work();
      done.set_value();
    } catch (...) {
      done.set_exception(std::current_exception());
    }
  });
  done.get_future().get();
}

}  // namespace

TEST_CASE("arenas: of every size, with any number of places for threads from outside") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  for (int size = 1; size <= 8; ++size)
    for (int reserved = 0; reserved <= size; ++reserved) {
      CAPTURE(size);
      CAPTURE(reserved);
      tbb::task_arena arena(size, static_cast<unsigned>(reserved));
      std::vector<int> enqueued, executed;
      // One whose places are all for threads from outside has no worker that takes tasks.
      if (reserved < size || size == 1) run_in(arena, [&] { enqueued = into(painted()); });
      arena.execute([&] { executed = into(painted()); });
      CHECK((enqueued.empty() || enqueued == painted_values()));
      CHECK(executed == painted_values());
    }
}

TEST_CASE("arenas: one within another, with any number of threads") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  for (int threads = 1; threads <= 16; ++threads) {
    CAPTURE(threads);
    tbb::task_arena outer(threads), inner(17 - threads, 0);
    std::vector<int> values;
    outer.execute([&] { inner.execute([&] { values = into(painted(), {.threads = threads}); }); });
    CHECK(values == painted_values());
    run_in(inner, [&] { values = into(painted(), {.threads = threads}); });
    CHECK(values == painted_values());
  }
}

TEST_CASE("arenas: sixteen threads evaluate what they share within their own tasks") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  tbb::task_arena arena(16);
  std::atomic<int> wrong = 0;
  for (int round = 0; round < 20; ++round) {
    const Tensor shared = iota<int>({300, 1000}).roll(round, 0);
    const Tensor below = shared.transpose().stored();
    arena.execute([&] {
      tbb::parallel_for(0, 200, [&](int task) {
        // Some ask for a value while others compute what it is made of.
        const Tensor mine = task % 3 == 0   ? shared
                            : task % 3 == 1 ? below
                                            : below.roll(task, 1).slice({0, 0}, {1000, 300});
        const int first = mine.data<int>()[0];
        const int row = task % 3 == 2 ? (600 - task % 300 - round) % 300 : (300 - round) % 300;
        if (first != row * 1000) ++wrong;
      });
    });
  }
  CHECK(wrong == 0);
}
