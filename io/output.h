// SPDX-License-Identifier: Apache-2.0
// Where a file that is saved goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>
#include <weft/io/replacement.h>

namespace weft::detail {

/// Bytes that are written one after the other. All that goes wrong is a FileError, or what the
/// evaluation throws.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  /// How many were written.
  std::uint64_t position() const noexcept { return position_; }
  void write(std::span<const std::byte> bytes) {
    put(bytes);
    position_ += bytes.size();
  }
  void write(std::string_view bytes) {
    write(std::as_bytes(std::span(bytes.data(), bytes.size())));
  }
  /// The elements of `x`, row-major; of what is larger than memory a part at a time.
  void write(const Tensor& x, const EvalOptions& options) {
    put(x, options);
    position_ += static_cast<std::uint64_t>(x.bytes());
  }
  /// Whether what was written can be read and replaced.
  virtual bool can_go_back() const { return false; }
  /// Calls `look` with bytes that were written.
  virtual void look_at(std::uint64_t offset, std::uint64_t count,
                       const std::function<void(std::span<const std::byte>)>& look) const;
  /// Writes over them.
  virtual void replace(std::uint64_t offset, std::string_view bytes);

 private:
  virtual void put(std::span<const std::byte> bytes) = 0;
  virtual void put(const Tensor& x, const EvalOptions& options) = 0;

  std::uint64_t position_ = 0;
};

/// A descriptor that is written in order: a pipe, a terminal, a device. It stays open.
class OrderedOutput final : public Output {
 public:
  /// Asked before it waits for a reader; it outlives this.
  OrderedOutput(int descriptor, std::string name, const std::function<bool()>* should_stop)
      : descriptor_(descriptor), name_(std::move(name)), should_stop_(should_stop) {}

 private:
  void put(std::span<const std::byte> bytes) override;
  void put(const Tensor& x, const EvalOptions& options) override;

  int descriptor_;
  std::string name_;
  const std::function<bool()>* should_stop_;
};

/// A file that takes the place of what its path leads to by `commit`, once it is whole and on the
/// disk. Without that nothing of it is left.
class NewFile final : public Output {
 public:
  /// Throws FileError where that may not be written.
  explicit NewFile(const std::string& path) : file_(path) {}

  void commit(const EvalOptions& options);

  bool can_go_back() const override { return true; }
  void look_at(std::uint64_t offset, std::uint64_t count,
               const std::function<void(std::span<const std::byte>)>& look) const override;
  void replace(std::uint64_t offset, std::string_view bytes) override;

 private:
  void put(std::span<const std::byte> bytes) override;
  void put(const Tensor& x, const EvalOptions& options) override;
  void put_stored(const Tensor& x, const EvalOptions& options);
  void put_mapped(const Tensor& x, const EvalOptions& options);
  void put_parts(const Tensor& x, const EvalOptions& options);
  void reserve(std::uint64_t bytes, const EvalOptions& options);
  /// Lets the disk begin with what is complete up to there.
  void begin_to_write_back(std::uint64_t up_to);
  void put_at(std::uint64_t offset, std::span<const std::byte> bytes);

  Replacement file_;
  std::uint64_t written_back_ = 0;
};

}  // namespace weft::detail
