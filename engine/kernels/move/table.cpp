// SPDX-License-Identifier: Apache-2.0
// The table kernel: steps from arrays on either side.
#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/two_loops.h>
#include <weft/graph/value/unit.h>

namespace weft {
namespace {

struct TableLoops {
  std::int64_t unit, element;
  ByteLoop outer, inner;
  const std::int64_t* dst_table;
  const std::int64_t* src_table;
};

Cost match(const Nest&, const Writing&) { return unit_by_unit; }

bool bind(Nest& nest, const Writing&, BoundArguments& arguments) {
  const NestLoop table = nest.innermost();
  const ByteLoop inner = nest.take_innermost();
  arguments.keep(TableLoops{nest.unit, nest.element, nest.take_outer(inner.extent * nest.unit),
                            inner, table.dst_table, table.src_table});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& loops = arguments.as<TableLoops>();
  with_unit(loops.unit, [&](auto unit) {
    for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
      std::byte* to = dst + i * loops.outer.dst;
      const std::byte* from = src[0] + i * loops.outer.src;
      std::int64_t j = 0;
      for (; j < loops.inner.extent; ++j)
        unit.move(
            to + (loops.dst_table ? loops.dst_table[j] * loops.element : j * loops.inner.dst),
            from + (loops.src_table ? loops.src_table[j] * loops.element : j * loops.inner.src));
      count_moved(j * unit.size(), j * unit.size());
    }
  });
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& loops = arguments.as<TableLoops>();
  const std::int64_t bytes = loops.outer.extent * loops.inner.extent * loops.unit;
  return {bytes, bytes};
}

double picoseconds(const BoundArguments& arguments) {
  constexpr double a_unit = 1300;
  const auto& loops = arguments.as<TableLoops>();
  return a_unit * static_cast<double>(loops.outer.extent * loops.inner.extent);
}

}  // namespace

extern const KernelDefinition table_kernel;
const KernelDefinition table_kernel{"table", listed,  match,   bind,       run,
                                    traffic, nullptr, nullptr, picoseconds};

}  // namespace weft
