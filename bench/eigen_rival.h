// SPDX-License-Identifier: Apache-2.0
// Eigen::Tensor, row-major, on a pool of two threads.
#pragma once

#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>

#include "workload.h"

namespace weft::bench {

using Index = Eigen::Index;
template <int Rank>
using Sizes = Eigen::array<Index, Rank>;
template <class T, int Rank>
using EigenTensor = Eigen::Tensor<T, Rank, Eigen::RowMajor, Index>;
template <class T, int Rank>
using EigenOut = Eigen::TensorMap<EigenTensor<T, Rank>>;
template <class T, int Rank>
using EigenIn = Eigen::TensorMap<const EigenTensor<T, Rank>>;

inline Eigen::ThreadPoolDevice& two_threads() {
  static Eigen::ThreadPool pool(2);
  static Eigen::ThreadPoolDevice device(&pool, 2);
  return device;
}

template <class T, int Rank>
EigenIn<T, Rank> eigen_in(const Tensor& tensor) {
  Sizes<Rank> sizes;
  for (int k = 0; k < Rank; ++k) sizes[k] = tensor.shape()[static_cast<std::size_t>(k)];
  return EigenIn<T, Rank>(tensor.data<T>(), sizes);
}

template <class T, int Rank>
EigenOut<T, Rank> eigen_out(std::byte* out, const Sizes<Rank>& sizes) {
  return EigenOut<T, Rank>(reinterpret_cast<T*>(out), sizes);
}

/// to = from rolled along `axis`: two slices.
template <class To, class From, class Device>
void eigen_roll(To&& to, const From& from, int axis, Index shift, const Device& device) {
  const auto sizes = from.dimensions();
  const Index n = sizes[axis];
  shift = (shift % n + n) % n;
  auto zero = sizes, end = sizes, begin = sizes, head = sizes, tail = sizes;
  for (std::size_t k = 0; k < sizes.size(); ++k) zero[k] = begin[k] = end[k] = 0;
  begin[axis] = shift, end[axis] = n - shift;
  head[axis] = n - shift, tail[axis] = shift;
  to.slice(begin, head).device(device) = from.slice(zero, head);
  if (shift > 0) to.slice(zero, tail).device(device) = from.slice(end, tail);
}

/// A rival: body(inputs, out) writes the result; what it keeps between calls is its own.
template <class Body>
Rival by_eigen(const char* workload, const Body& body) {
  return {workload, "Eigen", [body](const Inputs& in, std::byte* out) {
            return [kept = std::decay_t<Body>(body), in, out]() mutable { kept(in, out); };
          }};
}

}  // namespace weft::bench
