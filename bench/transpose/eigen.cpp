// SPDX-License-Identifier: Apache-2.0
// Transposes by Eigen's shuffle.
#include <Eigen/Core>
#include <fmt/format.h>

#include "eigen_rival.h"
#include "tasks.h"
#include "transpose/shapes.h"

namespace weft::bench {
namespace {

template <class T, int Rank>
Rival shuffle(const Transpose& task) {
  return by_eigen(task.id.c_str(), [&task](const Inputs& in, std::byte* out) {
    const auto x = eigen_in<T, Rank>(in[0]);
    Sizes<Rank> sizes, order;
    for (int k = 0; k < Rank; ++k) {
      order[k] = task.order[static_cast<std::size_t>(k)];
      sizes[k] = x.dimension(order[k]);
    }
    eigen_out<T, Rank>(out, sizes).device(two_threads()) = x.shuffle(order);
  });
}

template <class T>
Rival shuffle_of_rank(const Transpose& task) {
  switch (task.shape.size()) {
    case 2:
      return shuffle<T, 2>(task);
    case 4:
      return shuffle<T, 4>(task);
    case 5:
      return shuffle<T, 5>(task);
    default:
      return shuffle<T, 6>(task);
  }
}

}  // namespace

std::vector<Rival> transpose_eigen() {
  std::vector<Rival> list;
  for (const Transpose& task : transposes()) {
    switch (task.dtype.size()) {
      case 3:  // it has no such elements
        break;
      case 1:
        list.push_back(shuffle_of_rank<std::uint8_t>(task));
        break;
      case 2:
        list.push_back(shuffle_of_rank<std::uint16_t>(task));
        break;
      case 4:
        list.push_back(shuffle_of_rank<float>(task));
        break;
      default:
        list.push_back(shuffle_of_rank<double>(task));
    }
  }
  return list;
}

Version eigen_version() {
  return {"Eigen",
          fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)};
}

}  // namespace weft::bench
