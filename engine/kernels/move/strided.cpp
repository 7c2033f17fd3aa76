// SPDX-License-Identifier: Apache-2.0
// The strided kernel: units one by one, any strides. It carries out what no other does.
#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/two_loops.h>
#include <weft/graph/value/unit.h>

namespace weft {
namespace {

Cost match(const Nest&, const Writing&) { return 1000; }

bool bind(Nest& nest, const Writing&, BoundArguments& arguments) {
  arguments.keep(take_two_loops(nest));
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& loops = arguments.as<TwoLoops>();
  with_unit(loops.unit, [&](auto unit) {
    for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
      std::byte* to = dst + i * loops.outer.dst;
      const std::byte* from = src[0] + i * loops.outer.src;
      std::int64_t j = 0;
      for (; j < loops.inner.extent; ++j)
        unit.move(to + j * loops.inner.dst, from + j * loops.inner.src);
      count_moved(j * unit.size(), j * unit.size());
    }
  });
}

}  // namespace

extern const KernelDefinition strided_kernel;
const KernelDefinition strided_kernel{
    "strided", repeated | packed | turned | scattered, match, bind, run, traffic_of_units};

}  // namespace weft
