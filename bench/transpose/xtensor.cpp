// SPDX-License-Identifier: Apache-2.0
// Transposes by xtensor: an assigned view.
#include <fmt/format.h>
#include <xtensor/xtensor_config.hpp>

#include "tasks.h"
#include "transpose/shapes.h"
#include "xtensor_rival.h"

namespace weft::bench {
namespace {

template <class T>
Rival transposed_view(const Transpose& task) {
  return by_xtensor(task.id.c_str(), [&task](const Inputs& in, std::byte* out) {
    XShape shape;
    for (const int axis : task.order)
      shape.push_back(static_cast<std::size_t>(task.shape[static_cast<std::size_t>(axis)]));
    auto y = xtensor_over(reinterpret_cast<T*>(out), shape);
    xt::noalias(y) = xt::transpose(xtensor_in<T>(in[0]), task.order);
  });
}

}  // namespace

std::vector<Rival> transpose_xtensor() {
  std::vector<Rival> list;
  for (const Transpose& task : transposes()) {
    switch (task.dtype.size()) {
      case 1:
        list.push_back(transposed_view<std::uint8_t>(task));
        break;
      case 2:
        list.push_back(transposed_view<std::uint16_t>(task));
        break;
      case 4:
        list.push_back(transposed_view<float>(task));
        break;
      default:
        list.push_back(transposed_view<double>(task));
    }
  }
  return list;
}

Version xtensor_version() {
  return {"xtensor", fmt::format("{}.{}.{}", XTENSOR_VERSION_MAJOR, XTENSOR_VERSION_MINOR,
                                 XTENSOR_VERSION_PATCH)};
}

}  // namespace weft::bench
