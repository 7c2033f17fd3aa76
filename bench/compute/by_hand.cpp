// SPDX-License-Identifier: Apache-2.0
// The loops, with the widest vectors that the compiler is told of.
#include "compute/by_hand.h"

#include <hwy/cache_control.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace weft::bench {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// vector(i) of each vector that begins at i, into `out`; counts are whole vectors.
template <class T, class Vector>
void for_each_vector(T* out, std::int64_t count, bool streams, const Vector& vector) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto run = [&](auto put) {
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, count / lanes, 1 << 13),
                      [&](const auto& range) {
                        for (std::int64_t k = range.begin(); k < range.end(); ++k)
                          put(vector(k * lanes), out + k * lanes);
                        hwy::FlushStream();
                      });
  };
  if (streams) run([d](auto v, T* to) { hn::Stream(v, d, to); });
  else run([d](auto v, T* to) { hn::Store(v, d, to); });
}

}  // namespace

void planes_by_hand(const std::uint8_t* images, const float* scale, const float* shift, float* out,
                    bool streams) {
  constexpr std::int64_t count = 16, top = 28, rows = 1024, left = 64, columns = 1792;
  constexpr std::int64_t row_bytes = 1920 * 3, image_bytes = 1080 * row_bytes;
  const hn::ScalableTag<float> d;
  const hn::Rebind<std::uint8_t, decltype(d)> pixels;
  const hn::Rebind<std::int32_t, decltype(d)> whole;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, count * rows, 64), [&](const auto& range) {
    for (std::int64_t r = range.begin(); r < range.end(); ++r) {
      const std::int64_t image = r / rows, row = r % rows;
      const std::uint8_t* const from =
          images + image * image_bytes + (top + row) * row_bytes + left * 3;
      float* const to = out + image * 3 * rows * columns + row * columns;
      for (std::int64_t j = 0; j < columns; j += lanes) {
        hn::Vec<decltype(pixels)> of[3];
        hn::LoadInterleaved3(pixels, from + (columns - lanes - j) * 3, of[0], of[1], of[2]);
        for (std::int64_t c = 0; c < 3; ++c) {
          const auto x = hn::ConvertTo(d, hn::PromoteTo(whole, of[c]));
          const auto y =
              hn::Reverse(d, hn::Add(hn::Mul(x, hn::Set(d, scale[c])), hn::Set(d, shift[c])));
          float* const at = to + c * rows * columns + j;
          if (streams) hn::Stream(y, d, at);
          else hn::Store(y, d, at);
        }
      }
    }
    hwy::FlushStream();
  });
}

void gelu_by_hand(const float* x, float* out, std::int64_t count, bool streams) {
  const hn::ScalableTag<float> d;
  const auto set = [d](float value) { return hn::Set(d, value); };
  for_each_vector(out, count, streams, [=](std::int64_t i) {
    const auto v = hn::Load(d, x + i);
    const auto inner = hn::Mul(hn::MulAdd(hn::Mul(v, v), set(0.0356774081f), set(0.797884561f)), v);
    // (1 + tanh(u)) / 2 is 1 / (1 + exp(-2 u)).
    const auto e = hn::Exp(d, hn::Mul(inner, set(-2.0f)));
    return hn::Div(v, hn::Add(set(1.0f), e));
  });
}

void six_by_hand(const float* x, const float* y, const float* z, float* out) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < 64 * 64; i += lanes) {
    const auto a = hn::Load(d, x + i), b = hn::Load(d, y + i), c = hn::Load(d, z + i % 64);
    auto t = hn::Add(hn::Mul(hn::Add(a, b), c), b);
    t = hn::Mul(hn::Add(hn::Mul(t, a), c), b);
    hn::Store(t, d, out + i);
  }
}

void multiply_add_by_hand(const float* a, const float* b, const float* c, float* out,
                          std::int64_t count, bool streams) {
  const hn::ScalableTag<float> d;
  for_each_vector(out, count, streams, [=](std::int64_t i) {
    return hn::Add(hn::Mul(hn::Load(d, a + i), hn::Load(d, b + i)), hn::Load(d, c + i));
  });
}

void chain_by_hand(const float* x, float* out, std::int64_t count, bool streams) {
  const hn::ScalableTag<float> d;
  const auto set = [d](float value) { return hn::Set(d, value); };
  for_each_vector(out, count, streams, [=](std::int64_t i) {
    const auto v = hn::Load(d, x + i);
    auto t = hn::Add(hn::Mul(v, set(1.5f)), set(0.25f));
    t = hn::Sub(hn::Sqrt(hn::Abs(t)), set(0.5f));
    t = hn::Add(hn::Max(hn::Mul(t, v), set(-1.0f)), v);
    t = hn::Add(hn::Mul(hn::Min(t, set(6.0f)), set(0.75f)), set(1.0f));
    t = hn::Neg(t);
    t = hn::Add(hn::Mul(t, t), set(0.125f));
    return hn::Max(hn::Mul(t, v), set(0.0f));
  });
}

void add_bf16_by_hand(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out,
                      std::int64_t count, bool streams) {
  const hn::ScalableTag<std::uint16_t> d;
  const hn::Half<decltype(d)> half;
  const hn::ScalableTag<std::uint32_t> wide;
  const hn::ScalableTag<float> floats;
  const auto load = [=](const std::uint16_t* from) {
    return hn::BitCast(floats, hn::ShiftLeft<16>(hn::PromoteTo(wide, hn::LoadU(half, from))));
  };
  const auto sum = [=](std::int64_t i) {
    const auto bits = hn::BitCast(wide, hn::Add(load(a + i), load(b + i)));
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(wide, 1u));
    return hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(wide, 0x7fffu))));
  };
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
  for_each_vector(out, count, streams, [=](std::int64_t i) {
    return hn::Combine(d, hn::TruncateTo(half, sum(i + lanes)), hn::TruncateTo(half, sum(i)));
  });
}

void average_by_hand(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                     std::int64_t count, bool streams) {
  const hn::ScalableTag<std::uint8_t> d;
  for_each_vector(out, count, streams, [=](std::int64_t i) {
    const auto x = hn::Load(d, a + i), y = hn::Load(d, b + i);
    const auto odd = hn::And(hn::Xor(x, y), hn::Set(d, std::uint8_t{1}));
    const auto average = hn::Sub(hn::AverageRound(x, y), odd);
    return hn::Min(hn::Max(average, hn::Set(d, std::uint8_t{16})), hn::Set(d, std::uint8_t{235}));
  });
}

}  // namespace weft::bench
