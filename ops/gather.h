// gather: ONNX's name for take.
#pragma once

#include <weft/ops/take.h>

namespace weft {

/// `take` under another name, along the first axis unless told otherwise.
inline Tensor gather(const Tensor& x, const Tensor& indices, const Ints& axis = 0) {
  return take(x, indices, axis);
}
inline Tensor gather(const Tensor& x, const Ints& indices, const Ints& axis = 0) {
  return take(x, indices, axis);
}

}  // namespace weft
