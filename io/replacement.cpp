// SPDX-License-Identifier: Apache-2.0
#include <weft/io/replacement.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

#include <weft/io/file_error.h>

namespace weft::detail {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as many as Linux follows
constexpr int most_names = 100;

/// What symbolic links lead to, whether or not it is there.
fs::path behind_links(fs::path path, const std::string& name) {
  std::error_code error;
  for (int k = 0; fs::is_symlink(fs::symlink_status(path, error)); ++k) {
    if (k == most_links) {
      errno = ELOOP;
      throw_errno("save", "cannot write", name);
    }
    const fs::path link = fs::read_symlink(path, error);
    path = link.is_absolute() ? link : path.parent_path() / link;
  }
  return path;
}

std::string folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

/// A name that nothing has, in the folder of the target.
std::string hidden_name(const fs::path& target) {
  std::random_device device;
  const std::uint64_t number = std::uint64_t{device()} << 32 | device();
  // A name of the longest kind, which is counted in bytes, has no room for more; and characters
  // stay whole, for there are file systems that take no others.
  std::string begin = target.filename().string();
  std::size_t count = std::min<std::size_t>(begin.size(), 200);
  while (count > 0 && count < begin.size() && (begin[count] & 0xC0) == 0x80) --count;
  begin.resize(count);
  return (target.parent_path() / fmt::format(".{}.{:016x}.part", begin, number)).string();
}

/// Where the system shows an open file, by which it can be given a name.
std::string open_path(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

}  // namespace

Replacement::Replacement(const std::string& path, Meanwhile meanwhile)
    : name_(path), target_(behind_links(path, path).string()) {
  struct stat there {};
  const bool exists = ::stat(target_.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) errno = EISDIR;
  if (exists && (S_ISDIR(there.st_mode) || ::access(target_.c_str(), W_OK) != 0))
    throw_errno("save", "cannot write", path);
  if (meanwhile == Meanwhile::nameless) open_nameless();
  if (descriptor_ < 0) open_hidden();
  if (!exists) return;
  // Who may not give it away keeps it.
  if (::fchown(descriptor_, there.st_uid, there.st_gid) != 0) errno = 0;
  if (::fchmod(descriptor_, there.st_mode & 07777) != 0) {
    const int error = errno;
    if (!hidden_.empty()) ::unlink(hidden_.c_str());
    ::close(descriptor_);
    errno = error;
    throw_errno("save", "cannot set the mode of", path);
  }
}

Replacement::~Replacement() {
  // In this order: the name is gone at once, and to give back what was written may take a while.
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
  ::close(descriptor_);
}

void Replacement::open_nameless() {
#ifdef O_TMPFILE
  descriptor_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0 || ::access(open_path(descriptor_).c_str(), F_OK) == 0) return;
  ::close(descriptor_);  // nothing could give it a name
  descriptor_ = -1;
#endif
}

void Replacement::open_hidden() {
  for (int k = 0; descriptor_ < 0 && k < most_names; ++k) {
    hidden_ = hidden_name(target_);
    descriptor_ = ::open(hidden_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) throw_errno("save", "cannot write beside", name_);
}

void Replacement::give_hidden_name() {
  const std::string open = open_path(descriptor_);
  for (int k = 0; k < most_names; ++k) {
    const std::string name = hidden_name(target_);
    if (::linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      hidden_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  throw_errno("save", "cannot write beside", name_);
}

void Replacement::take_place() {
  // A name that is taken is replaced by renaming alone.
  if (hidden_.empty()) give_hidden_name();
  if (::rename(hidden_.c_str(), target_.c_str()) != 0) throw_errno("save", "cannot replace", name_);
  hidden_.clear();
  // The new name may be lost with the machine until its folder is written, too.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // one that may be written, but not read
  const bool is_written = ::fsync(folder) == 0 || errno == EINVAL;  // not all file systems can
  const int error = errno;
  ::close(folder);
  errno = error;
  if (!is_written) throw_errno("save", "cannot write the folder of", name_);
}

}  // namespace weft::detail
