// SPDX-License-Identifier: Apache-2.0
// npz where there is no zlib: refused by name.
#include <weft/io/npz.h>

#include <array>

#include <weft/io/without/missing.h>

namespace weft {
namespace detail {
namespace {

constexpr Missing missing{"npz", "zlib"};
constexpr std::array<std::string_view, 1> extensions{".npz"};

}  // namespace

constinit const FileFormat npz_format = missing_format<missing>(extensions);

}  // namespace detail

Tensor load_npz(const std::string&, const LoadOptions&) { detail::missing.refuse(); }

void save_npz(const NamedTensors&, const std::string&, const SaveOptions&) {
  detail::missing.refuse();
}

}  // namespace weft
