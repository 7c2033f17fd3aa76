// SPDX-License-Identifier: Apache-2.0
// .npz and safetensors files against those of NumPy and of safetensors, and against damage.
#include <doctest/doctest.h>
#include <weft/io/npy.h>
#include <weft/io/npz.h>
#include <weft/io/raw.h>
#include <weft/io/safetensors.h>

#include "files.h"

namespace weft::testing {
namespace {

std::vector<std::int64_t> shape_of(const Tensor& x) { return {x.shape().begin(), x.shape().end()}; }

std::string member_of(const ToldFile& told) { return told.name.substr(told.name.find(':') + 1); }

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A safetensors file of that header.
Bytes safetensors_of(const std::string& header, std::size_t data) {
  std::string text;
  for (int k = 0; k < 8; ++k) text += static_cast<char>(header.size() >> 8 * k & 0xFF);
  return bytes_of(text + header + std::string(data, '\1'));
}

std::string complaint(const std::string& header, std::size_t data = 8) {
  return complaint_of_bytes(safetensors_of(header, data));
}

TEST_CASE("members have the types, shapes and elements that others say") {
  const TemporaryFolder folder;
  const std::vector<ToldFile> all = told_files("archives.txt");
  CHECK(all.size() == 40);
  for (const ToldFile& told : all) {
    INFO(told.name);
    const std::string member = member_of(told);
    const Tensor x = load_bytes(told.file, {.member = member});
    CHECK(x.dtype().name() == told.dtype);
    CHECK(shape_of(x) == told.shape);
    CHECK(elements_of(x) == told.elements);
    const std::string path = folder.path("x.any");
    write_bytes(path, told.file);
    std::size_t found = 0;
    for (const FileInfo::Member& each : file_info(path).members)
      if (each.name == member) {
        ++found;
        CHECK(each.dtype.name() == told.dtype);
        CHECK(each.shape == told.shape);
        CHECK(each.note == told.note);
      }
    CHECK(found == 1);
    for (const auto& [name, y] : load_all(path))
      if (name == member) CHECK(elements_of(y) == told.elements);
  }
}

NamedTensors some_tensors() {
  const Tensor x = iota<float>({30, 40});
  return {{"turned", x.transpose()},
          {"byte", iota<std::uint8_t>({3})},
          {"é/日本", x.slice({0}, {2}).astype(bf16)},
          {"nothing", iota<double>({0, 3})},
          {"number", scalar(7.0)}};
}

TEST_CASE("what is saved together is loaded by name, mapped") {
  const TemporaryFolder folder;
  for (const bool deflate : {false, true})
    for (const std::string name : {"x.npz", "x.safetensors"}) {
      INFO(name, deflate);
      const std::string path = folder.path(name);
      if (name == "x.npz") save_npz(some_tensors(), path, {.deflate = deflate});
      else save_safetensors(some_tensors(), path);
      CHECK(load_all(path).size() == 5);
      for (const auto& [member, x] : some_tensors()) {
        const Tensor y = load(path, {.member = member, .bfloat16 = true});
        CHECK(y.dtype() == x.dtype());
        CHECK(y.shape() == x.shape());
        CHECK(elements_of(y) == elements_of(x));
        if (!deflate && x.size() > 0) {
          CHECK(y.is_stored());
          CHECK(reinterpret_cast<std::uintptr_t>(y.node().value().get()) %
                    static_cast<std::uintptr_t>(x.dtype().size()) ==
                0);
        }
      }
      const std::string what = complaint_of_bytes(read_bytes(path), {.member = "none"});
      CHECK(has(what, "it has no member none; it holds 5 tensors: "));
      CHECK(has(complaint_of_bytes(read_bytes(path)), "no member was named, and it holds 5"));
    }
  const Bytes file = read_bytes(folder.path("x.safetensors"));
  save_npz(some_tensors(), folder.path("y.npz"));
  for (const auto& [member, x] : some_tensors()) {
    const Tensor y = load(folder.path("y.npz"), {.member = member});
    if (x.size() > 0) CHECK(reinterpret_cast<std::uintptr_t>(y.node().value().get()) % 64 == 0);
  }
}

TEST_CASE("a tensor that is saved alone has a name, and needs none when it is loaded") {
  const TemporaryFolder folder;
  for (const std::string name : {"x.npz", "x.safetensors"}) {
    const std::string path = folder.path(name);
    save(iota<int>({5}).flip(0), path);
    CHECK(load(path).slice({0}, {1}).item<int>() == 4);
    CHECK(file_info(path).members[0].name == (name == "x.npz" ? "arr_0" : "data"));
    save(iota<int>({5}), path, {.member = "mine"});
    CHECK(load(path, {.member = "mine"}).size() == 5);
  }
}

TEST_CASE("an archive to a pipe is one that was saved to a file") {
  const TemporaryFolder folder;
  const Tensor x = iota<int>({50, 60}).transpose();
  for (const bool deflate : {false, true}) {
    save(x, folder.path("x.npz"), {.eval = {.memory_limit = 5000}, .deflate = deflate});
    std::FILE* const out = std::tmpfile();
    REQUIRE(out != nullptr);
    save_to(fileno(out), x, {.format = "npz", .deflate = deflate});
    Bytes got(static_cast<std::size_t>(std::ftell(out) < 0 ? 0 : 1 << 16));
    std::rewind(out);
    got.resize(std::fread(got.data(), 1, got.size(), out));
    std::fclose(out);
    CHECK(got == read_bytes(folder.path("x.npz")));
    CHECK(elements_of(load_bytes(got)) == elements_of(x));
  }
}

TEST_CASE("what cannot be saved together is refused, and nothing is left") {
  const TemporaryFolder folder;
  const Tensor x = iota<int>({5});
  CHECK_THROWS_AS(save_npz({{"a", x}, {"a", x}}, folder.path("x.npz")), ParameterError);
  CHECK_THROWS_AS(save_npz({{std::string(2000, 'a'), x}}, folder.path("x.npz")), ParameterError);
  CHECK_THROWS_AS(save_npz({{"a", Tensor()}}, folder.path("x.npz")), EmptyError);
  CHECK_THROWS_AS(save_safetensors({{"a", x}, {"a", x}}, folder.path("x.st")), ParameterError);
  CHECK_THROWS_AS(save_safetensors({{"a", x.astype(c128)}}, folder.path("x.st")), DtypeError);
  CHECK_THROWS_AS(save_safetensors({{"a\xFF", x}}, folder.path("x.st")), FormatError);
  CHECK(folder.files() == 0);
}

TEST_CASE("raw bytes are what the caller says") {
  const TemporaryFolder folder;
  const std::string path = folder.path("x.raw");
  save(iota<std::int16_t>({3, 4}).transpose(), path);
  CHECK(read_bytes(path) == elements_of(iota<std::int16_t>({3, 4}).transpose()));
  CHECK(load(path, {.dtype = i16}).shape() == Shape{12});
  CHECK(load_raw(path, {.dtype = i16, .shape = {{4, 3}}})
            .slice({1, 0}, {2, 1})
            .item<std::int16_t>() == 1);
  CHECK_THROWS_AS(load(path), ParameterError);
  CHECK_THROWS_AS(load(path, {.dtype = opaque(5)}), FormatError);
  CHECK_THROWS_AS(load(path, {.dtype = i16, .shape = {{4, 4}}}), FormatError);
  CHECK_THROWS_AS(load(path, {.dtype = i16, .shape = {{-1, 12}}}), FormatError);
  CHECK_THROWS_AS(load(path, {.member = "a", .dtype = i16}), FormatError);
}

TEST_CASE("a type and a shape are for raw bytes alone") {
  const TemporaryFolder folder;
  const std::string npy = folder.path("x.npy"), other = folder.path("x");
  save(iota<std::int32_t>({4}), npy);
  write_bytes(other, Bytes(8));
  CHECK(load(other, {.dtype = i32}).shape() == Shape{2});
  CHECK(load_bytes(Bytes(8), {.dtype = i32, .shape = {{1, 2}}}).shape() == Shape{1, 2});
  Bytes bracket(12);  // as headers of safetensors have one, but behind a length that none has
  bracket[7] = bracket[8] = std::byte{'{'};
  CHECK(load_bytes(bracket, {.dtype = i32}).shape() == Shape{3});
  CHECK(load(npy, {.format = "raw", .dtype = u8}).size() > 16);
  for (const LoadOptions& options : {LoadOptions{.dtype = i32}, LoadOptions{.shape = {{4}}}}) {
    CHECK_THROWS_WITH_AS(load(npy, options), doctest::Contains("x.npy"), ParameterError);
    CHECK_THROWS_AS(load_npy(npy, options), ParameterError);
    CHECK_THROWS_AS(load_all(npy, options), ParameterError);
    CHECK_THROWS_AS(file_info(npy, options), ParameterError);
    CHECK_THROWS_AS(load_bytes(read_bytes(npy), options), ParameterError);
  }
}

TEST_CASE("what is wrong with a safetensors header is said") {
  const auto tensor = [](const std::string& members) { return "{\"x\":{" + members + "}}"; };
  const std::string good = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";
  CHECK(complaint(tensor(good)) == "nothing");
  CHECK(complaint("{}", 0) == "load: the bytes: no member was named, and it holds 0 tensors: ");
  CHECK(has(complaint(tensor(good), 9), "its tensors have 8 bytes, the data 9"));
  CHECK(has(complaint(tensor(good), 7), "its tensors have 8 bytes, the data 7"));
  CHECK(has(complaint(tensor(R"("dtype":"F4","shape":[2],"data_offsets":[0,8])")),
            "tensor x: the element type F4 is not known"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])")),
            "its shape and type need 12 bytes"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])")), "8 to 0"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0])")), "are not two"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,9])")), "more than"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])")), "negative"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])")), "integer"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[[2]],"data_offsets":[0,8])")), "list"));
  CHECK(has(complaint(tensor(R"("dtype":"F32","shape":[2])")), "are missing"));
  CHECK(has(complaint(tensor(good + R"(,"more":1)")), "a member more is not known"));
  CHECK(has(complaint(tensor(good + "," + good)), "it has dtype twice"));
  CHECK(has(complaint(R"({"x":{)" + good + R"(},"x":{)" + good + "}}"), "two tensors are named x"));
  CHECK(has(complaint(R"({"x":{)" + good + R"(},"y":{)" + good + "}}"),
            "tensor y begins at byte 0 of the data, expected 8"));
  CHECK(has(complaint(R"({"x":)"), "is no JSON at byte"));
  CHECK(has(complaint(R"({"x":7})"), "out of place"));
  CHECK(has(complaint(R"({"x":{"a":{}}})"), "not known"));
  CHECK(has(complaint(R"({"x":{"dtype":{}}})"), "an object is out of place"));
  CHECK(has(complaint(R"({"__metadata__":{"a":1}})"), "out of place"));
  CHECK(has(complaint(R"({"__metadata__":{},"__metadata__":{}})"), "twice"));
  CHECK(complaint(R"({"__metadata__":{"a":"b"},"x":{)" + good + "}}") == "nothing");
  CHECK(has(complaint(R"({"\u001b[31m":{"dtype":"?"}})"), "tensor \\x1b[31m: "));
  Bytes lies = safetensors_of("{}", 0);
  lies[7] = std::byte{0x7F};
  CHECK(has(complaint_of_bytes(lies, {.format = "safetensors"}), "at most 100000000 are read"));
  lies = safetensors_of("{}", 0);
  lies[1] = std::byte{1};
  CHECK(has(complaint_of_bytes(lies), "the header would be 258 bytes from byte 8 on"));
}

TEST_CASE("damaged archives load or are refused") {
  std::size_t loaded = 0, refused = 0;
  std::uint64_t seed = 91000;
  for (const ToldFile& told : told_files("archives.txt"))
    for (int k = 0; k < 100; ++k) {
      Random random(++seed);
      INFO("seed ", seed);
      const std::string what =
          complaint_of_bytes(damaged(told.file, random), {.member = member_of(told)});
      ++(what == "nothing" ? loaded : refused);
    }
  MESSAGE("seeds 91001 to ", seed, ": ", loaded, " loaded, ", refused, " refused");
  CHECK(loaded > 200);
  CHECK(refused > 500);
}

}  // namespace
}  // namespace weft::testing
