// Finding sources that are the result already, but for what is written over them.
#include <weft/engine/bases.h>

#include <algorithm>

#include <weft/engine/buffer.h>

namespace weft {
namespace {

bool is_identity(const Copy& copy) {
  return copy.out_offset == copy.src_offset &&
         std::all_of(copy.loops.begin(), copy.loops.end(), [](const Loop& loop) {
           return loop.is_plain() && loop.out_stride == loop.src_stride;
         });
}

}  // namespace

SmallVector<std::size_t, 4> bases(const Plan& plan) {
  SmallVector<std::size_t, 4> list;
  if (plan.outputs.size() != 1 || plan.is_alias()) return list;
  const Pass& last = plan.passes[plan.outputs[0].pass];
  SmallVector<std::uint8_t, 8> is_base;
  for (const PlanSource& source : plan.sources)
    is_base.push_back(source.pass == PlanSource::stored && source.count == last.count &&
                      is_whole_block(source.value, source.count * plan.dtype.size()));
  for (std::size_t p = 0; p < plan.passes.size(); ++p)
    for (const Copy& copy : plan.passes[p].copies)
      // What is painted over something is not there before.
      if (&plan.passes[p] != &last || copy.layer != last.copies.front().layer || !is_identity(copy))
        is_base[copy.source] = false;
  for (std::size_t s = 0; s < is_base.size(); ++s)
    if (is_base[s]) list.push_back(s);
  return list;
}

}  // namespace weft
