// SPDX-License-Identifier: Apache-2.0
// Caches, as they are told in folders like those of Linux.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <weft/engine/memory/caches.h>

using namespace weft;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t MiB = 1024 * 1024;

/// A folder that is there until the end of a scope.
class Folder {
 public:
  Folder() { fs::create_directories(path_); }
  ~Folder() { fs::remove_all(path_); }

  void add(int cpu, int index, const std::string& level, const std::string& size,
           const std::string& sharers) const {
    const fs::path at =
        path_ / ("cpu" + std::to_string(cpu)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(at);
    std::ofstream(at / "level") << level << "\n";
    std::ofstream(at / "size") << size << "\n";
    std::ofstream(at / "shared_cpu_list") << sharers << "\n";
  }
  std::string name() const { return path_.string(); }

 private:
  const fs::path path_ = fs::temp_directory_path() / "weft_caches_test";
};

}  // namespace

TEST_CASE("caches: the last level counts, once for all that share it") {
  const Folder folder;
  for (int cpu = 0; cpu < 4; ++cpu) {
    folder.add(cpu, 0, "1", "32K", std::to_string(cpu));
    folder.add(cpu, 2, "2", "1024K", std::to_string(cpu));
    folder.add(cpu, 3, "3", "32M", cpu < 2 ? "0-1" : "2-3");
  }
  CHECK(read_last_cache_bytes(folder.name()) == 64 * MiB);
}

TEST_CASE("caches: without a third level it is the second of every core") {
  const Folder folder;
  for (int cpu = 0; cpu < 2; ++cpu) folder.add(cpu, 0, "2", "2048K", std::to_string(cpu));
  CHECK(read_last_cache_bytes(folder.name()) == 4 * MiB);
}

TEST_CASE("caches: what nobody tells, or tells in another way, is 0") {
  const Folder folder;
  CHECK(read_last_cache_bytes(folder.name()) == 0);
  CHECK(read_last_cache_bytes(folder.name() + "/not/there") == 0);
  folder.add(0, 0, "3", "a lot", "0");
  CHECK(read_last_cache_bytes(folder.name()) == 0);
  folder.add(0, 0, "3", "99999999999999999999K", "0");
  CHECK(read_last_cache_bytes(folder.name()) == 0);
  CHECK(last_cache_bytes() > 0);
}
