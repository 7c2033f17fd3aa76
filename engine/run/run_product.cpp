// SPDX-License-Identifier: Apache-2.0
// Multiplying, tile by tile.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/blocks.h>
#include <weft/engine/run/product_steps.h>
#include <weft/engine/run/task_queue.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

/// One product, with memory for what is packed.
class ProductTask {
 public:
  ProductTask(const ProductSteps& steps, const std::byte* left, const std::byte* right,
              std::byte* out, std::byte* packed)
      : steps_(steps),
        left_(left),
        right_(right),
        out_(out),
        element_(steps.kernels->element),
        left_part_(steps.part_bytes(steps.rows)),
        right_part_(steps.part_bytes(steps.columns)),
        packed_left_(packed),
        packed_right_(packed + steps.slab * steps.rows.count() * left_part_) {}

  std::int64_t slabs() const { return (steps_.inner.count() + steps_.slab - 1) / steps_.slab; }
  std::int64_t packs(std::int64_t slab) const {
    return chunks(slab) * (steps_.rows.count() + steps_.columns.count());
  }
  std::int64_t tiles() const { return steps_.rows.count() * steps_.columns.count(); }

  /// Packs one part of an operand, of one chunk.
  void pack(std::int64_t slab, std::int64_t k) const {
    const std::int64_t in_slab = k % chunks(slab), chunk = slab * steps_.slab + in_slab;
    const std::int64_t first = steps_.inner.begin(chunk), depth = steps_.inner.size(chunk);
    std::int64_t part = k / chunks(slab);
    if (part < steps_.rows.count()) {
      const ProductSteps::Operand& own = steps_.left;
      const std::byte* const at =
          left_ + (steps_.rows.begin(part) * own.row + first * own.column) * element_;
      steps_.kernels->pack_left(left_at(in_slab, part),
                                {at, steps_.rows.size(part), depth, own.row, own.column});
      return;
    }
    part -= steps_.rows.count();
    const ProductSteps::Operand& own = steps_.right;
    const std::byte* const at =
        right_ + (first * own.row + steps_.columns.begin(part) * own.column) * element_;
    steps_.kernels->pack_right(right_at(in_slab, part),
                               {at, depth, steps_.columns.size(part), own.row, own.column});
  }

  /// Adds the products of the chunks to a tile of the result: those of a part of the rows follow
  /// one another.
  void multiply(std::int64_t slab, std::int64_t tile) const {
    const std::int64_t row = tile / steps_.columns.count(), column = tile % steps_.columns.count();
    const std::int64_t rows = steps_.rows.size(row), columns = steps_.columns.size(column);
    const std::int64_t pitch = steps_.columns.extent;
    std::byte* const out =
        out_ + (steps_.rows.begin(row) * pitch + steps_.columns.begin(column)) * element_;
    if (slab == 0)
      for (std::int64_t k = 0; k < rows; ++k)
        std::memset(out + k * pitch * element_, 0, static_cast<std::size_t>(columns * element_));
    for (std::int64_t k = 0; k < chunks(slab); ++k)
      steps_.kernels->multiply(out, pitch, left_at(k, row), right_at(k, column), rows,
                               steps_.inner.size(slab * steps_.slab + k), columns);
  }

  void run_alone() const {
    for (std::int64_t slab = 0; slab < slabs(); ++slab) {
      for (std::int64_t k = 0; k < packs(slab); ++k) pack(slab, k);
      for (std::int64_t tile = 0; tile < tiles(); ++tile) multiply(slab, tile);
    }
  }
  /// Units follow one another: what packs a slab, then its tiles, then the next slab. Each thread
  /// takes the next one, and waits for those before its phase, which threads have taken already:
  /// none of them waits for one that nobody runs.
  void run_shared(const Workers& workers, const RowsMade& made, std::int64_t first_row) const {
    const std::int64_t per_slab = packs(0) + tiles(), last = slabs() - 1;
    const std::int64_t units = last * per_slab + packs(last) + tiles();
    std::atomic<std::int64_t> next = 0, done = 0;
    // Tiles of each part of the rows that are still to be made.
    std::vector<std::atomic<std::int64_t>> left(made ? static_cast<std::size_t>(steps_.rows.count())
                                                     : 0);
    for (auto& each : left) each = steps_.columns.count();
    workers.begin_shares(units);
    const auto take_units = [&](std::int64_t t) {
      for (std::int64_t unit; (unit = next.fetch_add(1)) < units; done.fetch_add(1)) {
        const std::int64_t slab = std::min(unit / per_slab, last), first = slab * per_slab;
        const std::int64_t first_tile = first + packs(slab);
        const bool is_tile = unit >= first_tile;
        workers.next_share();  // all threads do, also those that wait: nobody is left behind
        while (done.load() < (is_tile ? first_tile : first)) {
          workers.check_stop();
          std::this_thread::yield();
        }
        const TraceScope scope(workers.trace(), "kernel", is_tile ? "product" : "pack");
        if (is_tile) multiply(slab, unit - first_tile);
        else pack(slab, unit - first);
        if (!is_tile || slab < last || !made) continue;
        const std::int64_t part = (unit - first_tile) / steps_.columns.count();
        if (left[static_cast<std::size_t>(part)].fetch_sub(1) > 1) continue;
        const std::int64_t begin = first_row + steps_.rows.begin(part);
        made(t, begin, begin + steps_.rows.size(part));
      }
    };
    const std::int64_t at_once = std::min(workers.count(), tiles());
    if (at_once > 1) workers.run(at_once, std::ref(take_units));
    else take_units(0);
  }

 private:
  std::int64_t chunks(std::int64_t slab) const {
    return std::min(steps_.slab, steps_.inner.count() - slab * steps_.slab);
  }
  std::byte* left_at(std::int64_t chunk, std::int64_t part) const {
    return packed_left_ + (chunk * steps_.rows.count() + part) * left_part_;
  }
  std::byte* right_at(std::int64_t chunk, std::int64_t part) const {
    return packed_right_ + (chunk * steps_.columns.count() + part) * right_part_;
  }

  const ProductSteps& steps_;
  const std::byte* const left_;
  const std::byte* const right_;
  std::byte* const out_;
  const std::int64_t element_, left_part_, right_part_;
  std::byte* const packed_left_;
  std::byte* const packed_right_;
};

/// Where the operands of one element of the batch begin, in elements.
struct ProductPlace {
  std::int64_t left = 0, right = 0;
};
ProductPlace product_place(const ProductSteps& steps, std::int64_t product) {
  ProductPlace place;
  for (std::size_t axis = steps.batch.size(); axis-- > 0;) {
    const PassProduct::Axis& own = steps.batch[axis];
    place.left += product % own.extent * own.left;
    place.right += product % own.extent * own.right;
    product /= own.extent;
  }
  return place;
}

/// Matrices times vectors: parts of the rows, or those of each group of the inner axis, which are
/// added up in the end.
class VectorTasks {
 public:
  VectorTasks(const ProductSteps& steps, const std::byte* left, const std::byte* right,
              std::byte* out, std::byte* groups)
      : steps_(steps), left_(left), right_(right), out_(out), groups_(groups) {}

  void multiply(std::int64_t unit) const {
    const std::int64_t part = unit % steps_.rows.count(),
                       group = unit / steps_.rows.count() % steps_.groups.count();
    const std::int64_t product = unit / steps_.rows.count() / steps_.groups.count();
    const std::int64_t element = steps_.kernels->element;
    const std::int64_t first = steps_.rows.begin(part), rows = steps_.rows.size(part);
    const ProductPlace place = product_place(steps_, product);
    std::byte* const to = made(group) + (product * steps_.rows.extent + first) * element;
    std::memset(to, 0, static_cast<std::size_t>(rows * element));
    const std::int64_t begin = steps_.groups.begin(group), end = begin + steps_.groups.size(group);
    for (std::int64_t at = begin; at < end; at += steps_.inner.width) {
      const std::int64_t inner = std::min(steps_.inner.width, end - at);
      steps_.kernels->multiply_vector(
          to,
          {left_ + (place.left + first * steps_.left.row + at * steps_.left.column) * element, rows,
           inner, steps_.left.row, steps_.left.column},
          right_ + (place.right + at) * element);
    }
  }
  void add_groups() const {
    for (std::int64_t group = 1; group < steps_.groups.count(); ++group)
      steps_.kernels->add(out_, made(group), steps_.products * steps_.rows.extent);
  }

 private:
  std::byte* made(std::int64_t group) const {
    const std::int64_t bytes = steps_.products * steps_.rows.extent * steps_.kernels->element;
    return group == 0 ? out_ : groups_ + (group - 1) * bytes;
  }

  const ProductSteps& steps_;
  const std::byte *const left_, *const right_;
  std::byte *const out_, *const groups_;
};

/// Calls work(t, unit, memory) for all units, some in each task; `packed` bytes for each task t at
/// once.
template <class Work>
void run_units(const ProductSteps& steps, const Pass& pass, std::int64_t packed,
               const Workers& workers, const Work& work) {
  const bool is_near = packed <= near_bytes;
  const std::int64_t tasks = steps.tasks(), at_once = std::min(workers.count(), tasks);
  std::shared_ptr<std::byte> memory;
  if (!is_near) memory = allocate(at_once * packed, pass.what, pass.type.shape);
  TaskQueue queue(tasks, at_once);
  workers.begin_shares(tasks);
  const auto task = [&](std::int64_t t) {
    alignas(cache_line) std::byte near[near_bytes];
    std::byte* const own = is_near ? near : memory.get() + t * packed;
    for (std::int64_t k; queue.take(t, k);) {
      workers.next_share();
      const TraceScope scope(workers.trace(), "kernel", "product");
      const std::int64_t end = std::min(steps.units(), (k + 1) * steps.share);
      for (std::int64_t unit = k * steps.share; unit < end; ++unit) work(t, unit, own);
    }
  };
  if (at_once > 1) workers.run(at_once, std::ref(task));
  else task(0);
}

}  // namespace

void run(const ProductSteps& steps, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads, const RowsMade& made) {
  const std::byte* const left = sources[steps.left.source] + steps.left.offset;
  const std::byte* const right = sources[steps.right.source] + steps.right.offset;
  const std::int64_t element = steps.kernels->element, tasks = steps.tasks();
  const Workers workers(tasks == 1 ? 1 : threads);
  const std::int64_t packed = steps.packed_bytes();
  const std::int64_t product = steps.rows.extent * steps.columns.extent * element;
  const auto task_of = [&](std::int64_t k, std::byte* memory) {
    const ProductPlace place = product_place(steps, k);
    return ProductTask(steps, left + place.left * element, right + place.right * element,
                       out + k * product, memory);
  };
  if (steps.manner == ProductSteps::Manner::shared) {
    const std::shared_ptr<std::byte> memory = allocate(packed, pass.what, pass.type.shape);
    for (std::int64_t k = 0; k < steps.products; ++k)
      task_of(k, memory.get()).run_shared(workers, made, k * steps.rows.extent);
    return;
  }
  if (steps.manner == ProductSteps::Manner::vector) {
    std::shared_ptr<std::byte> memory;
    if (packed > 0) memory = allocate(packed, pass.what, pass.type.shape);
    const VectorTasks vectors(steps, left, right, out, memory.get());
    run_units(steps, pass, 0, workers,
              [&](std::int64_t, std::int64_t unit, std::byte*) { vectors.multiply(unit); });
    vectors.add_groups();
    return;
  }
  run_units(steps, pass, packed, workers, [&](std::int64_t t, std::int64_t unit, std::byte* own) {
    task_of(unit, own).run_alone();
    if (made) made(t, unit * steps.rows.extent, (unit + 1) * steps.rows.extent);
  });
}

}  // namespace weft
