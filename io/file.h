// SPDX-License-Identifier: Apache-2.0
// Tensors from files and into files: .npy, .npz, safetensors, PNG, JPEG and raw bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <weft/io/options.h>

namespace weft {

/// The tensor that a file holds, in the format that its extension tells, or its first bytes.
///
/// .npy, safetensors, raw files and stored members of .npz are mapped: nothing is read before a
/// value is computed, and the tensor keeps the mapping. The file must not change while tensors of
/// it live; where one was cut short meanwhile, reading there ends the process with SIGBUS, but for
/// what is only copied to another file, which is a FileError. Whatever else a file claims is
/// checked before memory is taken or mapped for it.
///
/// Throws FileError where it cannot be read, FormatError where it is not as its format says or has
/// no such member, ParameterError for options that another format takes, MemoryError.
[[nodiscard]] Tensor load(const std::string& path, const LoadOptions& options = {});

/// The same of bytes that are in memory already, whose format the first of them tell.
[[nodiscard]] Tensor load_bytes(std::vector<std::byte> bytes, const LoadOptions& options = {});

/// All tensors of a file, in its order.
[[nodiscard]] NamedTensors load_all(const std::string& path, const LoadOptions& options = {});

/// What a file holds, told by its headers.
[[nodiscard]] FileInfo file_info(const std::string& path, const LoadOptions& options = {});

/// Evaluates `x` into a file, in the format that its extension tells.
///
/// The file is whole or as it was before: it is written without a name (where the file system gives
/// every file one, under a hidden one beside it), its space reserved, evaluated into its mapping,
/// synced, and then put in its place; what was there keeps its mode, a symbolic link its target,
/// and an error leaves nothing. So a file may be saved over itself: tensors of the old one go on
/// reading that. A FIFO or a device is written in order. A result larger than
/// `options.eval.memory_limit` is evaluated part by part, in blocks whose rows are long in both
/// files.
///
/// Throws FileError where it cannot be written, FormatError for an extension that nobody has,
/// DtypeError and ShapeError where the format has no place for such a tensor, and what evaluating
/// throws. Cost: a pass over the result, and the disk's time to write it.
void save(const Tensor& x, const std::string& path, const SaveOptions& options = {});

/// Writes the same bytes to a descriptor, in order, as .npy unless the options say otherwise. It
/// stays open.
void save_to(int descriptor, const Tensor& x, const SaveOptions& options = {});

}  // namespace weft
