// SPDX-License-Identifier: Apache-2.0
// The data of conformance cases: the fills of their format, and their hash.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <weft/graph/tensor.h>

namespace weft::conformance {

enum class Fill { iota, hash, bits };

/// A stored tensor of that dtype and shape; `number` is the start of an iota, or the seed.
Tensor make_input(DType dtype, const Shape& shape, Fill fill, std::int64_t number);

/// A stored scalar: `number` as NumPy's astype makes it an element of that dtype.
Tensor make_scalar(DType dtype, std::int64_t number);

/// The dtype of that name ("f32", "bool"); DtypeError where there is none.
DType dtype_named(const std::string& name);

/// FNV-1a 64 as 16 hex digits.
std::string fnv(std::span<const std::byte> bytes);
std::string hex(std::span<const std::byte> bytes);

}  // namespace weft::conformance
