// SPDX-License-Identifier: Apache-2.0
// Reading places by a kernel, but where there are more than it counts.
#include <weft/ops/indexing/place_reader.h>

#include <weft/engine/kernels/places.h>

namespace weft {
namespace {

constexpr std::int64_t most_extent = std::int64_t{1} << 62;

}  // namespace

PlaceReader::PlaceReader(const Places& places)
    : index_(*places.index()), extent_(index_.bounds()[0].high + 1) {}

bool PlaceReader::read(std::int64_t first, std::int64_t count, std::int64_t* to) {
  bool is_right = true;
  if (extent_ <= most_extent) {
    is_right = read_places({index_.bytes(), index_.type(), extent_}, first, count, to);
  } else {
    for (std::int64_t k = 0; k < count; ++k) {
      to[k] = index_.place(first + k);
      is_right &= to[k] >= 0 && to[k] < extent_;
    }
  }
  if (!is_right) is_wrong_.store(true, std::memory_order_relaxed);
  return is_right;
}

}  // namespace weft
