// SPDX-License-Identifier: Apache-2.0
// Running passes that go together, slab by slab.
#include <algorithm>
#include <functional>
#include <memory>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/row_group.h>
#include <weft/engine/run/task_queue.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>

namespace weft {

RowWork::RowWork(const RowGroup& group, const std::function<std::byte*(std::size_t)>& out,
                 std::span<const std::byte* const> sources)
    : group_(group), sources_(sources) {
  for (const RowMember& member : group.members)
    outs_.push_back(member.aside ? nullptr : out(member.pass));
}

void RowWork::run(const RowSlab& slab, std::byte* memory) const noexcept {
  const std::int64_t begin = group_.division.begin(slab.segment);
  for (std::size_t m = 0; m < group_.members.size(); ++m) {
    const RowMember& member = group_.members[m];
    weft::run(member.steps, slab, begin,
              member.aside ? memory + *member.aside : outs_[m] + slab.begin * member.row_bytes,
              sources_, memory, memory + group_.private_bytes);
  }
}

void RowWork::run_rows(std::int64_t begin, std::int64_t end, std::byte* memory) const noexcept {
  auto slab = std::partition_point(group_.slabs.begin(), group_.slabs.end(),
                                   [&](const RowSlab& each) { return each.begin < begin; });
  for (; slab != group_.slabs.end() && slab->begin < end; ++slab) run(*slab, memory);
}

void run(const RowGroup& group, const Plan& plan, const std::function<std::byte*(std::size_t)>& out,
         std::span<const std::byte* const> sources, int threads, std::int64_t most_aside) {
  const std::int64_t tasks = group.tasks(), each = group.task_bytes();
  const Workers workers(tasks == 1 ? 1 : threads);
  const std::int64_t at_once =
      std::clamp<std::int64_t>(most_aside / each, 1, std::min(workers.count(), tasks));
  const Pass& last = plan.passes[group.members.back().pass];
  const std::shared_ptr<std::byte> memory = allocate(at_once * each, last.what, last.type.shape);
  const RowWork work(group, out, sources);
  TaskQueue queue(tasks, at_once);
  workers.begin_shares(tasks);
  const auto task = [&](std::int64_t t) {
    std::byte* const aside = memory.get() + t * each;
    for (std::int64_t k; queue.take(t, k);) {
      workers.next_share();
      const TraceScope scope(workers.trace(), "kernel", "rows");
      const std::int64_t end = std::min(std::ssize(group.slabs), (k + 1) * group.share);
      for (std::int64_t s = k * group.share; s < end; ++s)
        work.run(group.slabs[static_cast<std::size_t>(s)], aside);
    }
    finish_streams();
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
}

}  // namespace weft
