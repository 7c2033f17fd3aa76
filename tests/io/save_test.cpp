// SPDX-License-Identifier: Apache-2.0
// Files that are saved: whole or not there, and by parts where memory is short.
#include <doctest/doctest.h>
#include <weft/engine/view/parts.h>
#include <weft/io/npz.h>
#include <weft/io/safetensors.h>

#include <chrono>
#include <functional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "files.h"

namespace weft::testing {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

TEST_CASE("a result is evaluated into its file") {
  const TemporaryFolder folder;
  const Tensor x = iota<int>({300, 500}), y = x.roll({7, -9}, {0, 1}).transpose();
  save(y, folder.path("y.npy"));
  CHECK_FALSE(y.is_stored());
  CHECK(elements_of(load(folder.path("y.npy"))) == elements_of(y));
  for (const Tensor& small : {scalar(3), iota<int>({0, 4}), iota<int>({0}).flip(0), x, x.flip(0)}) {
    save(small, folder.path("z.npy"));
    const Tensor z = load(folder.path("z.npy"));
    CHECK(z.shape() == small.shape());
    CHECK(elements_of(z) == elements_of(small));
  }
  CHECK(folder.files() == 2);
}

TEST_CASE("a file may be saved over what it is made of") {
  const TemporaryFolder folder;
  save(iota<int>({100, 100}), folder.path("x.npy"));
  const Tensor x = load(folder.path("x.npy"));
  save(x.transpose(), folder.path("x.npy"));
  CHECK(load(folder.path("x.npy")).slice({3, 5}, {4, 6}).item<int>() == 503);
  CHECK(x.slice({3, 5}, {4, 6}).item<int>() == 305);  // that of the old file
}

TEST_CASE("what exists keeps its mode, and a link its target") {
  const TemporaryFolder folder;
  write_bytes(folder.path("x.npy"), {});
  fs::permissions(folder.path("x.npy"), fs::perms(0640));
  fs::create_symlink("x.npy", folder.path("link.npy"));
  fs::create_symlink(folder.path("link.npy"), folder.path("link of link.npy"));
  save(iota<int>({3}), folder.path("link of link.npy"));
  CHECK(fs::is_symlink(folder.path("link.npy")));
  CHECK(mode_of(folder.path("x.npy")) == 0640);
  CHECK(load(folder.path("x.npy")).size() == 3);
  fs::create_symlink("new.npy", folder.path("to nothing.npy"));
  save(iota<int>({3}), folder.path("to nothing.npy"));
  CHECK(load(folder.path("new.npy")).size() == 3);
  fs::create_symlink("loop.npy", folder.path("loop.npy"));
  CHECK_THROWS_AS(save(iota<int>({3}), folder.path("loop.npy")), FileError);
  CHECK(folder.files() == 6);
}

TEST_CASE("an error leaves the old file, and nothing beside it") {
  const TemporaryFolder folder;
  const std::string path = folder.path("x.npy");
  save(iota<int>({3}), path);
  const Bytes old = read_bytes(path);
  const Tensor much = iota<int>({1000, 1000}).flip(0);
  const std::function<bool()> stop = [] { return true; };
  CHECK_THROWS_AS(save(much, path, {.eval = {.should_stop = &stop}}), Cancelled);
  CHECK_THROWS_AS(save(take(much, array<std::int64_t>({5000}), 0), path), IndexError);
  CHECK_THROWS_AS(save(placeholder(i32, {3}), path), OpenError);
  CHECK_THROWS_AS(save(Tensor(), path), EmptyError);
  CHECK_THROWS_AS(save(much, folder.path("x")), FormatError);
  CHECK_THROWS_AS(save(much, path, {.format = "gif"}), ParameterError);
  CHECK_THROWS_AS(save(much, folder.path("no/x.npy")), FileError);
  CHECK_THROWS_AS(save(full<std::uint8_t>(std::int64_t{1} << 60, 1).flip(0), path), FileError);
  fs::create_directory(folder.path("folder.npy"));
  CHECK_THROWS_AS(save(much, folder.path("folder.npy")), FileError);
  CHECK(read_bytes(path) == old);
  CHECK(folder.files() == 2);
  CHECK_THROWS_AS(load(folder.path("none.npy")), FileError);
  CHECK_THROWS_AS(load(folder.path("folder.npy")), FileError);
}

TEST_CASE("a copy of a file that was cut short meanwhile is an error") {
  const TemporaryFolder folder;
  save(iota<int>({1 << 20}), folder.path("x.npy"));
  const Tensor x = load(folder.path("x.npy"));
  fs::resize_file(folder.path("x.npy"), 5000);
  CHECK_THROWS_AS(save(x, folder.path("y.npy")), FileError);
  CHECK(folder.files() == 1);
}

TEST_CASE("a FIFO is written in order") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.path("x.npy").c_str(), 0600) == 0);
  Bytes got;
  std::thread reader([&] { got = read_bytes(folder.path("x.npy")); });
  const Tensor x = iota<int>({300, 200}).transpose();
  save(x, folder.path("x.npy"), {.eval = {.memory_limit = 100000}});
  reader.join();
  CHECK(elements_of(load_bytes(got)) == elements_of(x));
  std::thread writer([&] { write_bytes(folder.path("x.npy"), got); });
  const Tensor again = load(folder.path("x.npy"));
  writer.join();
  CHECK(elements_of(again) == elements_of(x));
  CHECK(fs::is_fifo(folder.path("x.npy")));
}

TEST_CASE("a result larger than memory is saved part by part") {
  const TemporaryFolder folder;
  Random random(18);
  for (int k = 0; k < 60; ++k) {
    const Shape shape{random.in(1, 40), random.in(1, 40), random.in(1, 40)};
    const Tensor x = iota<std::int16_t>(shape);
    std::vector<std::int64_t> order{0, 1, 2};
    random.shuffle(order);
    const Tensor y = x.roll({random.in(0, 40), random.in(0, 40)}, {0, 2}).transpose(order).flip(1);
    const std::int64_t limit = random.in(1000, 30000);
    INFO("round ", k, " of seed 18");
    save(y, folder.path("y.npy"), {.eval = {.memory_limit = limit}});
    CHECK(elements_of(load(folder.path("y.npy"))) == elements_of(y));
  }
}

TEST_CASE("a large result is saved slice by slice, told as one, and may be stopped") {
  const TemporaryFolder folder;
  const std::string path = folder.path("x.npy");
  const Tensor x = iota<float>({6000, 7000}), y = x.roll({1, 2}, {0, 1}).transpose();
  for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{20} << 20}) {
    std::vector<double> told;
    const std::function<void(double)> tell = [&](double done) {
      CHECK(done >= (told.empty() ? 0 : told.back()));
      told.push_back(done);
    };
    Trace trace;
    save(y, path, {.eval = {.memory_limit = limit, .progress = &tell, .trace = &trace}});
    CHECK(told.size() > 5);
    CHECK(told.back() == 1);
    CHECK(trace.size() > 20);
    CHECK(elements_of(load(path)) == elements_of(y));
  }
  save(iota<int>({3}), path);
  const Bytes old = read_bytes(path);
  for (const int wait : {0, 20, 60, 100}) {
    std::stop_source source;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
      source.request_stop();
    });
    try {
      save(y, path, {.eval = {.stop = source.get_token()}});
      save(iota<int>({3}), path);  // it was faster
    } catch (const Cancelled&) {
    }
    other.join();
    CHECK(read_bytes(path) == old);
    CHECK(folder.files() == 1);
  }
}

TEST_CASE("what is told of an archive is told as one") {
  const TemporaryFolder folder;
  const Tensor x = iota<float>({700, 1000});
  std::vector<double> told;
  const std::function<void(double)> tell = [&](double done) {
    CHECK(done >= (told.empty() ? 0 : told.back()));
    told.push_back(done);
  };
  for (const bool deflate : {false, true}) {
    told.clear();
    SaveOptions options{.eval = {.progress = &tell}, .deflate = deflate};
    save_npz({{"a", x.flip(0)}, {"b", x.transpose()}}, folder.path("x.npz"), options);
    CHECK(told.back() == 1);
    told.clear();
    save_safetensors({{"a", x.flip(0)}, {"b", x}}, folder.path("x.safetensors"), options);
    CHECK(told.back() == 1);
  }
}

TEST_CASE("what has no end is read and written until a stop is asked for") {
  int times = 0;
  const std::function<bool()> third = [&] { return ++times == 3; }, yes = [] { return true; };
  CHECK_THROWS_AS(
      load("/dev/zero", LoadOptions{.format = "raw", .dtype = u8, .should_stop = &third}),
      Cancelled);
  CHECK(times == 3);
  const SaveOptions options{.format = "npy", .eval = {.should_stop = &yes}};
  CHECK_THROWS_AS(save(iota<float>({4}), "/dev/null", options), Cancelled);
}

TEST_CASE("parts cover a result once, and their rows are long on both sides") {
  const Tensor x = iota<float>({1000, 1000});
  const Shape turned = shape_of_parts(x.transpose(), {}, 1 << 18, {});
  CHECK(turned == Shape{256, 256});
  CHECK(shape_of_parts(x.flip(0), {}, 1 << 18, {}) == Shape{65, 1000});
  CHECK(shape_of_parts(x.transpose(), {.in_order = true}, 1 << 18, {}) == Shape{65, 1000});
  const Tensor y = iota<std::uint8_t>({50, 60}).transpose();
  for (const bool in_order : {false, true}) {
    std::vector<int> times(3000);
    std::int64_t last = -1;
    eval_in_parts(
        y, {in_order}, {.memory_limit = 500}, [&](const Shape& start, const Tensor& part) {
          CHECK(part.bytes() <= 500);
          for (std::int64_t k = 0; k < part.size(); ++k) {
            Index at = unravel_index(k, part.shape());
            for (std::size_t axis = 0; axis < 2; ++axis) at[axis] += start[axis];
            const std::int64_t place = linear_index(at, y.shape());
            ++times[static_cast<std::size_t>(place)];
            if (in_order) CHECK(place == last + 1);
            last = place;
            CHECK(part.data<std::uint8_t>()[k] == static_cast<std::uint8_t>(at[1] * 60 + at[0]));
          }
        });
    CHECK(times == std::vector<int>(3000, 1));
  }
}

}  // namespace
}  // namespace weft::testing
