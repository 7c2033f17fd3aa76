// SPDX-License-Identifier: Apache-2.0
// What explain says of kernels, beside what they count while they run.
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft::testing {

/// What is wrong with what is said of the evaluation of a tensor, kernel by kernel and byte by
/// byte; empty where nothing is, or where this build does not count. Evaluates it, not for it to
/// keep.
std::string disagreement_of_counts(const Tensor& tensor);

}  // namespace weft::testing
