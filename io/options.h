// SPDX-License-Identifier: Apache-2.0
// What may be said about a file that is loaded or saved, and what is told of one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// What the caller knows about a file.
struct LoadOptions {
  /// "npy", "npz", "safetensors", "png", "jpeg" or "raw"; none: by extension, and where nobody has
  /// that, by the first bytes; where they tell nothing, raw if a type is given.
  std::string format{};
  /// Which tensor of a .npz or safetensors file; none: the only one.
  std::string member{};
  /// Of raw bytes alone: their type and shape. Without a shape they have one axis.
  std::optional<DType> dtype{};
  std::optional<std::vector<std::int64_t>> shape{};
  /// Whether two bytes that NumPy has no name for ('<V2') are bf16, as NumPy saves those.
  bool bfloat16 = false;
  /// Whether a JPEG is turned as its EXIF orientation says.
  bool apply_orientation = false;
  /// Asked while what is no file but a pipe is waited for, and while pictures are read: yes ends
  /// that with Cancelled. It outlives the call.
  const std::function<bool()>* should_stop = nullptr;
};

/// How a file is written.
struct SaveOptions {
  /// As LoadOptions::format; none: by extension.
  std::string format{};
  /// The name of a tensor that is saved alone in a .npz ("arr_0", unless said) or safetensors file
  /// ("data").
  std::string member{};
  /// How what is saved is evaluated. A result larger than `eval.memory_limit` is evaluated and
  /// written part by part.
  EvalOptions eval{};
  /// Whether members of a .npz are compressed.
  bool deflate = false;
  /// Of a JPEG, 1 to 100.
  int quality = 90;
};

/// What a file holds.
struct FileInfo {
  struct Member {
    std::string name;  ///< empty where the format has one tensor alone
    DType dtype;
    std::vector<std::int64_t> shape;
    std::string note;  ///< "Fortran order", "compressed", "EXIF orientation 6", ...
  };
  std::string format{};
  std::vector<Member> members;
};

/// Tensors by name, in the order of their file.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

}  // namespace weft
