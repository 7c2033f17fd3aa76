// SPDX-License-Identifier: Apache-2.0
// Tasks are each taken once, by whom they belong to where that one comes in time.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <weft/engine/run/task_queue.h>

using namespace weft;

namespace {

std::vector<std::int64_t> taken_by(TaskQueue& queue, std::int64_t worker, std::size_t most) {
  std::vector<std::int64_t> tasks;
  for (std::int64_t task; tasks.size() < most && queue.take(worker, task);) tasks.push_back(task);
  return tasks;
}

}  // namespace

TEST_CASE("task queue: a worker takes its own range, then what others left") {
  TaskQueue queue(7, 2);
  CHECK(taken_by(queue, 1, 2) == std::vector<std::int64_t>{4, 5});
  CHECK(taken_by(queue, 0, 100) == std::vector<std::int64_t>{0, 1, 2, 3, 6});
  CHECK(taken_by(queue, 1, 100).empty());
}

TEST_CASE("task queue: one worker takes all in their order, however many were told") {
  TaskQueue queue(5, 3);
  CHECK(taken_by(queue, 0, 100) == std::vector<std::int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("task queue: more workers than tasks or ranges, and no tasks") {
  for (const std::int64_t tasks : {0, 1, 3, 100}) {
    CAPTURE(tasks);
    constexpr std::int64_t workers = 40;
    TaskQueue queue(tasks, workers);
    std::vector<int> times(static_cast<std::size_t>(tasks));
    for (std::int64_t worker = workers; worker-- > 0;)
      for (const std::int64_t task : taken_by(queue, worker, 2))
        ++times[static_cast<std::size_t>(task)];
    for (const std::int64_t task : taken_by(queue, 0, 1000))
      ++times[static_cast<std::size_t>(task)];
    CHECK(times == std::vector<int>(static_cast<std::size_t>(tasks), 1));
  }
}

TEST_CASE("task queue: threads take each task once") {
  constexpr std::int64_t tasks = 10000, workers = 4;
  TaskQueue queue(tasks, workers);
  std::vector<std::atomic<int>> times(tasks);
  std::vector<std::thread> threads;
  for (std::int64_t worker = 0; worker < workers; ++worker)
    threads.emplace_back([&, worker] {
      for (std::int64_t task; queue.take(worker, task);) ++times[static_cast<std::size_t>(task)];
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& each : times) CHECK(each == 1);
}
