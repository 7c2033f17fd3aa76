// SPDX-License-Identifier: Apache-2.0
// Running passes that go together, slab by slab.
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/row_group.h>
#include <weft/engine/run/workers.h>

namespace weft {

void run(const RowGroup& group, const Plan& plan, const std::function<std::byte*(std::size_t)>& out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside) {
  const std::int64_t tasks = group.tasks(), each = group.task_bytes();
  const Workers workers(tasks == 1 ? 1 : threads);
  const std::int64_t at_once =
      std::clamp<std::int64_t>(most_aside / each, 1, std::min(workers.count(), tasks));
  const Pass& last = plan.passes[group.members.back().pass];
  const std::shared_ptr<std::byte> memory = allocate(
      std::max(at_once * each, std::min(kept_from, most_aside)), last.what, last.type.shape);
  SmallVector<std::byte*, 8> outs;
  for (const RowMember& member : group.members)
    outs.push_back(member.aside ? nullptr : out(member.pass));
  std::atomic<std::int64_t> next = 0;
  const auto task = [&](std::int64_t t) {
    std::byte* const aside = memory.get() + t * each;
    for (std::int64_t k; (k = next.fetch_add(1)) < tasks;) {
      workers.check_stop();
      const std::int64_t end = std::min(std::ssize(group.slabs), (k + 1) * group.share);
      for (std::int64_t s = k * group.share; s < end; ++s) {
        const RowSlab& slab = group.slabs[static_cast<std::size_t>(s)];
        const std::int64_t begin = group.division.begin(slab.segment);
        for (std::size_t m = 0; m < group.members.size(); ++m) {
          const RowMember& member = group.members[m];
          run(member.steps, slab, begin,
              member.aside ? aside + *member.aside : outs[m] + slab.begin * member.row_bytes,
              sources, aside, aside + group.private_bytes);
        }
      }
    }
    finish_streams();
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
}

}  // namespace weft
