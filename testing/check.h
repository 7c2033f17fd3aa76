// SPDX-License-Identifier: Apache-2.0
// Checks of ops, weft's and your own: what evaluation makes against what the ops mean.
#pragma once

#include <functional>
#include <string>

#include <weft/graph/tensor.h>

namespace weft::testing {

/// A stored tensor whose elements differ, from each other and from those of other `number`s, as far
/// as the element type has room.
[[nodiscard]] Tensor leaf(DType dtype, const Ints& shape, std::size_t number = 0);

/// Empty where evaluating `tensor` makes what the trace() of each of its ops says, element by
/// element; else what is wrong. Cost: as many steps as there are elements times ops.
[[nodiscard]] std::string disagreement(const Tensor& tensor);

/// The same for an expression that is built several times: planned within the usual limits, within
/// tight ones, by plans that are used again, and carried out in short stretches. `meaning` is it or
/// another expression that must have the same elements.
[[nodiscard]] std::string disagreement(const std::function<Tensor()>& build, const Tensor& meaning);

/// The same for an op by itself, over and under other ops that cut, permute, repeat and divide its
/// boxes, and over itself, on tensors of that shape or like it and elements of 1 to 16 bytes. The
/// op may refuse shapes that its neighbours make (weft::Error), but not this one.
[[nodiscard]] std::string check_op(const std::function<Tensor(const Tensor&)>& op,
                                   const Shape& shape);

}  // namespace weft::testing
