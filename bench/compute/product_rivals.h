// SPDX-License-Identifier: Apache-2.0
// Products of libraries, where they were found.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace weft::bench {

/// out [rows, columns] = a [rows, inner] times b [inner, columns], which lies as its transpose
/// where `is_turned`. Row-major, one after another in each library that there is.
struct ProductRival {
  const char* name;
  std::function<void(const float* a, const float* b, float* out, std::int64_t rows,
                     std::int64_t inner, std::int64_t columns, bool is_turned)>
      multiply;
};
std::vector<ProductRival> product_rivals();

}  // namespace weft::bench
