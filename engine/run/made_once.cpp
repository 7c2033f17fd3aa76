// SPDX-License-Identifier: Apache-2.0
// Splitting a copy at its outermost repetition.
#include <weft/engine/run/made_once.h>

#include <algorithm>

namespace weft {
namespace {

// Shorter runs are copied no sooner than they are made; less is not worth a step of its own.
constexpr std::int64_t shortest_run_bytes = 512, fewest_bytes = 2048;

}  // namespace

std::optional<MadeOnce> made_once(const Copy& copy, std::int64_t element) {
  const SmallVector<Loop, 6>& loops = copy.loops;
  const auto at = std::find_if(loops.begin(), loops.end(),
                               [](const Loop& loop) { return loop.is_repetition(); });
  if (at == loops.end() ||
      std::any_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.out_table; }))
    return {};
  std::int64_t run = 1;
  for (auto inner = loops.end(); inner != at + 1 && inner[-1].out_stride == run; --inner)
    run *= inner[-1].extent;
  if (run * element < shortest_run_bytes || copy.count() / at->extent * element < fewest_bytes)
    return {};
  MadeOnce made{{copy.source, copy.layer, copy.out_offset, copy.src_offset, {}},
                {copy.source, copy.layer, copy.out_offset + at->out_stride, copy.out_offset, {}}};
  for (auto loop = loops.begin(); loop != loops.end(); ++loop) {
    if (loop != at) {
      made.once.loops.push_back(*loop);
      made.again.add_within({loop->extent, loop->out_stride, loop->out_stride});
    } else if (at->extent > 2) {
      made.again.add_within({at->extent - 1, at->out_stride, 0});
    }
  }
  return made;
}

}  // namespace weft
