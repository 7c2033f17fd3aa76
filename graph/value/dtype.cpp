// SPDX-License-Identifier: Apache-2.0
// The names of the element types.
#include <weft/graph/value/dtype.h>

#include <fmt/format.h>

namespace weft {

std::string DType::name() const {
  static constexpr const char* names[] = {"bool", "i8",  "i16",  "i32", "i64", "u8",  "u16", "u32",
                                          "u64",  "f16", "bf16", "f32", "f64", "c64", "c128"};
  if (kind_ == Kind::opaque) return fmt::format("struct of {} bytes", size_);
  return names[static_cast<std::size_t>(kind_)];
}

}  // namespace weft
