// SPDX-License-Identifier: Apache-2.0
// Where an expression keeps what carries it out between evaluations, and when that goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace weft {

/// What carries an expression out, whatever that is: the engine makes it, and knows.
struct AnyExecutable {
  virtual ~AnyExecutable() = default;
  std::uint64_t kept_at = 0;  ///< the age() of where it is kept, when it was made
};

/// A place for one. Who uses it takes it out and puts it back; who comes meanwhile finds none and
/// makes one. Nothing is locked and nothing counted.
class KeptExecutable {
 public:
  KeptExecutable() = default;
  KeptExecutable(const KeptExecutable&) = delete;
  KeptExecutable& operator=(const KeptExecutable&) = delete;
  ~KeptExecutable() { delete executable_.load(std::memory_order_relaxed); }

  std::unique_ptr<AnyExecutable> take() noexcept {
    return std::unique_ptr<AnyExecutable>(executable_.exchange(nullptr));
  }
  /// Keeps it, unless all were dropped since it was made.
  void put(std::unique_ptr<AnyExecutable> executable) noexcept {
    const std::uint64_t made_at = executable->kept_at;
    if (age_ != made_at) return;
    // What somebody else put there meanwhile goes with this.
    executable.reset(executable_.exchange(executable.release()));
    // Whoever dropped all meanwhile may have found none.
    if (age_ != made_at) take();
  }
  /// Lets go of what is kept, and of what was taken when that is put back.
  void drop() noexcept {
    ++age_;
    take();
  }
  /// How often all were dropped.
  std::uint64_t age() const noexcept { return age_; }

 private:
  std::atomic<AnyExecutable*> executable_{nullptr};
  std::atomic<std::uint64_t> age_{0};
};

}  // namespace weft
