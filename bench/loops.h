// SPDX-License-Identifier: Apache-2.0
// What the rivals by hand share: two threads, runs, permutations.
#pragma once

#include <algorithm>
#include <cstring>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "workload.h"

namespace weft::bench {

/// body(begin, end) over parts of 0 to count, on TBB's threads.
template <class Body>
void in_parallel(std::int64_t count, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, count),
                    [&](const auto& range) { body(range.begin(), range.end()); });
}

template <class T>
void copy_run(T* to, const T* from, std::int64_t count) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

/// A row rolled: to[(j + shift) mod count] = from[j].
template <class T>
void roll_row(T* to, const T* from, std::int64_t count, std::int64_t shift) {
  shift = (shift % count + count) % count;
  copy_run(to + shift, from, count - shift);
  copy_run(to, from + count - shift, shift);
}

/// A rival by loops over one input: body(in, out).
template <class T, class Body>
Rival by_hand(const char* workload, const char* name, const Body& body) {
  return {workload, name, [body](const Inputs& in, std::byte* out) {
            return [body, in, from = in[0].data<T>(), to = reinterpret_cast<T*>(out)] {
              body(from, to);
            };
          }};
}

/// The same over two inputs: body(a, b, out).
template <class T, class Body>
Rival by_hand2(const char* workload, const char* name, const Body& body) {
  return {workload, name, [body](const Inputs& in, std::byte* out) {
            return [body, in, a = in[0].data<T>(), b = in[1].data<T>(),
                    to = reinterpret_cast<T*>(out)] { body(a, b, to); };
          }};
}

inline constexpr const char* plain = "plain loops";
inline constexpr const char* tuned = "tuned loops";

}  // namespace weft::bench
