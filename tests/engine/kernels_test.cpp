// Kernels: each against plain loops, over sizes, misalignments and units, with sentinels around.
#include <doctest/doctest.h>

#include <cstring>
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <vector>

#include <weft/engine/kernels/kernels.h>

using namespace weft;

namespace {

constexpr std::byte sentinel{0xEE};
constexpr std::int64_t margin = 256;

/// What any kernel must do, a byte at a time.
void move_bytes(const Tile& tile, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < tile.outer.extent; ++i)
    for (std::int64_t j = 0; j < tile.inner.extent; ++j) {
      const std::int64_t to =
          tile.dst_table ? tile.dst_table[j] * tile.element : j * tile.inner.dst;
      const std::int64_t from =
          tile.src_table ? tile.src_table[j] * tile.element : j * tile.inner.src;
      for (std::int64_t b = 0; b < tile.unit; ++b)
        dst[i * tile.outer.dst + to + b] = src[i * tile.outer.src + from + b];
    }
}

/// Runs both over buffers of `size` bytes and compares everything, also what must stay untouched.
void check_once(Kernel kernel, const Tile& tile, std::int64_t size, std::int64_t dst_start,
                std::int64_t src_start) {
  std::vector<std::byte> src(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < src.size(); ++i)
    src[i] = static_cast<std::byte>((i * 131 + (i >> 8) * 17) & 0xFF);
  std::vector<std::byte> expected(static_cast<std::size_t>(size + 2 * margin), sentinel);
  std::vector<std::byte> got = expected;
  move_bytes(tile, expected.data() + margin + dst_start, src.data() + src_start);
  kernel(tile, got.data() + margin + dst_start, src.data() + src_start);
  if (tile.streams) finish_streams();
  CHECK(std::memcmp(got.data(), expected.data(), got.size()) == 0);
}

/// With ordinary and with streaming stores, on every instruction set that this machine has.
void check(Kernel kernel, Tile tile, std::int64_t size, std::int64_t dst_start,
           std::int64_t src_start) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    for (const bool streams : {false, true}) {
      tile.streams = streams;
      check_once(kernel, tile, size, dst_start, src_start);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

constexpr std::int64_t units[] = {1, 2, 3, 4, 8, 12, 16, 24, 32, 64, 100};

}  // namespace

TEST_CASE("runs of every length and misalignment") {
  for (std::int64_t unit = 1; unit <= 140; ++unit)
    for (std::int64_t shift = 0; shift < 4; ++shift)
      check(copy_runs, {unit, {2, unit + 5, unit + 3}, {3, 2 * unit + 11, 2 * unit + 7}}, 4096,
            shift, 3 - shift);
}

TEST_CASE("fills of every unit and count") {
  for (const std::int64_t unit : units)
    for (std::int64_t count = 1; count <= 140; ++count)
      check(fill, {unit, {2, count * unit + 3, unit}, {count, unit, 0}},
            2 * (count * unit + 3) + 256, count % 5, count % 7);
}

TEST_CASE("long fills keep their pattern past the doubling") {
  for (const std::int64_t unit : {1, 3, 12, 4096, 5000})
    check(fill, {unit, {1, 0, 0}, {200000 / unit, unit, 0}}, 210000, 1, 0);
}

TEST_CASE("reversals of every unit and count") {
  for (const std::int64_t unit : units)
    for (std::int64_t count = 1; count <= 70; ++count)
      check(reverse, {unit, {2, count * unit, count * unit}, {count, unit, -unit}},
            2 * count * unit + 64, count % 3, (count - 1) * unit + count % 5);
}

TEST_CASE("transposes of every small shape and unit") {
  for (const std::int64_t unit : units)
    for (std::int64_t rows : {1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 65})
      for (std::int64_t columns : {1, 2, 5, 8, 15, 16, 17, 33, 70}) {
        const std::int64_t dst_stride = columns * unit + 8, src_stride = rows * unit + 3;
        check(transpose_blocks, {unit, {rows, dst_stride, unit}, {columns, unit, src_stride}},
              std::max(rows * dst_stride, columns * src_stride) + 16, rows % 3, columns % 3);
      }
}

TEST_CASE("strided copies of every unit, forwards, backwards and spread out") {
  for (const std::int64_t unit : units)
    for (std::int64_t count = 1; count <= 40; count += 3) {
      check(copy_strided, {unit, {3, 60 * unit * 2, 50 * unit}, {count, 2 * unit, unit}},
            400 * unit + 200, 1, 2);
      check(copy_strided, {unit, {1, 0, 0}, {count, unit, -3 * unit}}, 200 * unit + 64, 0,
            3 * unit * (count - 1) + 1);
    }
}

TEST_CASE("tables on either side") {
  const std::vector<std::int64_t> in{7, 0, 3, 3, 12, 1}, out{0, 2, 3, 7, 8, 15};
  for (const std::int64_t unit : units) {
    Tile tile{unit, {2, 20 * unit, 13 * unit}, {6, unit, 0}, in.data(), nullptr, unit};
    check(gather_table, tile, 40 * unit, 0, 0);
    tile.dst_table = out.data();
    check(gather_table, tile, 40 * unit, 0, 0);
  }
}
