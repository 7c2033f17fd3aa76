// SPDX-License-Identifier: Apache-2.0
// The names of the element types.
#include <weft/graph/value/dtype.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace weft {

namespace {

constexpr std::array names{"bool", "i8",  "i16",  "i32", "i64", "u8",  "u16", "u32",
                           "u64",  "f16", "bf16", "f32", "f64", "c64", "c128"};

}  // namespace

std::string DType::name() const {
  if (kind_ == Kind::opaque) return fmt::format("struct of {} bytes", size_);
  return names[static_cast<std::size_t>(kind_)];
}

std::optional<DType> parse_dtype(std::string_view name) {
  const auto named = std::find(names.begin(), names.end(), name);
  if (named != names.end()) return DType(static_cast<DType::Kind>(named - names.begin()));
  std::string_view digits = name;
  if (!digits.starts_with("struct of ") || !digits.ends_with(" bytes")) return {};
  digits.remove_prefix(10);
  digits.remove_suffix(6);
  std::uint32_t size = 0;
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, size).ptr != end || size == 0) return {};
  const DType dtype = opaque(size);
  if (dtype.name() != name) return {};
  return dtype;
}

}  // namespace weft
