// SPDX-License-Identifier: Apache-2.0
// The tasks, a folder each: our way in ours.cpp, the others in the files named after them.
#pragma once

#include "workload.h"

namespace weft::bench {

std::vector<Workload> roll_workloads();
std::vector<Workload> transpose_workloads();
std::vector<Workload> tile_workloads();
std::vector<Workload> slice_scatter_workloads();
std::vector<Workload> window_partition_workloads();
std::vector<Workload> chain_workloads();
std::vector<Workload> depth_to_space_workloads();
std::vector<Workload> tiny_workloads();
std::vector<Workload> ring_workloads();
std::vector<Workload> pad_workloads();
std::vector<Workload> concat_workloads();
std::vector<Workload> indexed_workloads();
std::vector<Workload> unfold_workloads();
std::vector<Workload> triangle_workloads();
std::vector<Workload> pixels_workloads();
std::vector<Workload> window_workloads();

/// W13 of any shift, which is the third input; W8 of any batch size.
Program tiny_program();
Program window_partition_program();

/// Plain loops on one thread, and loops tuned for the task on two.
std::vector<Rival> roll_loops();
std::vector<Rival> transpose_loops();
std::vector<Rival> tile_loops();
std::vector<Rival> slice_scatter_loops();
std::vector<Rival> window_partition_loops();
std::vector<Rival> chain_loops();
std::vector<Rival> depth_to_space_loops();
std::vector<Rival> tiny_loops();
std::vector<Rival> pad_loops();
std::vector<Rival> concat_loops();
std::vector<Rival> indexed_loops();
std::vector<Rival> unfold_loops();
std::vector<Rival> triangle_loops();
std::vector<Rival> pixels_loops();

/// Eigen::Tensor on a pool of two threads.
std::vector<Rival> roll_eigen();
std::vector<Rival> transpose_eigen();
std::vector<Rival> tile_eigen();
std::vector<Rival> slice_scatter_eigen();
std::vector<Rival> window_partition_eigen();
std::vector<Rival> chain_eigen();
std::vector<Rival> depth_to_space_eigen();
std::vector<Rival> tiny_eigen();
std::vector<Rival> pad_eigen();
std::vector<Rival> concat_eigen();
std::vector<Rival> indexed_eigen();
std::vector<Rival> unfold_eigen();
std::vector<Rival> triangle_eigen();
std::vector<Rival> pixels_eigen();

/// xtensor, on TBB where it uses threads.
std::vector<Rival> roll_xtensor();
std::vector<Rival> transpose_xtensor();
std::vector<Rival> tile_xtensor();
std::vector<Rival> slice_scatter_xtensor();

/// oneDNN's reorder, which is a transpose.
std::vector<Rival> transpose_onednn();
std::string onednn_version();

}  // namespace weft::bench
