// SPDX-License-Identifier: Apache-2.0
// NumPy's `descr` of element types, and weft's types.
#pragma once

#include <cstdint>
#include <string>

#include <weft/graph/value/dtype.h>
#include <weft/io/python_literal.h>

namespace weft::detail {

/// A type as it lies in a file.
struct NumpyType {
  DType dtype;
  std::int64_t swapped = 0;  ///< the bytes of each number that is big-endian; 0: none is
};

/// The type of a `descr`: '<f4', or a list of fields. Structs, dates and texts are described as
/// weft's Python package describes them ("numpy:..."), fields in the order of their bytes; a
/// big-endian field stays as it is. '<V2' is bf16 where `bfloat16` says so. Throws FormatError for
/// what is no descr, and for Python objects and types of 0 bytes, which weft has none of.
NumpyType dtype_of_descr(const PythonLiteral& descr, bool bfloat16);

/// The `descr` of a type, as Python writes it. Structs that have no NumPy description are '|V12',
/// bf16 and f8 '<V2' and '<V1', as NumPy has them of ml_dtypes. Throws DtypeError for structs whose
/// fields overlap, which a descr cannot say.
std::string descr_of(DType dtype);

}  // namespace weft::detail
