// SPDX-License-Identifier: Apache-2.0
// Numbers, lists, texts, tensors and partial shapes that nobody should believe.
#pragma once

#include <string>

#include <weft/graph/op.h>

#include "support/random.h"

namespace weft::testing {

/// Small as a rule, at times at the ends of int64.
std::int64_t hostile_number(Random& random);

/// A list, a scalar or none, of some type.
Ints hostile_ints(Random& random, std::size_t rank);

/// The same with one thing changed: a value, the length, the rank, the type; or nothing of it left.
Ints changed(const Ints& ints, Random& random);
std::string changed(std::string text, Random& random);

/// The name of a mode, or a pattern.
std::string hostile_text(Random& random);

/// Mostly one of integers.
DType hostile_type(Random& random);

/// A stored tensor of random bytes; of small numbers where it is of an integer type.
Tensor random_tensor(DType dtype, const Shape& shape, Random& random);

/// One of another type or shape, or with other numbers; small.
Tensor changed(const Tensor& tensor, Random& random);

/// A list or scalar as a stored tensor.
Tensor tensor_of(const Ints& ints);

/// What may be said of a shape: nothing, its rank, bounds, names, or all; rarely what is wrong.
PartialShape opened(const Shape& shape, Random& random);

}  // namespace weft::testing
