// SPDX-License-Identifier: Apache-2.0
// From literals to tensors.
#include "parameter_tensor.h"

#include <cstring>

#include <weft/weft.h>

namespace weft::conformance {

Tensor parameter_tensor(const Ints& literal) {
  const std::size_t size = static_cast<std::size_t>(literal.dtype().size());
  std::vector<std::byte> bytes(literal.size() * size);
  if (literal.dtype().is_integer() && literal.rank() < 2)
    for (std::size_t i = 0; i < literal.size(); ++i) {
      const std::int64_t value = literal.exceeds_int64(i)
                                     ? static_cast<std::int64_t>(std::stoull(literal.text(i)))
                                     : literal[i];
      std::memcpy(bytes.data() + i * size, &value, size);  // the low bytes
    }
  const std::int64_t count = static_cast<std::int64_t>(literal.size());
  const Ints shape = literal.rank() == 0   ? Ints(std::vector<std::int64_t>())
                     : literal.rank() == 1 ? Ints(std::vector<std::int64_t>{count})
                                           : Ints(std::vector<std::int64_t>{1, count});
  return copy_from(bytes.data(), literal.dtype(), shape);
}

Tensor lazily(const Tensor& tensor) {
  const std::int64_t n = tensor.size();
  return tensor.reshape({n}).tile({2}).slice({n}, {2 * n}).reshape(tensor.shape());
}

}  // namespace weft::conformance
