// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz files: .npy files in a zip archive.
#pragma once

#include <string>

#include <weft/io/options.h>

namespace weft {

/// The array `options.member` of a .npz file, or its only one.
///
/// A stored member is mapped where its elements lie at an address for their type, as weft's own do,
/// and copied where not, as of NumPy's; a compressed one is inflated, and its checksum compared.
/// Throws FileError, FormatError for anything but a zip archive (zip64 too) whose members lie apart
/// from each other, MemoryError; FormatError too where weft was built without zlib. Cost: the
/// archive's directory, and what is copied or inflated. Source: APPNOTE.TXT of the zip format.
[[nodiscard]] Tensor load_npz(const std::string& path, const LoadOptions& options = {});

/// Writes arrays, their elements at multiples of 64 bytes, or compressed (`options.deflate`), as
/// `save` does. To a pipe each is evaluated into memory first. Throws what `save` throws, and
/// ParameterError where two have one name, or one has more than 1000 bytes.
void save_npz(const NamedTensors& tensors, const std::string& path,
              const SaveOptions& options = {});

}  // namespace weft
