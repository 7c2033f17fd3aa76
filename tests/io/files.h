// SPDX-License-Identifier: Apache-2.0
// What the tests of files share: a folder that goes away, and files that others have written.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <weft/io/file.h>
#include <weft/weft.h>

#include "support/random.h"

namespace weft::testing {

using Bytes = std::vector<std::byte>;

/// An empty folder for as long as a test needs it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "weft_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                  std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path folder_;
};

inline Bytes bytes_of(std::string_view text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

inline Bytes read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.is_open());
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return bytes_of(text);
}

inline void write_bytes(const std::string& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  REQUIRE(file.flush());
}

/// The elements of a value, row-major.
inline Bytes elements_of(const Tensor& x) {
  Bytes bytes(static_cast<std::size_t>(x.bytes()));
  eval_into(x, bytes.data(), x.bytes());
  return bytes;
}

inline Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t k = 0; text != "-" && k + 1 < text.size(); k += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(k, 2), nullptr, 16)));
  return bytes;
}

/// A file that another library has written, and what that says is in it.
struct ToldFile {
  std::string name, dtype, note;
  std::vector<std::int64_t> shape;
  Bytes file, elements;
};

/// Those of tests/io/data/NAME.
inline std::vector<ToldFile> told_files(const std::string& name) {
  std::ifstream file(WEFT_IO_DATA "/" + name);
  REQUIRE(file.is_open());
  std::vector<ToldFile> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    ToldFile told;
    std::string shape, hex, elements;
    for (std::string* const word : {&told.name, &told.dtype, &shape, &told.note, &hex, &elements})
      REQUIRE(std::getline(words, *word, '\t'));
    std::istringstream extents(shape == "scalar" ? "" : shape);
    for (std::int64_t extent; extents >> extent;) told.shape.push_back(extent);
    if (told.note == "-") told.note.clear();
    told.file = hex == "=" ? all.back().file : from_hex(hex);
    told.elements = from_hex(elements);
    all.push_back(std::move(told));
  }
  return all;
}

/// Bytes with up to three of them changed, or the end cut off.
inline Bytes damaged(Bytes bytes, Random& random) {
  for (std::size_t change = random.below(3) + 1; change > 0; --change) {
    const std::size_t at = random.below(bytes.size());
    if (random.one_in(5)) bytes.resize(at + 1);
    else if (random.one_in(3)) bytes[at] ^= std::byte{1} << random.below(8);
    else bytes[at] = random.one_in(2) ? std::byte{0xFF} : static_cast<std::byte>(random.below(256));
  }
  return bytes;
}

/// What loading the bytes is refused with; "nothing" where they load.
inline std::string complaint_of_bytes(const Bytes& bytes, const LoadOptions& options = {}) {
  try {
    const Tensor x = load_bytes(bytes, options);
    elements_of(x);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace weft::testing
