// SPDX-License-Identifier: Apache-2.0
// jpeg where there is no libjpeg: refused by name.
#include <weft/io/jpeg.h>

#include <array>

#include <weft/io/without/missing.h>

namespace weft {
namespace detail {
namespace {

constexpr Missing missing{"jpeg", "libjpeg"};
constexpr std::array<std::string_view, 2> extensions{".jpg", ".jpeg"};

}  // namespace

constinit const FileFormat jpeg_format = missing_format<missing>(extensions);

}  // namespace detail

Tensor load_jpeg(const std::string&, const LoadOptions&) { detail::missing.refuse(); }

void save_jpeg(const Tensor&, const std::string&, const SaveOptions&) { detail::missing.refuse(); }

}  // namespace weft
