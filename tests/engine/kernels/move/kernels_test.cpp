// SPDX-License-Identifier: Apache-2.0
// Kernels: each against plain loops, over sizes, misalignments and units, with sentinels around.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <hwy/highway.h>
#include <hwy/targets.h>
#include <vector>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/engine/memory/buffer.h>

using namespace weft;

namespace {

constexpr std::byte sentinel{0xEE};
constexpr std::int64_t margin = 256;

/// Starts where a cache line does, so that `dst_start` says how far from one a kernel writes.
class Bytes {
 public:
  Bytes(std::int64_t size, std::byte value) : size_(size), bytes_(allocate(size)) {
    std::fill_n(bytes_.get(), size, value);
  }
  std::byte* data() { return bytes_.get(); }
  std::int64_t size() const { return size_; }

 private:
  std::int64_t size_;
  std::shared_ptr<std::byte> bytes_;
};

std::int64_t offset(const Tile::Sides& sides, std::int64_t Tile::Side::*stride, std::int64_t step) {
  std::int64_t total = 0;
  for (const Tile::Side& side : sides) {
    total += step % side.extent * side.*stride;
    step /= side.extent;
  }
  return total;
}

/// What any kernel must do, a byte at a time; the shuffle kernel takes bytes from elsewhere.
void move_bytes(const Tile& tile, bool is_shuffled, std::byte* dst, const std::byte* src) {
  for (std::int64_t i = 0; i < steps_of(tile.rows()); ++i)
    for (std::int64_t j = 0; j < steps_of(tile.columns()); ++j) {
      const std::int64_t to = tile.dst_table ? tile.dst_table[j] * tile.element
                                             : offset(tile.columns(), &Tile::Side::dst, j);
      const std::int64_t from = tile.src_table ? tile.src_table[j] * tile.element
                                               : offset(tile.columns(), &Tile::Side::src, j);
      for (std::int64_t b = 0; b < tile.unit; ++b)
        dst[offset(tile.rows(), &Tile::Side::dst, i) + to + b] =
            src[offset(tile.rows(), &Tile::Side::src, i) + from +
                (is_shuffled ? (*tile.from)[static_cast<std::size_t>(b)] : b)];
    }
}

/// Runs both over buffers of `size` bytes and compares everything, also what must stay untouched.
void check_once(Kernel kernel, const Tile& tile, std::int64_t size, std::int64_t dst_start,
                std::int64_t src_start) {
  Bytes src(size, sentinel);
  for (std::int64_t i = 0; i < size; ++i)
    src.data()[i] = static_cast<std::byte>((i * 131 + (i >> 8) * 17) & 0xFF);
  Bytes expected(size + 2 * margin, sentinel), got(size + 2 * margin, sentinel);
  move_bytes(tile, kernel == shuffle, expected.data() + margin + dst_start, src.data() + src_start);
  kernel(tile, got.data() + margin + dst_start, src.data() + src_start);
  if (tile.streams) finish_streams();
  CHECK(std::memcmp(got.data(), expected.data(), static_cast<std::size_t>(got.size())) == 0);
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
  for (const std::int64_t unit : {255, 256, 700, 1023, 1024, 1500})
    check(copy_runs, {unit, {2, unit + 5, unit + 3}, {3, 2 * unit + 11, 2 * unit + 7}}, 8 * unit, 1,
          2);
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

TEST_CASE("shuffles of every unit and count, up and down, near and far steps") {
  const auto check_from = [](std::int64_t unit, auto from) {
    Tile tile{unit, Tile::once, Tile::once};
    ShuffledBytes bytes{};
    tile.from = &bytes;
    std::int64_t low = 99, high = -99;
    for (std::int64_t b = 0; b < unit; ++b) {
      const std::int64_t at = from(b);
      bytes[static_cast<std::size_t>(b)] = static_cast<std::int8_t>(at);
      low = std::min(low, at), high = std::max(high, at);
    }
    for (const std::int64_t step :
         {unit, -unit, std::int64_t{1}, std::int64_t{-1}, unit + 1, -unit - 2, std::int64_t{40}})
      for (const std::int64_t count : {1, 2, 5, 16, 17, 100, 1500})
        if (count * unit < 6000) {
          const std::int64_t read = (count - 1) * std::abs(step) + high - low + 1;
          tile.outer = {2, count * unit + 3, read};
          tile.inner = {count, unit, step};
          const std::int64_t size = std::max(2 * (count * unit + 3), 2 * read);
          check(shuffle, tile, size, count % 5, (step > 0 ? 0 : (count - 1) * -step) - low);
        }
  };
  for (std::int64_t unit = 1; unit <= 64; unit += unit < 8 || unit > 62 ? 1 : unit < 18 ? 2 : 5) {
    check_from(unit, [&](std::int64_t b) { return unit - 1 - b; });
    check_from(unit, [&](std::int64_t b) { return b % 3; });
    check_from(unit, [&](std::int64_t b) { return b / 2 - 3; });
    if (unit <= 16) check_from(unit, [&](std::int64_t b) { return (b + 1) % unit - 3; });
  }
}

TEST_CASE("shuffles read no byte outside of what they move") {
  for (const std::int64_t unit : {1, 3, 4, 7, 12, 16, 17, 32, 50, 64})
    for (const std::int64_t step : {unit, -unit, unit + 1, std::int64_t{1}, std::int64_t{-5}})
      for (const std::int64_t count : {1, 6, 31, 400}) {
        const std::int64_t distance = (count - 1) * std::abs(step);
        std::vector<std::byte> src(static_cast<std::size_t>(distance + unit));  // ASan watches it
        for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<std::byte>(i * 131);
        std::vector<std::byte> got(static_cast<std::size_t>(count * unit)), expected = got;
        Tile tile{unit, Tile::once, {count, unit, step}};
        ShuffledBytes bytes{};
        tile.from = &bytes;
        for (std::int64_t b = 0; b < unit; ++b)
          bytes[static_cast<std::size_t>(b)] = static_cast<std::int8_t>(unit - 1 - b);
        const std::byte* const start = src.data() + (step > 0 ? 0 : distance);
        move_bytes(tile, true, expected.data(), start);
        shuffle(tile, got.data(), start);
        CHECK(got == expected);
      }
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

TEST_CASE("transposes of lines, whole and ragged, aligned and not") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 16, 64})
    for (const std::int64_t rows_bytes : {64, 128, 192, 256, 576})
      for (const std::int64_t columns_bytes : {128, 192, 640, 1088})
        for (const std::int64_t start : {0, 16, 64}) {
          const std::int64_t rows = rows_bytes / unit, columns = columns_bytes / unit;
          const std::int64_t dst_stride = (columns_bytes + 63) / 64 * 64 + start % 64;
          const std::int64_t src_stride = rows * unit + start;
          if (rows < 1 || columns < 1) continue;
          check(transpose_blocks, {unit, {rows, dst_stride, unit}, {columns, unit, src_stride}},
                std::max(rows * dst_stride, columns * src_stride) + 64, start, start / 16);
        }
}

TEST_CASE("transposes whose rows or columns run backwards") {
  for (const std::int64_t unit : {1, 2, 3, 4, 8, 16, 64})
    for (const std::int64_t rows : {3, 16, 33, 100})
      for (const std::int64_t columns : {5, 32, 129}) {
        const std::int64_t dst_stride = columns * unit, src_stride = rows * unit;
        const std::int64_t size = rows * columns * unit;
        check(transpose_blocks, {unit, {rows, -dst_stride, unit}, {columns, unit, src_stride}},
              size, (rows - 1) * dst_stride, 0);
        check(transpose_blocks, {unit, {rows, dst_stride, unit}, {columns, unit, -src_stride}},
              size, 0, (columns - 1) * src_stride);
        check(transpose_blocks, {unit, {rows, -dst_stride, unit}, {columns, unit, -src_stride}},
              size, (rows - 1) * dst_stride, (columns - 1) * src_stride);
      }
}

TEST_CASE("transposes that start just before a line ends") {
  for (const std::int64_t unit : {1, 2, 3, 6, 12, 24})
    for (const std::int64_t start : {120, 126, 127})
      check(transpose_blocks, {unit, {40, 70 * unit, unit}, {70, unit, 40 * unit}},
            40 * 70 * unit + 256, start, 0);
}

TEST_CASE("transposes whose rows and columns go on over several loops") {
  for (const std::int64_t unit : {1, 2, 4, 8, 12, 16})
    for (const std::int64_t a : {1, 3, 5})
      for (const std::int64_t b : {2, 7})
        for (const std::int64_t c : {1, 4})
          for (const std::int64_t d : {3, 9}) {
            // src [b, a, d, c] to dst [d, c, b, a] with gaps: columns over a and b, rows over c and
            // d.
            const std::int64_t row = c * unit, plane = d * row + 8;
            Tile tile{unit, {c, a * b * unit + 5, unit}, {a, unit, plane}};
            tile.more_outer[0] = {d, c * (a * b * unit + 5) + 3, row};
            tile.more_inner[0] = {b, a * unit, a * plane + 11};
            check(transpose_blocks, tile, 40000, 3, 1);
          }
}

TEST_CASE("channels taken apart and put together, two to four of every vector unit") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (const std::int64_t channels : {2, 3, 4})
      for (const std::int64_t count : {1, 2, 15, 16, 17, 63, 64, 65, 128, 200, 1025})
        for (const std::int64_t start : {0, 1, 64}) {
          const std::int64_t plane = count * unit + 24;
          check(deinterleave, {unit, {channels, plane, unit}, {count, unit, channels * unit}},
                channels * plane + 256, start, start % 3);
          check(interleave, {unit, {count, channels * unit, unit}, {channels, unit, plane}},
                channels * plane + 256, start, start % 3);
        }
}

TEST_CASE("every second unit, up to the last and not past it") {
  for (const std::int64_t unit : {1, 2, 4, 8})
    for (std::int64_t count = 1; count <= 140; ++count) {
      // The last step ends where the buffer does.
      const std::int64_t size = 2 * (2 * count - 1) * unit;
      check(take_every_second,
            {unit, {2, count * unit, (2 * count - 1) * unit}, {count, unit, 2 * unit}}, size, 0, 0);
      check(put_every_second,
            {unit, {2, (2 * count - 1) * unit, count * unit}, {count, 2 * unit, unit}}, size, 0, 0);
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
