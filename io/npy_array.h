// SPDX-License-Identifier: Apache-2.0
// Arrays in the form of .npy files, which are members of .npz files too.
#pragma once

#include <string>
#include <vector>

#include <weft/io/file_bytes.h>
#include <weft/io/numpy_dtype.h>

namespace weft::detail {

/// What the header of an array says.
struct NpyHeader {
  NumpyType type;
  bool is_fortran;
  std::vector<std::int64_t> shape;
  std::uint64_t bytes;  ///< of the header itself
};

/// Throws FormatError for anything but a header, in the name of the file.
NpyHeader read_npy_header(const FileBytes& file, bool bfloat16);
/// The array of a file that holds all of it.
Tensor read_npy(const FileBytes& file, bool bfloat16);
FileInfo::Member npy_member(const FileBytes& file, bool bfloat16);

/// The header of `x`, a multiple of 64 bytes.
std::string npy_header(const Tensor& x);

}  // namespace weft::detail
