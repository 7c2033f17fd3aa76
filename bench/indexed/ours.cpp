// SPDX-License-Identifier: Apache-2.0
// Elements and rows from places that a tensor holds: G1 take, G2 where (G2.s: y is a scalar),
// G3 gather_elements, G4 scatter_elements, G5 index_put in place.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "indexed/random_places.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 4096;

Tensor other_square() { return iota<float>({n, n}, 1 << 24); }

Inputs some_rows() {
  std::vector<std::int64_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  std::shuffle(rows.begin(), rows.end(), std::mt19937(1));
  rows.resize(64);
  return {iota<float>({n, n}), iota<float>({64, n}, 1 << 24), from_vector(rows, 64)};
}

/// 64 rows of 16 KiB.
std::function<void()> rows_by_hand(const Inputs& in) {
  const std::shared_ptr<std::byte> own = allocate(in[0].bytes());
  std::memcpy(own.get(), in[0].data<float>(), static_cast<std::size_t>(in[0].bytes()));
  return [own, updates = in[1], indices = in[2]] {
    constexpr std::int64_t row = n * 4;
    const std::byte* const from = updates.node().value().get();
    const std::int64_t* const places = indices.data<std::int64_t>();
    for (std::int64_t k = 0; k < 64; ++k)
      std::memcpy(own.get() + places[k] * row, from + k * row, row);
  };
}

}  // namespace

std::vector<Workload> indexed_workloads() {
  return {
      {"G1", "65536 random rows taken of [50000, 256]",
       [] {
         return Inputs{iota<float>({50000, 256}), random_places({65536}, 50000)};
       },
       [](Inputs& in) { return in[0].take(in[1], 0); }},
      {"G2", "where of [4096, 4096], a random mask",
       [] {
         return Inputs{iota<float>({n, n}), other_square(), random_mask(n, n)};
       },
       [](Inputs& in) { return where(in[2], in[0], in[1]); }},
      {"G2.s", "the same, y a scalar",
       [] {
         return Inputs{iota<float>({n, n}), scalar(-1.5f), random_mask(n, n)};
       },
       [](Inputs& in) { return where(in[2], in[0], in[1]); }},
      {"G3", "gather_elements of [4096, 4096] on axis 1, random",
       [] {
         return Inputs{iota<float>({n, n}), random_places({n, n}, n)};
       },
       [](Inputs& in) { return in[0].gather_elements(in[1], 1); }},
      {"G4", "scatter_elements of [4096, 4096] on axis 1, random",
       [] {
         return Inputs{iota<float>({n, n}), other_square(), random_places({n, n}, n)};
       },
       [](Inputs& in) { return in[0].scatter_elements(in[2], in[1], 1); }},
      {"G5",
       "index_put of 64 rows of [4096, 4096], given up; over memcpy by hand of the rows alone",
       [] {
         Inputs in = some_rows();
         in[0] = in[0].eval();
         return in;
       },
       [](Inputs& in) { return std::move(in[0]).index_put(in[2], in[1]); }, Manner::handed_on,
       rows_by_hand},
  };
}

}  // namespace weft::bench
