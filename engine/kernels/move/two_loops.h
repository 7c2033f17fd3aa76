// SPDX-License-Identifier: Apache-2.0
// What most kernels keep of a nest: two loops around a unit.
#pragma once

#include <weft/engine/kernels/kernel.h>

namespace weft {

/// Strides in bytes.
struct TwoLoops {
  std::int64_t unit;
  ByteLoop outer, inner;
  bool streams = false;   ///< past the caches; the task then ends by finish_streams()
  bool is_large = false;  ///< as of Writing
};

/// The innermost loop and the one around it, if that is plain.
inline TwoLoops take_two_loops(Nest& nest, bool streams = false) {
  const ByteLoop inner = nest.take_innermost();
  return {nest.unit, nest.take_outer(inner.extent * nest.unit), inner, streams};
}

/// Of kernels that move each unit once.
inline Traffic traffic_of_units(const TwoLoops& loops) {
  const std::int64_t bytes = loops.outer.extent * loops.inner.extent * loops.unit;
  return {bytes, bytes};
}
inline Traffic traffic_of_units(const BoundArguments& arguments) {
  return traffic_of_units(arguments.as<TwoLoops>());
}
inline bool streams_units(const BoundArguments& arguments) {
  return arguments.as<TwoLoops>().streams;
}

}  // namespace weft
