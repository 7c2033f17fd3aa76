// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1.0 to 3.0.
#pragma once

#include <string>

#include <weft/io/options.h>

namespace weft {

/// The array of a .npy file, which is mapped and not read: `out[i]` is the element at i in NumPy.
///
/// An array in Fortran order is the transpose of what the file holds, a big-endian one is swapped
/// when it is read by an evaluation. Structs, dates and texts are types that are described, '<V2'
/// is bf16 where `options.bfloat16` says so. The file must not change while the tensor lives:
/// reading where it was cut short ends the process with SIGBUS. What follows the array is not
/// looked at.
///
/// Throws FileError, FormatError for anything but a whole array (a header has 64 KiB at most), and
/// for elements that are Python objects. Cost: the header; the rest is read when a value is
/// computed. Source: numpy.lib.format.
[[nodiscard]] Tensor load_npy(const std::string& path, const LoadOptions& options = {});

/// Writes `x` as version 1.0 (3.0 where a field's name is no ASCII), in C order; as `save` does
/// (file.h). Types that NumPy has no name for are saved as it does: bf16 as '<V2', structs of 12
/// bytes as '|V12'. Throws what `save` throws, and DtypeError for structs whose fields overlap.
void save_npy(const Tensor& x, const std::string& path, const SaveOptions& options = {});

}  // namespace weft
