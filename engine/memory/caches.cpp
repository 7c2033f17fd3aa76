// SPDX-License-Identifier: Apache-2.0
// Reading what the system tells of caches.
#include <weft/engine/memory/caches.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;
constexpr std::int64_t likely_bytes = 32 * MiB;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string text;
  std::getline(stream, text);
  return text;
}

/// "32768K" or "32M"; 0 where it is neither.
std::int64_t bytes_of(const std::string& size) {
  constexpr std::size_t most_digits = 9;
  const std::size_t digits = size.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || digits > most_digits) return 0;
  const std::string unit = size.substr(digits);
  return std::stoll(size.substr(0, digits)) * (unit == "K" ? KiB : unit == "M" ? MiB : 0);
}

}  // namespace

std::int64_t read_last_cache_bytes(const std::string& folder) {
  // Of each level, one for each set of processors that share it.
  std::map<std::string, std::map<std::string, std::int64_t>> levels;
  std::error_code error;
  for (const fs::directory_entry& cpu : fs::directory_iterator(folder, error))
    for (const fs::directory_entry& cache : fs::directory_iterator(cpu.path() / "cache", error))
      if (const std::string level = text_of(cache.path() / "level"); level.size() == 1)
        levels[level][text_of(cache.path() / "shared_cpu_list")] =
            bytes_of(text_of(cache.path() / "size"));
  std::int64_t bytes = 0;
  if (!levels.empty())
    for (const auto& [sharers, each] : levels.rbegin()->second) bytes += each;
  return bytes;
}

std::int64_t last_cache_bytes() {
  static const std::int64_t bytes = [] {
    try {
      if (const std::int64_t told = read_last_cache_bytes("/sys/devices/system/cpu"); told > 0)
        return told;
    } catch (const std::exception&) {  // there was no memory to read it
    }
    return likely_bytes;
  }();
  return bytes;
}

}  // namespace weft
