// SPDX-License-Identifier: Apache-2.0
// The structure of an expression: all that its plan depends on, as one list of numbers.
#pragma once

#include <cstdint>

#include <weft/graph/expression.h>
#include <weft/graph/value/small_vector.h>

namespace weft {

/// Ops, parameters, shapes, types, and which operands are the same node. Expressions of equal
/// structure have equal plans, but for where their leaves lie.
class StructuralKey {
 public:
  explicit StructuralKey(const Expression& expression);
  /// Of what add() says, then seal().
  StructuralKey() = default;

  /// Whether all ops told their parameters.
  bool is_complete() const noexcept { return is_complete_; }
  std::uint64_t hash() const noexcept { return hash_; }

  void add(std::int64_t number) { numbers_.push_back(number); }
  /// After the last number was added.
  void seal() noexcept;
  template <class Numbers>
  void add_all(const Numbers& numbers) {
    add(static_cast<std::int64_t>(numbers.size()));
    for (const auto number : numbers) add(static_cast<std::int64_t>(number));
  }

  friend bool operator==(const StructuralKey& a, const StructuralKey& b) noexcept {
    return a.hash_ == b.hash_ && a.numbers_ == b.numbers_;
  }

 private:
  SmallVector<std::int64_t, 128> numbers_;
  std::uint64_t hash_ = 0;
  bool is_complete_ = true;
};

}  // namespace weft
