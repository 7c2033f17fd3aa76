// SPDX-License-Identifier: Apache-2.0
// The expressions, each as a user of Eigen writes it.
#include "compute/by_eigen.h"

#include <Eigen/Core>
#include <tbb/parallel_invoke.h>

namespace weft::bench {
namespace {

using Square = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In = Eigen::Map<const Square>;
using Out = Eigen::Map<Square>;

/// work(first, count) of all, or of each half.
template <class Work>
void by_tasks(std::int64_t count, bool in_two, const Work& work) {
  const std::int64_t half = count / 2;
  if (!in_two) work(std::int64_t{0}, count);
  else
    tbb::parallel_invoke([&] { work(std::int64_t{0}, half); }, [&] { work(half, count - half); });
}

template <class T>
auto flat(T* from, std::int64_t first, std::int64_t count) {
  using Plain = Eigen::Array<std::remove_const_t<T>, Eigen::Dynamic, 1>;
  return Eigen::Map<std::conditional_t<std::is_const_v<T>, const Plain, Plain>>(from + first,
                                                                                count);
}

}  // namespace

void multiply_add_by_eigen(const float* a, const float* b, const float* c, float* out,
                           std::int64_t n, bool in_two) {
  by_tasks(n * n, in_two, [=](std::int64_t first, std::int64_t count) {
    flat(out, first, count) = flat(a, first, count) * flat(b, first, count) + flat(c, first, count);
  });
}

void multiply_add_turned_by_eigen(const float* a, const float* b, const float* c, float* out,
                                  std::int64_t n, bool in_two) {
  const In x(a, n, n), y(b, n, n), z(c, n, n);
  Out made(out, n, n);
  by_tasks(n, in_two, [&](std::int64_t first, std::int64_t rows) {
    made.middleRows(first, rows) =
        x.middleRows(first, rows) * y.middleCols(first, rows).transpose() +
        z.middleRows(first, rows);
  });
}

void multiply_add_rolled_by_eigen(const float* a, const float* b, const float* c, float* out,
                                  std::int64_t n, bool in_two) {
  constexpr std::int64_t shift = 5;
  const In x(a, n, n), y(b, n, n), z(c, n, n);
  Out made(out, n, n);
  const auto part = [&](std::int64_t first, std::int64_t rows, std::int64_t to, std::int64_t from,
                        std::int64_t columns) {
    made.block(first, to, rows, columns) =
        x.block(first, to, rows, columns) * y.block(first, from, rows, columns) +
        z.block(first, to, rows, columns);
  };
  by_tasks(n, in_two, [&](std::int64_t first, std::int64_t rows) {
    part(first, rows, shift, 0, n - shift);
    part(first, rows, 0, n - shift, shift);
  });
}

void gelu_by_eigen(const float* from, float* out, std::int64_t count, bool in_two) {
  by_tasks(count, in_two, [=](std::int64_t first, std::int64_t some) {
    const auto x = flat(from, first, some);
    flat(out, first, some) =
        0.5f * x * (1.0f + (0.7978845608f * (x + 0.044715f * x * x * x)).tanh());
  });
}

void add_bf16_by_eigen(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out,
                       std::int64_t count, bool in_two) {
  const auto* const x = reinterpret_cast<const Eigen::bfloat16*>(a);
  const auto* const y = reinterpret_cast<const Eigen::bfloat16*>(b);
  auto* const made = reinterpret_cast<Eigen::bfloat16*>(out);
  by_tasks(count, in_two, [=](std::int64_t first, std::int64_t some) {
    flat(made, first, some) = flat(x, first, some) + flat(y, first, some);
  });
}

void chain_by_eigen(const float* from, float* out, std::int64_t count, bool in_two) {
  by_tasks(count, in_two, [=](std::int64_t first, std::int64_t some) {
    const auto x = flat(from, first, some);
    const auto t = (x * 1.5f + 0.25f).abs().sqrt() - 0.5f;
    const auto u = (t * x).max(-1.0f) + x;
    const auto v = -(u.min(6.0f) * 0.75f + 1.0f);
    flat(out, first, some) = ((v.square() + 0.125f) * x).max(0.0f);
  });
}

}  // namespace weft::bench
