// SPDX-License-Identifier: Apache-2.0
// xtensor: lazy expressions over the same memory, assigned on TBB's threads where it can.
#pragma once

#define XTENSOR_USE_TBB
#include <xtensor/xadapt.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xview.hpp>

#include "workload.h"

namespace weft::bench {

using XShape = std::vector<std::size_t>;

template <class T>
auto xtensor_over(T* elements, const XShape& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return xt::adapt(elements, count, xt::no_ownership(), shape);
}

template <class T>
auto xtensor_in(const Tensor& tensor) {
  return xtensor_over(tensor.data<T>(), XShape(tensor.shape().begin(), tensor.shape().end()));
}

template <class Body>
Rival by_xtensor(const char* workload, const Body& body) {
  return {workload, "xtensor",
          [body](const Inputs& in, std::byte* out) { return [body, in, out] { body(in, out); }; }};
}

}  // namespace weft::bench
