// SPDX-License-Identifier: Apache-2.0
// The header of .npy files, and the array behind it.
#include <weft/io/npy.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/engine/memory/create.h>
#include <weft/graph/value/error.h>
#include <weft/io/file_format.h>
#include <weft/io/members.h>
#include <weft/io/npy_array.h>
#include <weft/io/utf8.h>

namespace weft {
namespace detail {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t most_header_bytes = 1 << 16;
constexpr std::size_t header_alignment = 64;

bool begins(std::span<const std::byte> bytes) { return begin_with(bytes, magic); }

std::vector<std::int64_t> read_shape(const FileBytes& file, const PythonLiteral& literal) {
  if (literal.kind != PythonLiteral::Kind::tuple) file.refuse("its shape is no tuple");
  std::vector<std::int64_t> shape;
  for (const PythonLiteral& extent : literal.items) {
    if (!extent.is_number() || extent.number < 0)
      file.refuse("its shape has an extent that is no integer from 0 up");
    shape.push_back(extent.number);
  }
  return shape;
}

NpyHeader read_dict(const FileBytes& file, std::string_view text, bool bfloat16) {
  const PythonLiteral dict = parse_python_literal(text);
  const PythonLiteral *const descr = dict.find("descr"), *const order = dict.find("fortran_order"),
                             *const shape = dict.find("shape");
  if (!descr || !order || !shape || dict.items.size() != 6)
    file.refuse("its header is no dict of descr, fortran_order and shape");
  if (order->kind != PythonLiteral::Kind::flag)
    file.refuse("fortran_order is neither True nor False");
  return {dtype_of_descr(*descr, bfloat16), order->number != 0, read_shape(file, *shape), 0};
}

/// Its numbers, of `bytes` bytes each, the other way round: bytes are elements that are turned, in
/// the pass that reads them.
Tensor swapped(const Tensor& x, std::int64_t bytes) {
  if (x.size() == 0) return x;
  const std::int64_t numbers = x.bytes() / bytes;
  return borrow(x.node().value().get(), u8, {numbers, bytes}, x.node().value())
      .flip(1)
      .reshape({x.size(), x.dtype().size()})
      .view_as(x.dtype())
      .reshape(x.shape());
}

FileInfo info(const FileBytes& file, const LoadOptions& options) {
  return {"npy", {npy_member(file, options.bfloat16)}};
}

Tensor load(const FileBytes& file, const LoadOptions& options) {
  refuse_member(file, options);
  return read_npy(file, options.bfloat16);
}

void save(const Tensor& x, Output& to, const SaveOptions& options) {
  to.write(npy_header(x));
  to.write(x, options.eval);
}

constexpr std::array<std::string_view, 1> extensions{".npy"};

}  // namespace

constinit const FileFormat npy_format{"npy", extensions, begins, load, nullptr, info, save};

NpyHeader read_npy_header(const FileBytes& file, bool bfloat16) {
  if (!begins(file.all())) file.refuse("it does not begin as a .npy file does");
  const int version = file.number<std::uint8_t>("the version", magic.size());
  if (version < 1 || version > 3)
    file.refuse(fmt::format("its version is {}, expected 1 to 3", version));
  const std::uint64_t at = magic.size() + 2, begin = at + (version == 1 ? 2 : 4);
  const std::uint64_t bytes = version == 1 ? file.number<std::uint16_t>("its length", at)
                                           : file.number<std::uint32_t>("its length", at);
  if (bytes > most_header_bytes)
    file.refuse(
        fmt::format("its header has {} bytes, at most {} are read", bytes, most_header_bytes));
  const std::string_view text = file.text("the header", begin, bytes);
  if (version == 3 && !is_utf8(text)) file.refuse("its header is no UTF-8");
  try {
    NpyHeader header =
        read_dict(file, version == 3 ? std::string(text) : utf8_of_latin1(text), bfloat16);
    header.bytes = begin + bytes;
    return header;
  } catch (const FormatError& error) {
    const std::string_view what = error.what();
    if (what.starts_with("load: ")) throw;
    file.refuse(fmt::format("its header: {}", what));
  }
}

Tensor read_npy(const FileBytes& file, bool bfloat16) {
  NpyHeader header = read_npy_header(file, bfloat16);
  if (header.is_fortran) std::reverse(header.shape.begin(), header.shape.end());
  Tensor x = file.tensor(header.bytes, header.type.dtype, header.shape);
  if (header.type.swapped > 0) x = swapped(x, header.type.swapped);
  return header.is_fortran && header.shape.size() > 1 ? x.transpose() : x;
}

FileInfo::Member npy_member(const FileBytes& file, bool bfloat16) {
  const NpyHeader header = read_npy_header(file, bfloat16);
  file.part("the data", header.bytes, file.bytes_of(header.type.dtype, header.shape));
  const std::string_view order = header.is_fortran ? "Fortran order" : "";
  const std::string_view end = header.type.swapped > 0 ? "big-endian" : "";
  return {"", header.type.dtype, header.shape,
          fmt::format("{}{}{}", order, !order.empty() && !end.empty() ? ", " : "", end)};
}

std::string npy_header(const Tensor& x) {
  const Shape& shape = x.shape();
  std::string dict =
      fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}", descr_of(x.dtype()),
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const bool is_ascii = std::none_of(dict.begin(), dict.end(), [](char c) { return c < 0; });
  const std::size_t before = magic.size() + 2 + (is_ascii ? 2 : 4);
  const std::size_t end =
      (before + dict.size() + 1 + header_alignment - 1) / header_alignment * header_alignment;
  dict.resize(end - before - 1, ' ');
  dict += '\n';
  std::string header(magic);
  header += is_ascii ? '\1' : '\3';
  header += '\0';
  for (std::size_t k = 0; k < (is_ascii ? 2u : 4u); ++k)
    header += static_cast<char>(dict.size() >> 8 * k & 0xFF);
  return header + dict;
}

}  // namespace detail

Tensor load_npy(const std::string& path, const LoadOptions& options) {
  return detail::load_as(detail::npy_format, path, options);
}

void save_npy(const Tensor& x, const std::string& path, const SaveOptions& options) {
  detail::save_as(detail::npy_format, x, path, options);
}

}  // namespace weft
