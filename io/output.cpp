// SPDX-License-Identifier: Apache-2.0
// Writing in order.
#include <weft/io/output.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <unistd.h>

#include <weft/engine/view/parts.h>
#include <weft/io/file_error.h>

namespace weft::detail {

void Output::align(std::uint64_t multiple) {
  const std::string zeros((multiple - position_ % multiple) % multiple, '\0');
  write(zeros);
}

void OrderedOutput::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("save", "cannot write", name_);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OrderedOutput::put(const Tensor& x, const EvalOptions& options) {
  eval_in_parts(x, {.in_order = true}, options, [&](const Shape&, const Tensor& part) {
    put({part.node().value().get(), static_cast<std::size_t>(part.bytes())});
  });
}

}  // namespace weft::detail
