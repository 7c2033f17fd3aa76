// SPDX-License-Identifier: Apache-2.0
// Files that are whole or not there.
#pragma once

#include <string>

namespace weft::detail {

/// A file that takes the place of what a path leads to, once it is whole. Until then it has no
/// name, so that nothing of it is left however the process ends; where the file system gives every
/// file a name (`hidden` asks for that), it is a hidden one beside the target, which the destructor
/// takes away.
class Replacement {
 public:
  enum class Meanwhile { nameless, hidden };

  /// Follows symbolic links, and takes over the mode of what is there. Throws FileError where that
  /// may not be written.
  explicit Replacement(const std::string& path, Meanwhile meanwhile = Meanwhile::nameless);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  int descriptor() const noexcept { return descriptor_; }
  /// As given.
  const std::string& name() const noexcept { return name_; }
  /// After this the path leads to it. What was written has to be on the disk; its name then is,
  /// too.
  void take_place();

 private:
  void open_nameless();
  void open_hidden();
  void give_hidden_name();

  std::string name_;
  std::string target_;  // behind all links
  std::string hidden_;  // empty while it has no name, and once it is in its place
  int descriptor_ = -1;
};

}  // namespace weft::detail
