// SPDX-License-Identifier: Apache-2.0
// Reading places: widened, counted from the front and checked at once, by whatever vectors there
// are.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/places.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>
#include <type_traits>

#include <weft/engine/kernels/places.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// No comparison and no branch: the sign bit of `wrong` is set by one that is out of bounds.
template <class T>
bool read_all(const std::byte* from, std::int64_t extent, std::int64_t count,
              std::int64_t* HWY_RESTRICT to) {
  const auto end = static_cast<std::uint64_t>(extent);
  const std::uint64_t below = std::is_signed_v<T> ? end : 0;  // that a place may be below 0
  const std::uint64_t most = end - 1 + below;
  std::uint64_t wrong = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    T given;
    std::memcpy(&given, from + k * std::int64_t{sizeof(T)}, sizeof(T));
    const auto wide = static_cast<std::int64_t>(given);
    const auto place = static_cast<std::uint64_t>(wide);
    const std::uint64_t above = place + below;
    wrong |= above | (most - above);
    to[k] = static_cast<std::int64_t>(place + (static_cast<std::uint64_t>(wide >> 63) & below));
  }
  return !(wrong >> 63);
}

}  // namespace

bool read_places_of(const PlaceList& list, std::int64_t first, std::int64_t count,
                    std::int64_t* to) {
  return with_integer(list.type, [&]<class T>(T) {
    return read_all<T>(list.bytes + first * std::int64_t{sizeof(T)}, list.extent, count, to);
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(read_places_of);

bool read_places(const PlaceList& list, std::int64_t first, std::int64_t count, std::int64_t* to) {
  return on_this_machine(read_places_of_by_set)(list, first, count, to);
}

}  // namespace weft
#endif
