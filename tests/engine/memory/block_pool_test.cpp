// SPDX-License-Identifier: Apache-2.0
// Freed memory is used again, within its bound, by any thread, and given back when asked for.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include <weft/engine/memory/block_pool.h>
#include <weft/weft.h>

using namespace weft;

namespace {

constexpr std::int64_t mib = 1024 * 1024;

int blocks_freed = 0;

std::byte blocks[300];

/// A pool of blocks that are only counted.
struct Counted : BlockPool {
  explicit Counted(std::int64_t bound) : BlockPool(bound, [](std::byte*) { ++blocks_freed; }) {
    blocks_freed = 0;
  }
};

}  // namespace

TEST_CASE("kept memory: the next result of a size lies where the last one was") {
  const std::int64_t before = set_kept_bytes(64 * mib);
  const Tensor x = iota<int>({1024, 1024});
  release_kept();
  const std::byte* first = nullptr;
  {
    const std::shared_ptr<std::byte> memory = allocate(4 * mib);
    first = memory.get();
  }
  CHECK(allocate(4 * mib).get() == first);
  CHECK(allocate(4 * mib - 100).get() == first);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % (2 * mib) == 0);
  for (int i = 0; i < 3; ++i) CHECK(x.transpose().eval().node().value().get() == first);
  set_kept_bytes(before);
  CHECK_THROWS_AS(set_kept_bytes(-1), ParameterError);
}

TEST_CASE("kept memory: several results below 1 MiB, as well, which displace no larger ones") {
  const std::int64_t before = set_kept_bytes(64 * mib);
  release_kept();
  const std::byte* const large = allocate(2 * mib).get();
  std::vector<const std::byte*> first;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::shared_ptr<std::byte>> memory;
    std::vector<const std::byte*> at;
    for (int k = 0; k < 5; ++k) {
      memory.push_back(allocate(700 * 1024));
      at.push_back(memory.back().get());
      std::memset(memory.back().get(), 1, 700 * 1024);
    }
    std::sort(at.begin(), at.end());
    if (round == 0) first = at;
    CHECK(at == first);
  }
  for (int k = 0; k < 300; ++k) allocate(40 * 1024 + 3000 * k);
  CHECK(allocate(2 * mib).get() == large);
  CHECK(set_kept_bytes(0) == 64 * mib);
  CHECK(set_kept_bytes(before) == 0);
}

TEST_CASE("kept memory: a block fits where it is at most an eighth larger, the smallest first") {
  Counted kept(1000);
  kept.put({blocks, 112});
  kept.put({blocks + 1, 104});
  kept.put({blocks + 2, 113});
  CHECK(kept.take(114).memory == nullptr);
  CHECK(kept.take(100).memory == blocks + 1);
  CHECK(kept.take(100).memory == blocks);
  CHECK(kept.take(100).memory == nullptr);
  CHECK(kept.take(101).bytes == 113);
  CHECK(blocks_freed == 0);
}

TEST_CASE("kept memory: beyond the bound the oldest goes, and none where it is 0") {
  Counted kept(100);
  kept.put({blocks, 40});
  kept.put({blocks + 1, 50});
  kept.put({blocks + 2, 101});
  CHECK(blocks_freed == 1);
  kept.put({blocks + 3, 11});
  CHECK(blocks_freed == 2);
  CHECK(kept.take(40).memory == nullptr);
  CHECK(kept.set_bound(20) == 100);
  CHECK(blocks_freed == 3);
  CHECK(kept.take(11).memory == blocks + 3);
  kept.set_bound(0);
  kept.put({blocks, 1});
  CHECK(blocks_freed == 4);
}

TEST_CASE("kept memory: clearing frees all; the number of blocks is bounded, too") {
  Counted kept(1000);
  for (std::byte& block : blocks) kept.put({&block, 1});
  CHECK(blocks_freed == 300 - 256);
  kept.clear();
  CHECK(blocks_freed == 300);
  CHECK(kept.take(1).memory == nullptr);
}

TEST_CASE("kept memory: threads take and put blocks") {
  const std::int64_t before = set_kept_bytes(5 * mib);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const std::int64_t bytes = mib + 1000 * (i % 7);
        const std::shared_ptr<std::byte> memory = allocate(bytes);
        std::memset(memory.get(), static_cast<int>(t), 5000);
        for (int k = 0; k < 5000; k += 100)
          wrong[t] += memory.get()[k] != static_cast<std::byte>(t);
        if (i % 50 == 0) release_kept();
        if (i % 70 == 0) set_kept_bytes(5 * mib - i * 1000);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
  set_kept_bytes(before);
}
