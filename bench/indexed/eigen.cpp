// SPDX-License-Identifier: Apache-2.0
// By Eigen: rows by an indexed view, which is not lazy over threads, and select.
#include <Eigen/Dense>

#include "eigen_rival.h"
#include "tasks.h"

namespace weft::bench {

std::vector<Rival> indexed_eigen() {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr Index n = 4096;
  const auto mask = [](const Inputs& in) { return eigen_in<bool, 2>(in[2]); };
  return {
      by_eigen("G1",
               [](const Inputs& in, std::byte* out) {
                 const Eigen::Map<const Rows> x(in[0].data<float>(), 50000, 256);
                 const Eigen::Map<const Eigen::Array<std::int64_t, Eigen::Dynamic, 1>> places(
                     in[1].data<std::int64_t>(), 65536);
                 Eigen::Map<Rows>(reinterpret_cast<float*>(out), 65536, 256) =
                     x(places, Eigen::all);
               }),
      by_eigen("G2",
               [=](const Inputs& in, std::byte* out) {
                 eigen_out<float, 2>(out, {n, n}).device(two_threads()) =
                     mask(in).select(eigen_in<float, 2>(in[0]), eigen_in<float, 2>(in[1]));
               }),
      by_eigen("G2.s",
               [=](const Inputs& in, std::byte* out) {
                 const EigenIn<float, 2> x = eigen_in<float, 2>(in[0]);
                 eigen_out<float, 2>(out, {n, n}).device(two_threads()) =
                     mask(in).select(x, x.constant(in[1].data<float>()[0]));
               }),
  };
}

}  // namespace weft::bench
