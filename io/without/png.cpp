// SPDX-License-Identifier: Apache-2.0
// png where there is no libpng: refused by name.
#include <weft/io/png.h>

#include <array>

#include <weft/io/without/missing.h>

namespace weft {
namespace detail {
namespace {

constexpr Missing missing{"png", "libpng"};
constexpr std::array<std::string_view, 1> extensions{".png"};

}  // namespace

constinit const FileFormat png_format = missing_format<missing>(extensions);

}  // namespace detail

Tensor load_png(const std::string&, const LoadOptions&) { detail::missing.refuse(); }

void save_png(const Tensor&, const std::string&, const SaveOptions&) { detail::missing.refuse(); }

}  // namespace weft
