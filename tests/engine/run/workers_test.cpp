// SPDX-License-Identifier: Apache-2.0
// Tasks that must not end half-way.
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <new>
#include <vector>

#include <weft/engine/run/workers.h>

using namespace weft;

TEST_CASE("tasks that must be finished run once each, by any number of threads") {
  for (const std::size_t count : {0, 1, 2, 100})
    for (const int threads : {0, 1, 2, 16}) {
      std::vector<unsigned char> done(count);
      std::vector<std::atomic<int>> runs(count);
      const auto task = [&](std::int64_t t) { ++runs[static_cast<std::size_t>(t)]; };
      finish_tasks(done, threads, std::ref(task));
      for (const std::atomic<int>& times : runs) CHECK(times == 1);
    }
}

TEST_CASE("tasks that nobody could be given are left to the calling thread") {
  for (const int threads : {1, 2, 16})
    for (const int taken : {0, 1, 40}) {
      std::vector<unsigned char> done(64);
      std::vector<std::atomic<int>> runs(64);
      std::atomic<int> begun = 0;
      std::atomic<bool> is_refused = false;
      const auto task = [&](std::int64_t t) {
        // As TBB would be out of memory once, before a task begins.
        if (begun++ == taken && !is_refused.exchange(true)) throw std::bad_alloc();
        ++runs[static_cast<std::size_t>(t)];
      };
      finish_tasks(done, threads, std::ref(task));
      CHECK(is_refused);
      for (const std::atomic<int>& times : runs) CHECK(times == 1);
    }
}
