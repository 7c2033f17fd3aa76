// SPDX-License-Identifier: Apache-2.0
// Transposes by oneDNN's reorder, threads as OMP_NUM_THREADS says. It has no elements of 3 or 8
// bytes.
#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.hpp>

#include "tasks.h"
#include "transpose/shapes.h"

namespace weft::bench {
namespace {

using dnnl::memory;

dnnl::engine& cpu() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

/// From the input as the output's axes see it to the output.
Rival reorder(std::string id, const Permutation& p, memory::data_type type) {
  return {std::move(id), "oneDNN", [p, type](const Inputs& in, std::byte* out) {
            memory::dims strides(p.extents.size(), 1);
            for (std::size_t k = strides.size() - 1; k-- > 0;)
              strides[k] = strides[k + 1] * p.extents[k + 1];
            const memory::desc from(p.extents, type, p.strides), to(p.extents, type, strides);
            const memory x(from, cpu(), const_cast<std::byte*>(in[0].node().value().get()));
            const memory y(to, cpu(), out);
            return [in, x, y, work = dnnl::reorder(x, y), stream = dnnl::stream(cpu())]() mutable {
              work.execute(stream, const_cast<memory&>(x), const_cast<memory&>(y));
              stream.wait();
            };
          }};
}

}  // namespace

std::vector<Rival> transpose_onednn() {
  std::vector<Rival> list;
  for (const Transpose& task : transposes()) {
    if (task.dtype.size() == 8 || task.dtype.size() == 3) continue;
    // bf16 stands for any two bytes: a reorder to the same type changes none.
    const auto type = task.dtype.size() == 1   ? memory::data_type::u8
                      : task.dtype.size() == 2 ? memory::data_type::bf16
                                               : memory::data_type::f32;
    list.push_back(reorder(task.id, permutation(task.shape, task.order), type));
  }
  list.push_back(reorder("W12", permutation({8, 16, 4, 4, 64, 64}, {0, 1, 4, 2, 5, 3}),
                         memory::data_type::f32));
  return list;
}

Version onednn_version() {
  const dnnl::version_t* version = dnnl::version();
  return {"oneDNN", fmt::format("{}.{}.{}", version->major, version->minor, version->patch)};
}

}  // namespace weft::bench
