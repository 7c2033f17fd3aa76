// SPDX-License-Identifier: Apache-2.0
// What the files of a task define, a folder a task: our way in ours.cpp, the others in the files
// named after them. The build finds them (bench/tasks.cmake); nobody keeps a list.
//
//   std::vector<Workload> roll_workloads()   in roll/ours.cpp
//   std::vector<Rival> roll_loops()          plain loops on one thread, tuned ones on two
//   std::vector<Rival> roll_eigen()          Eigen::Tensor on a pool of two threads
//   std::vector<Rival> roll_xtensor()        xtensor, on TBB where it uses threads
//   std::vector<Rival> transpose_onednn()    oneDNN's reorder, which is a transpose
//   Version eigen_version()                  once for a library
#pragma once

#include "workload.h"

namespace weft::bench {

/// W13 of any shift, which is the third input; W8 of any batch size.
Program tiny_program();
Program window_partition_program();

}  // namespace weft::bench
