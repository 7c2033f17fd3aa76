// SPDX-License-Identifier: Apache-2.0
// Transposes: squares of every element size, images and activations, every order of odd shapes, and
// what nobody had tuned (U).
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "tasks.h"
#include "transpose/shapes.h"

namespace weft::bench {
namespace {

std::vector<Transpose> all() {
  std::vector<Transpose> list;
  const auto add = [&](const char* id, DType dtype, std::vector<std::int64_t> shape,
                       std::vector<int> order) {
    list.push_back({id,
                    fmt::format("transpose {} [{}] to ({})", dtype.name(), fmt::join(shape, ", "),
                                fmt::join(order, ", ")),
                    dtype, std::move(shape), std::move(order)});
  };
  add("W2.u8", dtype_of<std::uint8_t>, {4096, 4096}, {1, 0});
  add("W2.u16", dtype_of<std::uint16_t>, {4096, 4096}, {1, 0});
  add("W2.f32", dtype_of<float>, {4096, 4096}, {1, 0});
  add("W2.f64", dtype_of<double>, {4096, 4096}, {1, 0});
  add("W3", dtype_of<float>, {32, 64, 112, 112}, {0, 2, 3, 1});
  add("W4", dtype_of<std::uint8_t>, {32, 224, 224, 3}, {0, 3, 1, 2});
  std::vector<int> order{0, 1, 2, 3};
  do {
    add(fmt::format("H1/{}", fmt::join(order, "")).c_str(), dtype_of<float>, {7, 129, 255, 33},
        order);
  } while (std::next_permutation(order.begin(), order.end()));
  for (const char* digits : {"543210", "305142", "150324", "420513", "024135"}) {
    order.clear();
    for (const char* digit = digits; *digit; ++digit) order.push_back(*digit - '0');
    add(fmt::format("H2/{}", digits).c_str(), dtype_of<float>, {8, 9, 10, 11, 12, 13}, order);
  }
  add("U.1000", dtype_of<float>, {1000, 1001}, {1, 0});
  add("U.4095", dtype_of<float>, {4095, 4097}, {1, 0});
  add("U.thin", dtype_of<std::uint8_t>, {16, 1 << 20}, {1, 0});
  add("U.tall", dtype_of<std::uint8_t>, {1 << 20, 16}, {1, 0});
  add("U.3bytes", opaque(3), {1024, 1024}, {1, 0});
  add("U.heads", dtype_of<float>, {4, 256, 3, 12, 64}, {2, 0, 3, 1, 4});
  add("U.windows", dtype_of<float>, {8, 8, 7, 8, 7, 96}, {0, 1, 3, 5, 2, 4});
  return list;
}

Tensor input_of(const Transpose& task) {
  if (task.dtype == dtype_of<std::uint8_t>) return iota<std::uint8_t>(task.shape);
  if (task.dtype == dtype_of<std::uint16_t>) return iota<std::uint16_t>(task.shape);
  if (task.dtype == dtype_of<double>) return iota<double>(task.shape);
  if (task.dtype == opaque(3)) {
    std::vector<std::int64_t> bytes = task.shape;
    bytes.back() *= 3;
    return iota<std::uint8_t>(bytes).view_as(opaque(3)).eval();
  }
  return iota<float>(task.shape);
}

}  // namespace

const std::vector<Transpose>& transposes() {
  static const std::vector<Transpose> list = all();
  return list;
}

Permutation permutation(const std::vector<std::int64_t>& shape, const std::vector<int>& order) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t k = shape.size() - 1; k-- > 0;) strides[k] = strides[k + 1] * shape[k + 1];
  Permutation result;
  for (const int axis : order) {
    result.extents.push_back(shape[static_cast<std::size_t>(axis)]);
    result.strides.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  return result;
}

std::vector<Workload> transpose_workloads() {
  std::vector<Workload> list;
  for (const Transpose& task : transposes())
    list.push_back({task.id, task.what, [&task] { return Inputs{input_of(task)}; },
                    [&task](Inputs& in) { return in[0].transpose(task.order); }});
  return list;
}

}  // namespace weft::bench
