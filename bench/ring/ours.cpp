// SPDX-License-Identifier: Apache-2.0
// A ring buffer: a step writes one slot in place and reads the last samples in order.
#include <cstring>

#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t channels = 64, window = 1000, first = 500;  // the first window wraps around

Inputs inputs(std::int64_t capacity) {
  return {iota<float>({capacity, channels}), full<float>({1, channels}, -1).eval()};
}

Tensor with_sample(Tensor ring, const Tensor& sample, std::int64_t slot) {
  return std::move(ring).slice_scatter(sample, {slot}, {slot + 1});
}

/// The newest is last.
Tensor last_samples(const Tensor& ring, std::int64_t newest) {
  const std::int64_t capacity = ring.shape()[0];
  return ring.roll(-newest - 1, 0).slice({capacity - window}, {capacity});
}

Tensor first_window(Inputs& in) { return last_samples(with_sample(in[0], in[1], first), first); }

std::function<void()> steps(Inputs& in, std::byte* out) {
  return [ring = copy_from(in[0].data<float>(), in[0].shape()), sample = in[1], out,
          t = first]() mutable {
    const std::int64_t slot = t++ % ring.shape()[0];
    ring = with_sample(std::move(ring), sample, slot).eval();
    eval_into(last_samples(ring, slot), out, window * channels * 4);
  };
}

std::function<void()> steps_by_hand(const Inputs& in) {
  constexpr std::int64_t row = channels * 4;
  const std::shared_ptr<std::byte> ring = allocate(in[0].bytes()), out = allocate(window * row);
  std::memcpy(ring.get(), in[0].data<float>(), static_cast<std::size_t>(in[0].bytes()));
  const auto copy = [](std::byte* to, const std::byte* from, std::int64_t rows) {
    std::memcpy(to, from, static_cast<std::size_t>(rows * row));
  };
  return [=, capacity = in[0].shape()[0], sample = in[1], t = first]() mutable {
    const std::int64_t end = t++ % capacity + 1;
    copy(ring.get() + (end - 1) * row, sample.node().value().get(), 1);
    const std::int64_t wrapped = std::max<std::int64_t>(0, window - end);
    copy(out.get(), ring.get() + (capacity - wrapped) * row, wrapped);
    copy(out.get() + wrapped * row, ring.get() + (end - window + wrapped) * row, window - wrapped);
  };
}

Workload ring(const char* id, const char* what, std::int64_t capacity) {
  return {id,           what,         [capacity] { return inputs(capacity); },
          first_window, Manner::into, steps_by_hand,
          steps};
}

}  // namespace

std::vector<Workload> ring_workloads() {
  return {
      ring("ring.1M", "one slot written, the last 1000 x 64 floats read, of a ring of 1 MiB", 4096),
      ring("ring.256M", "the same of a ring of 256 MiB", 1 << 20),
  };
}

}  // namespace weft::bench
