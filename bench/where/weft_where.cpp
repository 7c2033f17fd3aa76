// SPDX-License-Identifier: Apache-2.0
// weft_where [plain|turned [BYTES [ROUNDS]]]: what a kept `where` takes into the caller's memory,
// beside what is compared with it in the same process, in turn: of elements of so many bytes (0:
// of every size). Medians of the ratios of a round, the middle half of them, and the ratio of the
// quickest, which tells most where other work disturbs.
//
// plain: operands as they lie, 16 KiB, 1 MiB and 64 MiB of output, beside the better of two loops
// by hand (by_hand.cpp), one of which streams. turned: where(c.roll(1, 0), x.transpose(), y)
// beside transposing into memory first, also kept, and a plain where of that.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/weft.h>

#include "measure.h"
#include "where/by_hand.h"

namespace weft::bench {
namespace {

struct Asked {
  std::string_view what = "all";
  std::int64_t bytes = 0;
  std::size_t rounds = 25;

  bool has(std::string_view name) const { return what == "all" || what == name; }
};

/// Bytes that follow no rule; of a condition, those of 0 and 1.
Tensor random_bytes(DType dtype, const Shape& shape) {
  std::vector<std::uint8_t> bytes(
      static_cast<std::size_t>(element_count(shape) * static_cast<std::int64_t>(dtype.size())));
  std::uint64_t state = 1;
  for (std::uint8_t& byte : bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<std::uint8_t>(state >> 56);
    if (dtype == bool_) byte &= 1;
  }
  return copy_from(bytes.data(), dtype, shape);
}

/// Memory for an output, written once.
class Memory {
 public:
  explicit Memory(std::int64_t bytes) : memory_(allocate(bytes)), bytes_(bytes) {
    std::memset(get(), 255, static_cast<std::size_t>(bytes));
  }
  std::byte* get() const { return memory_.get(); }
  std::function<void()> kept(const Tensor& tensor) const {
    return [this, tensor] { eval_into(tensor, get(), bytes_); };
  }
  bool equals(const Memory& other) const {
    return std::memcmp(get(), other.get(), static_cast<std::size_t>(bytes_)) == 0;
  }

 private:
  std::shared_ptr<std::byte> memory_;
  std::int64_t bytes_;
};

/// Prints ours beside the best of the others.
void compare(const Asked& asked, const std::function<void()>& ours,
             std::initializer_list<std::function<void()>> others) {
  const Timed own(ours);
  std::vector<Timed> rivals;
  for (const auto& other : others) rivals.emplace_back(other);
  std::vector<double> ratios, times;
  std::vector<std::vector<double>> of(rivals.size());
  for (std::size_t round = 0; round < asked.rounds; ++round) {
    times.push_back(own.sample());
    for (std::size_t k = 0; k < rivals.size(); ++k) of[k].push_back(rivals[k].sample());
  }
  const auto& best = *std::min_element(of.begin(), of.end(), [](const auto& a, const auto& b) {
    return quantile(a, 0.5) < quantile(b, 0.5);
  });
  for (std::size_t round = 0; round < asked.rounds; ++round)
    ratios.push_back(times[round] / best[round]);
  std::printf("%10.2f us  %10.2f us  %5.2f  [%.2f, %.2f]  %5.2f\n", 1e6 * quantile(times, 0.5),
              1e6 * quantile(best, 0.5), quantile(ratios, 0.5), quantile(ratios, 0.25),
              quantile(ratios, 0.75), quantile(times, 0) / quantile(best, 0));
  std::fflush(stdout);
}

void fail() {
  std::printf("another value\n");
  std::exit(1);
}

void plain(const Asked& asked, std::int64_t size, std::int64_t total) {
  const std::int64_t count = total / size;
  const DType dtype = opaque(static_cast<std::uint32_t>(size));
  const Tensor holds = random_bytes(bool_, {count}), x = random_bytes(dtype, {count}),
               y = random_bytes(dtype, {count});
  const Memory out(count * size), other(count * size);
  const auto by_hand = [&](bool streams) {
    return [&, streams] {
      select_by_hand(size, reinterpret_cast<const std::uint8_t*>(holds.node().value().get()),
                     x.node().value().get(), y.node().value().get(), other.get(), count, streams);
    };
  };
  const auto ours = out.kept(where(holds, x, y));
  ours();
  for (const bool streams : {false, true}) {
    std::memset(other.get(), 0, static_cast<std::size_t>(count * size));
    by_hand(streams)();
    if (!out.equals(other)) fail();
  }
  std::printf("plain  %2d bytes  %8lld KiB  ", static_cast<int>(size),
              static_cast<long long>(total / 1024));
  compare(asked, ours, {by_hand(false), by_hand(true)});
}

void turned(const Asked& asked, std::int64_t size, std::int64_t rows, std::int64_t columns) {
  const DType dtype = opaque(static_cast<std::uint32_t>(size));
  const Tensor holds = random_bytes(bool_, {rows, columns}),
               x = random_bytes(dtype, {columns, rows}), y = random_bytes(dtype, {rows, columns});
  const std::int64_t bytes = rows * columns * size;
  const Memory out(bytes), other(bytes), between(bytes);
  const auto ours = out.kept(where(holds.roll(1, 0), x.transpose(), y));
  const auto first = between.kept(x.transpose());
  const auto after =
      other.kept(where(holds.roll(1, 0), borrow(between.get(), dtype, {rows, columns}), y));
  const auto both = [&] { first(), after(); };
  ours(), both();
  if (!out.equals(other)) fail();
  std::printf("turned %2d bytes  %5lld x %-5lld  ", static_cast<int>(size),
              static_cast<long long>(rows), static_cast<long long>(columns));
  compare(asked, ours, {both});
}

void run(const Asked& asked) {
  std::printf("%30s  %10s     %10s     ratio  middle half   quickest\n", "", "ours", "beside");
  for (const std::int64_t size : {1, 2, 3, 4, 8, 12, 16}) {
    if (asked.bytes != 0 && asked.bytes != size) continue;
    for (const std::int64_t total : {16 << 10, 1 << 20, 64 << 20})
      if (asked.has("plain")) plain(asked, size, total);
    for (const auto& [rows, columns] :
         {std::pair{512, 512}, {1000, 1024}, {777, 3001}, {2048, 2048}, {4096, 4096}})
      if (asked.has("turned")) turned(asked, size, rows, columns);
  }
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::bench::Asked asked;
  if (argc > 1) asked.what = argv[1];
  if (argc > 2) asked.bytes = std::strtoll(argv[2], nullptr, 10);
  if (argc > 3) asked.rounds = std::strtoul(argv[3], nullptr, 10);
  weft::bench::run(asked);
}
