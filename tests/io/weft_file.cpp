// SPDX-License-Identifier: Apache-2.0
// Loads and saves files as the tests of tests/io ask for it. Status 1 and a line for whatever weft
// refuses.
//
//     weft_file copy IN OUT [BYTES]   saves what IN holds, within so much memory
//     weft_file turn IN OUT [BYTES]   rolled by 1 along each axis and transposed
//     weft_file deflate IN OUT        copied, compressed
//     weft_file read FILE...          tells each, and reads all of its elements
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <weft/io/file.h>
#include <weft/weft.h>

namespace {

using namespace weft;

Tensor turned(const Tensor& x) {
  std::vector<std::int64_t> axes(x.rank());
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    axes[axis] = static_cast<std::int64_t>(axis);
  return x.roll(std::vector<std::int64_t>(axes.size(), 1), axes).transpose();
}

/// What raw bytes are, which no other file takes.
LoadOptions options_of(const std::string& path) {
  return path.ends_with(".raw") ? LoadOptions{.dtype = i32} : LoadOptions{};
}

/// Every element of a file, as one number.
std::uint64_t read_elements(const std::string& path) {
  std::uint64_t sum = 0;
  for (const auto& [name, x] : load_all(path, options_of(path))) {
    const Tensor value = x.eval();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(value.node().value().get());
    for (std::int64_t k = 0; k < value.bytes(); ++k) sum = sum * 31 + bytes[k];
  }
  return sum;
}

int read(const std::string& path) {
  try {
    const FileInfo info = file_info(path, options_of(path));
    fmt::print("{}: {} with {} members, {:016x}\n", path, info.format, info.members.size(),
               read_elements(path));
    return 0;
  } catch (const Error& error) {
    fmt::print("{}: {}\n", path, error.what());
    return 1;
  }
}

}  // namespace

int main(int count, char** words) try {
  const std::vector<std::string> given(words + 1, words + count);
  if (given.size() < 2) return 2;
  if (given[0] == "read") {
    int refused = 0;
    for (std::size_t k = 1; k < given.size(); ++k) refused |= read(given[k]);
    return refused;
  }
  if (given.size() < 3) return 2;
  SaveOptions options;
  if (given.size() > 3) options.eval.memory_limit = std::atoll(given[3].c_str());
  options.deflate = given[0] == "deflate";
  const Tensor x = load(given[1]);
  save(given[0] == "turn" ? turned(x) : x, given[2], options);
  return 0;
} catch (const weft::Error& error) {
  fmt::print(stderr, "weft: {}\n", error.what());
  return 1;
}
