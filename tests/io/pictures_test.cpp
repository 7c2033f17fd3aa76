// SPDX-License-Identifier: Apache-2.0
// PNG and JPEG files against pixels that others packed, and against damage.
#include <doctest/doctest.h>
#include <weft/io/jpeg.h>
#include <weft/io/png.h>

#include <cstdlib>

#include "files.h"

namespace weft::testing {
namespace {

/// The largest difference of two pictures of u8.
int difference(const Bytes& a, const Bytes& b) {
  REQUIRE(a.size() == b.size());
  int most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, std::abs(std::to_integer<int>(a[k]) - std::to_integer<int>(b[k])));
  return most;
}

bool is_jpeg(const ToldFile& told) { return told.name.ends_with(".jpg"); }

TEST_CASE("pictures have the pixels that were packed") {
  const TemporaryFolder folder;
  const std::vector<ToldFile> all = told_files("pictures.txt");
  CHECK(all.size() == 28);
  for (const ToldFile& told : all) {
    INFO(told.name);
    const std::string path = folder.path(told.name);
    write_bytes(path, told.file);
    for (const Tensor& x : {load(path), load_bytes(told.file)}) {
      CHECK(x.dtype().name() == told.dtype);
      CHECK(std::vector<std::int64_t>(x.shape().begin(), x.shape().end()) == told.shape);
      CHECK(difference(elements_of(x), told.elements) <= (is_jpeg(told) ? 3 : 0));
    }
    const FileInfo info = file_info(path);
    CHECK(info.format == (is_jpeg(told) ? "jpeg" : "png"));
    CHECK(info.members[0].dtype.name() == told.dtype);
    CHECK(info.members[0].shape == told.shape);
    CHECK(info.members[0].note == told.note);
  }
}

TEST_CASE("a JPEG is turned by its orientation where that is asked for") {
  // Where EXIF says that row 0 and column 0 of the file are.
  enum Side { top, bottom, left, right };
  static constexpr Side sides[9][2] = {
      {},          {top, left},  {top, right},    {bottom, right}, {bottom, left},
      {left, top}, {right, top}, {right, bottom}, {left, bottom}};
  int turned = 0;
  for (const ToldFile& told : told_files("pictures.txt")) {
    if (!told.name.starts_with("turned_")) continue;
    INFO(told.name);
    ++turned;
    const auto& [row_side, column_side] = sides[told.name[7] - '0'];
    const Tensor x = load_bytes(told.file);
    const Tensor y = load_bytes(told.file, {.apply_orientation = true});
    const std::int64_t height = x.extent(0), width = x.extent(1);
    const bool is_exchanged = row_side == left || row_side == right;
    REQUIRE(y.shape() == (is_exchanged ? Shape{width, height, 3} : Shape{height, width, 3}));
    const std::vector<std::uint8_t> from = x.to_vector<std::uint8_t>(),
                                    to = y.to_vector<std::uint8_t>();
    for (std::int64_t row = 0; row < height; ++row)
      for (std::int64_t column = 0; column < width; ++column) {
        std::int64_t at[2]{};  // from the top, from the left
        at[is_exchanged ? 1 : 0] = row_side == top || row_side == left ? row : height - 1 - row;
        at[is_exchanged ? 0 : 1] =
            column_side == top || column_side == left ? column : width - 1 - column;
        const auto pixel = [](std::int64_t r, std::int64_t c, std::int64_t columns) {
          return static_cast<std::size_t>((r * columns + c) * 3);
        };
        const std::size_t a = pixel(row, column, width), b = pixel(at[0], at[1], y.extent(1));
        for (std::size_t k = 0; k < 3; ++k)
          if (from[a + k] != to[b + k]) FAIL_CHECK("pixel ", row, ", ", column);
      }
  }
  CHECK(turned == 7);
}

TEST_CASE("what is saved as PNG is what is loaded") {
  const TemporaryFolder folder;
  Random random(20);
  for (const DType dtype : {u8, u16})
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      Bytes bytes(static_cast<std::size_t>(7 * 9 * channels * dtype.size()));
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
      const Tensor x = copy_from(bytes.data(), dtype, {9, 7, channels}).transpose({1, 0, 2});
      save(x, folder.path("x.png"));
      const Tensor y = load(folder.path("x.png"));
      CHECK(y.dtype() == dtype);
      CHECK(y.shape() == Shape{7, 9, channels});
      CHECK(elements_of(y) == elements_of(x));
    }
  save(iota<std::uint8_t>({4, 5}), folder.path("x.png"));
  CHECK(load(folder.path("x.png")).shape() == Shape{4, 5, 1});
}

TEST_CASE("what is saved as JPEG is nearly what is loaded, by its quality") {
  const TemporaryFolder folder;
  for (const std::int64_t channels : {1, 3}) {
    const Tensor x = iota<std::uint8_t>({16}).expand_dims({1, 2}) * 10 +
                     iota<std::uint8_t>({24}).expand_dims({0, 2}) +
                     full<std::uint8_t>({1, 1, channels}, 3);
    save(x, folder.path("x.jpg"), {.quality = 100});
    CHECK(difference(elements_of(load(folder.path("x.jpg"))), elements_of(x)) <= 3);
    const std::size_t fine = read_bytes(folder.path("x.jpg")).size();
    save(x, folder.path("x.jpeg"), {.quality = 10});
    CHECK(read_bytes(folder.path("x.jpeg")).size() < fine);
  }
}

TEST_CASE("what is no picture is not saved as one") {
  const TemporaryFolder folder;
  const std::string png = folder.path("x.png"), jpeg = folder.path("x.jpg");
  for (const std::string& path : {png, jpeg}) {
    CHECK_THROWS_AS(save(iota<float>({4, 5}), path), DtypeError);
    CHECK_THROWS_AS(save(iota<std::uint8_t>({4}), path), ShapeError);
    CHECK_THROWS_AS(save(iota<std::uint8_t>({4, 5, 5}), path), ShapeError);
    CHECK_THROWS_AS(save(iota<std::uint8_t>({0, 5, 3}), path), ShapeError);
  }
  CHECK_THROWS_AS(save(iota<std::uint16_t>({4, 5}), jpeg), DtypeError);
  CHECK_THROWS_AS(save(iota<std::uint8_t>({4, 5, 2}), jpeg), ShapeError);
  CHECK_THROWS_AS(save(iota<std::uint8_t>({4, 5}), jpeg, {.quality = 0}), ParameterError);
  CHECK_THROWS_AS(save(full<std::uint8_t>({1, 70000}, 1), jpeg), ShapeError);
  CHECK(folder.files() == 0);
}

TEST_CASE("reading a picture stops where that is asked for") {
  const std::function<bool()> yes = [] { return true; }, no = [] { return false; };
  for (const ToldFile& told : told_files("pictures.txt")) {
    CAPTURE(told.name);
    CHECK_THROWS_AS(load_bytes(told.file, {.should_stop = &yes}), Cancelled);
    CHECK(load_bytes(told.file, {.should_stop = &no}).size() > 0);
  }
}

TEST_CASE("damaged pictures load or are refused") {
  std::size_t loaded = 0, refused = 0;
  std::uint64_t seed = 92000;
  for (const ToldFile& told : told_files("pictures.txt"))
    for (int k = 0; k < 100; ++k) {
      Random random(++seed);
      INFO("seed ", seed);
      ++(complaint_of_bytes(damaged(told.file, random)) == "nothing" ? loaded : refused);
    }
  MESSAGE("seeds 92001 to ", seed, ": ", loaded, " loaded, ", refused, " refused");
  CHECK(loaded > 50);
  CHECK(refused > 500);
}

}  // namespace
}  // namespace weft::testing
