// SPDX-License-Identifier: Apache-2.0
// Places as a kernel reads them, against one at a time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <weft/engine/kernels/places.h>

using namespace weft;

namespace {

/// Of lists that are aligned to nothing and have something around them.
template <class T>
void check_places(std::int64_t extent, bool may_be_wrong) {
  std::mt19937_64 engine(static_cast<std::uint64_t>(extent));
  for (std::int64_t count = 0; count < 70; ++count) {
    std::vector<std::byte> memory(static_cast<std::size_t>(count + 2) * sizeof(T) + 1);
    std::vector<std::int64_t> expected, read(static_cast<std::size_t>(count), -7);
    bool is_right = true;
    for (std::int64_t k = -1; k <= count; ++k) {
      auto given = static_cast<T>(std::numeric_limits<T>::max());
      if (k >= 0 && k < count) {
        const auto most = static_cast<std::uint64_t>(extent);
        if (!(may_be_wrong && engine() % 64 == 0))
          given = static_cast<T>(engine() %
                                 std::min<std::uint64_t>(most, std::numeric_limits<T>::max()));
        if (std::is_signed_v<T> && engine() % 2 == 0) given = static_cast<T>(-given);
        const bool is_below = std::cmp_less(given, 0);
        is_right &=
            is_below ? std::cmp_greater_equal(given, -extent) : std::cmp_less(given, extent);
        expected.push_back(static_cast<std::int64_t>(given) + (is_below ? extent : 0));
      }
      std::memcpy(memory.data() + static_cast<std::size_t>(k + 1) * sizeof(T) + 1, &given,
                  sizeof given);
    }
    CHECK(read_places({memory.data() + 1, dtype_of<T>, extent}, 1, count, read.data()) == is_right);
    if (is_right) CHECK(read == expected);
  }
}

}  // namespace

TEST_CASE("places of all types are read and counted from the front") {
  for (const bool may_be_wrong : {false, true})
    for (const std::int64_t extent : {1, 2, 100, 127, 128, 1000, 40000, 1 << 20}) {
      check_places<std::int8_t>(extent, may_be_wrong);
      check_places<std::uint8_t>(extent, may_be_wrong);
      check_places<std::int16_t>(extent, may_be_wrong);
      check_places<std::uint16_t>(extent, may_be_wrong);
      check_places<std::int32_t>(extent, may_be_wrong);
      check_places<std::uint32_t>(extent, may_be_wrong);
      check_places<std::int64_t>(extent, may_be_wrong);
      check_places<std::uint64_t>(extent, may_be_wrong);
    }
}

TEST_CASE("the ends of 64 bits are out of bounds, and the largest extent is counted") {
  const std::int64_t most = std::int64_t{1} << 62, low = std::numeric_limits<std::int64_t>::min();
  const std::int64_t given[] = {-most, most - 1,  low,
                                most,  -most - 1, std::numeric_limits<std::int64_t>::max()};
  const auto* const bytes = reinterpret_cast<const std::byte*>(given);
  std::int64_t read[2] = {};
  CHECK(read_places({bytes, i64, most}, 0, 2, read));
  CHECK(read[0] == 0);
  CHECK(read[1] == most - 1);
  for (std::int64_t k = 2; k < 6; ++k) CHECK(!read_places({bytes, i64, most}, k, 1, read));
  const std::uint64_t large[] = {~std::uint64_t{0}, std::uint64_t{1} << 63};
  const auto* const unsigned_bytes = reinterpret_cast<const std::byte*>(large);
  for (std::int64_t k = 0; k < 2; ++k) CHECK(!read_places({unsigned_bytes, u64, most}, k, 1, read));
}
