// SPDX-License-Identifier: Apache-2.0
// All workloads and rivals, collected from the tasks.
#include "tasks.h"

#include <Eigen/Core>
#include <fmt/format.h>

#ifdef WEFT_BENCH_XTENSOR
#include <xtensor/xtensor_config.hpp>
#endif

namespace weft::bench {
namespace {

template <class T>
std::vector<T> joined(std::initializer_list<std::vector<T>> lists) {
  std::vector<T> all;
  for (const std::vector<T>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> list = joined(
      {roll_workloads(), transpose_workloads(), tile_workloads(), slice_scatter_workloads(),
       window_partition_workloads(), chain_workloads(), depth_to_space_workloads(),
       tiny_workloads(), ring_workloads(), pad_workloads(), concat_workloads(), indexed_workloads(),
       unfold_workloads(), triangle_workloads(), pixels_workloads(), window_workloads()});
  return list;
}

const std::vector<Rival>& rivals() {
#ifdef WEFT_BENCH_RIVALS
  static const std::vector<Rival> list = joined({
      roll_loops(),
      transpose_loops(),
      tile_loops(),
      slice_scatter_loops(),
      window_partition_loops(),
      chain_loops(),
      depth_to_space_loops(),
      tiny_loops(),
      pad_loops(),
      concat_loops(),
      indexed_loops(),
      unfold_loops(),
      triangle_loops(),
      pixels_loops(),  //
      roll_eigen(),
      transpose_eigen(),
      tile_eigen(),
      slice_scatter_eigen(),
      window_partition_eigen(),
      chain_eigen(),
      depth_to_space_eigen(),
      tiny_eigen(),
      pad_eigen(),
      concat_eigen(),
      indexed_eigen(),
      unfold_eigen(),
      triangle_eigen(),
      pixels_eigen(),
#ifdef WEFT_BENCH_XTENSOR
      roll_xtensor(),
      transpose_xtensor(),
      tile_xtensor(),
      slice_scatter_xtensor(),
#endif
#ifdef WEFT_BENCH_ONEDNN
      transpose_onednn(),
#endif
  });
#else
  static const std::vector<Rival> list;
#endif
  return list;
}

std::vector<std::pair<std::string, std::string>> rival_versions() {
  return {
      {"Eigen",
       fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
#ifdef WEFT_BENCH_XTENSOR
      {"xtensor", fmt::format("{}.{}.{}", XTENSOR_VERSION_MAJOR, XTENSOR_VERSION_MINOR,
                              XTENSOR_VERSION_PATCH)},
#endif
#ifdef WEFT_BENCH_ONEDNN
      {"oneDNN", onednn_version()},
#endif
  };
}

}  // namespace weft::bench
