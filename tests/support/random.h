// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same with every standard library.
#pragma once

#include <cstdint>
#include <random>
#include <utility>

namespace weft::testing {

/// std::mt19937_64 is laid down to the bit; the standard's distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// In [low, high]; the slight unevenness of the modulo does not matter here.
  std::int64_t in(std::int64_t low, std::int64_t high) {
    const std::uint64_t count =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                     (count == 0 ? bits() : bits() % count));
  }
  /// In [0, count).
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }
  /// True once in `n` times.
  bool one_in(std::uint64_t n) { return bits() % n == 0; }

  template <class Sequence>
  void shuffle(Sequence& sequence) {
    for (std::size_t i = sequence.size(); i > 1; --i)
      std::swap(sequence[i - 1], sequence[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace weft::testing
