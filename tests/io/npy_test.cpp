// SPDX-License-Identifier: Apache-2.0
// .npy files against those that NumPy wrote, and against damage.
#include <doctest/doctest.h>
#include <weft/io/npy.h>

#include "files.h"

namespace weft::testing {
namespace {

/// The bytes of a file whose header is that dict.
Bytes npy_of(const std::string& dict, std::size_t data, char version = 1) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  text += static_cast<char>(dict.size() & 0xFF);
  text += static_cast<char>(dict.size() >> 8);
  return bytes_of(text + dict + std::string(data, '\1'));
}

std::string complaint(const std::string& dict, std::size_t data = 64) {
  return complaint_of_bytes(npy_of(dict, data));
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("NumPy's .npy files have the types, shapes and elements that NumPy says") {
  const TemporaryFolder folder;
  const std::vector<ToldFile> all = told_files("numpy.txt");
  CHECK(all.size() > 40);
  for (const ToldFile& told : all) {
    INFO(told.name);
    const std::string path = folder.path(told.name + ".npy");
    write_bytes(path, told.file);
    for (const Tensor& x : {load(path), load_bytes(told.file), load_npy(path)}) {
      CHECK(x.dtype().name() == told.dtype);
      CHECK(std::vector<std::int64_t>(x.shape().begin(), x.shape().end()) == told.shape);
      CHECK(elements_of(x) == told.elements);
    }
    const FileInfo info = file_info(path);
    CHECK(info.format == "npy");
    REQUIRE(info.members.size() == 1);
    CHECK(info.members[0].dtype.name() == told.dtype);
    CHECK(info.members[0].shape == told.shape);
    CHECK(info.members[0].note == told.note);
  }
}

TEST_CASE("what is loaded is saved with the header that NumPy reads") {
  const TemporaryFolder folder;
  for (const ToldFile& told : told_files("numpy.txt")) {
    INFO(told.name);
    const Tensor x = load_bytes(told.file);
    save(x, folder.path("x.npy"));
    const Bytes saved = read_bytes(folder.path("x.npy"));
    const Tensor again = load(folder.path("x.npy"));
    CHECK(again.dtype() == x.dtype());
    CHECK(again.shape() == x.shape());
    CHECK(elements_of(again) == told.elements);
    CHECK((saved.size() - told.elements.size()) % 64 == 0);
    // But for blanks the file is as NumPy wrote it, in C order, little-endian, and of the oldest
    // version.
    if (!told.note.empty() || told.name.starts_with("version") || told.name == "unicode" ||
        told.name == "bfloat16" || told.name == "nested")
      continue;
    const auto dict = [](const Bytes& file) {
      const std::string text(reinterpret_cast<const char*>(file.data()), file.size());
      return text.substr(10, text.find('}') - 9);
    };
    CHECK(dict(saved) == dict(told.file));
  }
}

TEST_CASE("an array in Fortran order is turned, not copied") {
  const TemporaryFolder folder;
  write_bytes(folder.path("x.npy"),
              npy_of("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 8)}", 64));
  const Tensor x = load(folder.path("x.npy"));
  CHECK_FALSE(x.is_stored());
  CHECK(x.transpose().eval().bytes() == 64);
}

TEST_CASE("two bytes without a name are bf16 where that is asked for") {
  for (const ToldFile& told : told_files("numpy.txt")) {
    if (told.name != "bfloat16") continue;
    const Tensor x = load_bytes(told.file, {.bfloat16 = true});
    CHECK(x.dtype() == bf16);
    const TemporaryFolder folder;
    save_npy(x.astype(f32).astype(bf16), folder.path("x.npy"));
    CHECK(read_bytes(folder.path("x.npy")) == told.file);
  }
}

TEST_CASE("a described struct that NumPy has no words for is saved as bytes") {
  const TemporaryFolder folder;
  const Bytes bytes(24, std::byte{7});
  save(copy_from(bytes.data(), described(8, "days since 1970"), 3), folder.path("x.npy"));
  CHECK(load(folder.path("x.npy")).dtype() == opaque(8));
  const DType overlap = described(
      4,
      "numpy:{'names': ['a', 'b'], 'formats': ['<i4', '<i2'], 'offsets': [0, 0], 'itemsize': 4}");
  CHECK_THROWS_AS(save(copy_from(bytes.data(), overlap, 3), folder.path("y.npy")), DtypeError);
  CHECK(folder.files() == 1);
}

TEST_CASE("what is wrong with a header is said") {
  const std::string good = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 8), }";
  CHECK(complaint(good) == "nothing");
  CHECK(complaint(good, 63) ==
        "load: the bytes: the data would be 64 bytes from byte 69 on, the file has 132");
  CHECK(has(complaint_of_bytes(npy_of(good, 64, 4)), "its version is 4, expected 1 to 3"));
  CHECK(has(complaint(good + "x"), "something follows the value"));
  CHECK(has(complaint("{'descr': '<i4', 'fortran_order': False}"), "is no dict of descr"));
  CHECK(has(complaint("{'descr': '<i4', 'fortran_order': 0, 'shape': (2,)}"), "neither True nor"));
  const auto of_descr = [](const std::string& descr) {
    return complaint("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,)}");
  };
  CHECK(of_descr("'<M8[D]'") == "nothing");
  CHECK(of_descr("[('a', '<f4'), ('b', '<f4', 2)]") == "nothing");
  CHECK(has(of_descr("'|O'"), "is of Python objects"));
  CHECK(has(of_descr("'<f3'"), "the element type '<f3' is not known"));
  CHECK(has(of_descr("'<M8[D'"), "is not known"));
  CHECK(has(of_descr("'|V0'"), "has 0 bytes"));
  CHECK(has(of_descr("'<U4294967295'"), "too long"));
  CHECK(has(of_descr("'|V99999999999'"), "more than 4294967295 bytes"));
  CHECK(has(of_descr("[]"), "0 bytes"));
  CHECK(has(of_descr("[('a', '|O')]"), "Python objects"));
  CHECK(has(of_descr("[('a', '<f4'), ('a', '<f4')]"), "two fields have one name"));
  CHECK(has(of_descr("[('a', '<f4', (65536, 65536))]"), "more than 4294967295 bytes"));
  CHECK(has(of_descr("[('a', '<f4', (-1,))]"), "is no size"));
  CHECK(has(of_descr("[('a', '<f4', 'x')]"), "the shape of a field is no tuple"));
  CHECK(has(of_descr("7"), "expected a text or a list of fields"));
  const auto of_shape = [](const std::string& shape) {
    return complaint("{'descr': '<i4', 'fortran_order': False, 'shape': " + shape + "}");
  };
  CHECK(of_shape("()") == "nothing");
  CHECK(of_shape("(2L,)") == "nothing");
  CHECK(of_shape("(0, 4611686018427387904)") == "nothing");
  CHECK(has(of_shape("(-1,)"), "no integer from 0 up"));
  CHECK(has(of_shape("(2)"), "its shape is no tuple"));
  CHECK(has(of_shape("(2.0,)"), "expected a comma"));
  CHECK(has(of_shape("(9223372036854775807, 2)"), "overflow") == false);
  CHECK(of_shape("(9223372036854775807, 2)") != "nothing");
  CHECK(has(of_shape("(9223372036854775808,)"), "64 bits"));
  CHECK(of_shape("(4611686018427387904,)") != "nothing");
  CHECK(has(of_shape("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), "rank"));
  CHECK(has(of_shape(std::string(100, '(')), "levels of brackets"));
}

TEST_CASE("damaged .npy files load or are refused") {
  std::size_t loaded = 0, refused = 0;
  std::uint64_t seed = 90000;
  for (const ToldFile& told : told_files("numpy.txt"))
    for (int k = 0; k < 100; ++k) {
      Random random(++seed);
      const Bytes bytes = damaged(told.file, random);
      INFO("seed ", seed);
      ++(complaint_of_bytes(bytes) == "nothing" ? loaded : refused);
    }
  MESSAGE("seeds 90001 to ", seed, ": ", loaded, " loaded, ", refused, " refused");
  CHECK(loaded > 200);
  CHECK(refused > 500);
}

}  // namespace
}  // namespace weft::testing
