// SPDX-License-Identifier: Apache-2.0
// Elements and rows from places that a tensor holds, by hand; nobody checks the places.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 4096;
using Places = const std::int64_t*;

void take_rows(const float* in, Places places, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) copy_run(out + i * 256, in + places[i] * 256, 256);
}

void gather_rows(const float* in, Places places, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = in[i * n + places[i * n + j]];
}

void scatter_rows(const float* data, const float* updates, Places places, float* out,
                  std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    copy_run(out + i * n, data + i * n, n);
    for (std::int64_t j = 0; j < n; ++j) out[i * n + places[i * n + j]] = updates[i * n + j];
  }
}

/// Elements of x where the mask holds, of y elsewhere; y steps by `step` elements.
template <std::int64_t step>
void choose(const float* x, const float* y, const std::uint8_t* mask, float* out,
            std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) out[i] = mask[i] ? x[i] : y[i * step];
}

/// Plain and tuned: body(in, out, begin, end) on one thread, and on two.
template <class Body>
void add(std::vector<Rival>& list, const char* workload, std::int64_t count, const Body& body) {
  list.push_back({workload, plain, [=](const Inputs& in, std::byte* out) {
                    return [=, &in, to = reinterpret_cast<float*>(out)] { body(in, to, 0, count); };
                  }});
  list.push_back({workload, tuned, [=](const Inputs& in, std::byte* out) {
                    return [=, &in, to = reinterpret_cast<float*>(out)] {
                      in_parallel(count, [&](std::int64_t begin, std::int64_t end) {
                        body(in, to, begin, end);
                      });
                    };
                  }});
}

}  // namespace

std::vector<Rival> indexed_loops() {
  std::vector<Rival> list;
  add(list, "G1", 65536, [](const Inputs& in, float* out, std::int64_t begin, std::int64_t end) {
    take_rows(in[0].data<float>(), in[1].data<std::int64_t>(), out, begin, end);
  });
  const auto mask = [](const Inputs& in) {
    return reinterpret_cast<const std::uint8_t*>(in[2].data<bool>());
  };
  add(list, "G2", n * n, [=](const Inputs& in, float* out, std::int64_t begin, std::int64_t end) {
    choose<1>(in[0].data<float>(), in[1].data<float>(), mask(in), out, begin, end);
  });
  add(list, "G2.s", n * n, [=](const Inputs& in, float* out, std::int64_t begin, std::int64_t end) {
    choose<0>(in[0].data<float>(), in[1].data<float>(), mask(in), out, begin, end);
  });
  add(list, "G3", n, [](const Inputs& in, float* out, std::int64_t begin, std::int64_t end) {
    gather_rows(in[0].data<float>(), in[1].data<std::int64_t>(), out, begin, end);
  });
  add(list, "G4", n, [](const Inputs& in, float* out, std::int64_t begin, std::int64_t end) {
    scatter_rows(in[0].data<float>(), in[1].data<float>(), in[2].data<std::int64_t>(), out, begin,
                 end);
  });
  return list;
}

}  // namespace weft::bench
