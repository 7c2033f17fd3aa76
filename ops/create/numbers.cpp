// SPDX-License-Identifier: Apache-2.0
// Whole numbers in their order: those that are stored, and sums of them.
#include <weft/ops/create/numbers.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <weft/ops/create/scalar.h>

namespace weft {
namespace {

// So many numbers are stored; more are sums of those.
constexpr std::int64_t stored_numbers = 4096;

Tensor stored_count(DType type, std::int64_t count) {
  auto kept =
      std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(count * type.size()));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto narrow = static_cast<std::int32_t>(i);
    std::byte* const to = kept->data() + i * type.size();
    if (type == i32) std::memcpy(to, &narrow, sizeof narrow);
    else std::memcpy(to, &i, sizeof i);
  }
  const std::byte* const at = kept->data();
  return make_tensor<Stored>(type, Shape{count}, Storage(std::move(kept), at));
}

}  // namespace

Tensor counted(DType type, std::int64_t count) {
  if (count <= stored_numbers) return stored_count(type, count);
  const std::int64_t rounds = (count + stored_numbers - 1) / stored_numbers;
  const Tensor begins = counted(type, rounds).multiply(stored_numbers);
  const Tensor all = begins.reshape({rounds, 1}).add(stored_count(type, stored_numbers));
  return all.reshape({rounds * stored_numbers}).slice({0}, {count});
}

}  // namespace weft
