// SPDX-License-Identifier: Apache-2.0
// The methods of tensors that multiply: each is the free function of its name.
#pragma once

#include <weft/graph/ints.h>

namespace weft {

class Tensor;

/// What Tensor has from the ops that multiply; the full story of each is in ops/product.
class ProductMethods {
 public:
  [[nodiscard]] Tensor matmul(const Tensor& other) const;
  [[nodiscard]] Tensor vecdot(const Tensor& other, const Ints& axis = -1) const;
  [[nodiscard]] Tensor outer(const Tensor& other) const;
  [[nodiscard]] Tensor tensordot(const Tensor& other, const Ints& axes = 2,
                                 const Ints& other_axes = none) const;

 private:
  const Tensor& tensor() const;
};

}  // namespace weft
