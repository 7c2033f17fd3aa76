// SPDX-License-Identifier: Apache-2.0
// range: the slice it is.
#include <weft/ops/pick/range.h>

#include <weft/ops/pick/slice.h>

namespace weft {

Tensor Tensor::operator[](const IndexRange& range) const {
  const bool is_forward = range.step > 0;
  const std::int64_t start = range.start.place.value_or(is_forward ? 0 : INT64_MAX);
  const std::int64_t stop = range.stop.place.value_or(is_forward ? INT64_MAX : INT64_MIN);
  return weft::slice(*this, {start}, {stop}, {range.step});
}

}  // namespace weft
