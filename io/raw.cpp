// SPDX-License-Identifier: Apache-2.0
// Raw bytes: what they are, only the caller knows.
#include <weft/io/raw.h>

#include <array>
#include <fmt/format.h>

#include <weft/graph/value/error.h>
#include <weft/io/file_format.h>
#include <weft/io/members.h>

namespace weft {
namespace detail {
namespace {

bool begins(std::span<const std::byte>) { return false; }

/// The shape that is asked for, or what the bytes are along one axis.
std::vector<std::int64_t> shape_of(const FileBytes& file, const LoadOptions& options) {
  if (!options.dtype)
    throw ParameterError(
        "no_dtype",
        fmt::format("load: {:.200}: raw bytes need a dtype, none is given", file.name()));
  const auto element = static_cast<std::uint64_t>(options.dtype->size());
  if (!options.shape && file.size() % element == 0)
    return {static_cast<std::int64_t>(file.size() / element)};
  const std::uint64_t bytes = options.shape ? file.bytes_of(*options.dtype, *options.shape) : 0;
  if (!options.shape || bytes != file.size())
    file.refuse(
        options.shape
            ? fmt::format("it has {} bytes, elements of that shape have {}", file.size(), bytes)
            : fmt::format("it has {} bytes, no multiple of {}", file.size(), element));
  return *options.shape;
}

Tensor load(const FileBytes& file, const LoadOptions& options) {
  refuse_member(file, options);
  const std::vector<std::int64_t> shape = shape_of(file, options);
  return file.tensor(0, *options.dtype, shape);
}

FileInfo info(const FileBytes& file, const LoadOptions& options) {
  const std::vector<std::int64_t> shape = shape_of(file, options);
  return {"raw", {{"", *options.dtype, shape, ""}}};
}

void save(const Tensor& x, Output& to, const SaveOptions& options) { to.write(x, options.eval); }

constexpr std::array<std::string_view, 2> extensions{".raw", ".bin"};

}  // namespace

constinit const FileFormat raw_format{"raw", extensions, begins, load, nullptr, info, save};

}  // namespace detail

Tensor load_raw(const std::string& path, const LoadOptions& options) {
  return detail::load_as(detail::raw_format, path, options);
}

void save_raw(const Tensor& x, const std::string& path, const SaveOptions& options) {
  detail::save_as(detail::raw_format, x, path, options);
}

}  // namespace weft
