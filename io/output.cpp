// SPDX-License-Identifier: Apache-2.0
// Writing in order.
#include <weft/io/output.h>

#include <cerrno>
#include <unistd.h>

#include <weft/engine/view/parts.h>
#include <weft/io/file_error.h>

namespace weft::detail {

namespace {

[[noreturn]] void throw_ordered() { throw InternalError("save: what is written in order is gone"); }

}  // namespace

void Output::look_at(std::uint64_t, std::uint64_t,
                     const std::function<void(std::span<const std::byte>)>&) const {
  throw_ordered();
}
void Output::replace(std::uint64_t, std::string_view) { throw_ordered(); }

void OrderedOutput::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    check_asked(should_stop_);
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && is_to_repeat(should_stop_)) continue;
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
