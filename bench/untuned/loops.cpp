// SPDX-License-Identifier: Apache-2.0
// What nobody had tuned, by hand on two threads; nobody checks places.
#include <array>
#include <functional>
#include <vector>

#include "loops.h"
#include "tasks.h"
#include "untuned/shapes.h"

namespace weft::bench {
namespace {

using namespace untuned;
using Place = std::int64_t;

void crop_row(const std::uint8_t* in, std::uint8_t* out, std::int64_t row) {
  const std::int64_t picture = row / cut_height, y = row % cut_height;
  const std::uint8_t* const from =
      in + ((picture * height + top + y) * width + left + cut_width - 1) * channels;
  for (std::int64_t c = 0; c < channels; ++c) {
    std::uint8_t* const to = out + ((picture * channels + c) * cut_height + y) * cut_width;
    for (std::int64_t x = 0; x < cut_width; ++x) to[x] = from[c - x * channels];
  }
}

void reflect_row(const float* in, float* out, std::int64_t row) {
  const std::int64_t plane = row / padded, y = row % padded - border;
  const std::int64_t inner = y < 0 ? -y : y < side ? y : 2 * (side - 1) - y;
  const float* const from = in + (plane * side + inner) * side;
  float* const to = out + row * padded;
  for (std::int64_t x = 0; x < border; ++x) {
    to[x] = from[border - x];
    to[border + side + x] = from[side - 2 - x];
  }
  copy_run(to + border, from, side);
}

/// Planes side by side, a line of the output's last axis an element of each.
template <int Planes, class T>
void stack_planes(const std::array<const T*, Planes>& in, T* out, std::int64_t begin,
                  std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    for (int k = 0; k < Planes; ++k) out[i * Planes + k] = in[k][i];
}

template <int Planes, class T>
Rival stacked(const char* workload, std::int64_t count) {
  return {workload, tuned, [count](const Inputs& inputs, std::byte* out) {
            std::array<const T*, Planes> in;
            for (std::size_t k = 0; k < Planes; ++k) in[k] = inputs[k].data<T>();
            return [=, to = reinterpret_cast<T*>(out)] {
              in_parallel(count, [&](std::int64_t begin, std::int64_t end) {
                stack_planes<Planes, T>(in, to, begin, end);
              });
            };
          }};
}

/// So many columns of all rows at a time, copied aside: rows lie a power of two apart.
constexpr std::int64_t strip = 64;

void gather_strip(const float* in, const Place* places, float* out, std::int64_t column) {
  std::vector<float> aside(static_cast<std::size_t>(n * strip));
  for (std::int64_t i = 0; i < n; ++i)
    copy_run(aside.data() + i * strip, in + i * n + column, strip);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < strip; ++j)
      out[i * n + column + j] =
          aside[static_cast<std::size_t>(places[i * n + column + j] * strip + j)];
}

void scatter_strip(const float* data, const Place* places, const float* updates, float* out,
                   std::int64_t column) {
  std::vector<float> aside(static_cast<std::size_t>(n * strip));
  for (std::int64_t i = 0; i < n; ++i)
    copy_run(aside.data() + i * strip, data + i * n + column, strip);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < strip; ++j)
      aside[static_cast<std::size_t>(places[i * n + column + j] * strip + j)] =
          updates[i * n + column + j];
  for (std::int64_t i = 0; i < n; ++i)
    copy_run(out + i * n + column, aside.data() + i * strip, strip);
}

void tril_row(const float* in, float* out, std::int64_t i) {
  copy_run(out + i * triangle, in + i * triangle, i + 1);
  std::fill(out + i * triangle + i + 1, out + (i + 1) * triangle, 0.0f);
}

void triu_row(const float* in, float* out, std::int64_t i) {
  std::fill(out + i * triangle, out + i * triangle + i, 0.0f);
  copy_run(out + i * triangle + i, in + i * triangle + i, triangle - i);
}

void diagonal_of(const float* in, float* out, std::int64_t b) {
  for (std::int64_t i = 0; i < batch; ++i) out[b * batch + i] = in[(b * batch + i) * batch + i];
}

/// out[2 i] and out[2 i + 1] are half of it apart; both halves are read in order.
void weave_halves(const float* in, float* out, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    out[2 * i] = in[(i - long_shift) & (long_count - 1)];
    out[2 * i + 1] = in[(i + long_count / 2 - long_shift) & (long_count - 1)];
  }
}

/// body(in, out, i) for each i of `count`, on two threads.
template <class T, class Body>
Rival each(const char* workload, std::int64_t count, const Body& body) {
  return by_hand<T>(workload, tuned, [=](const T* in, T* out) {
    in_parallel(count, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) body(in, out, i);
    });
  });
}

/// The same with places, the second input.
template <class Body>
Rival each_placed(const char* workload, std::int64_t count, const Body& body) {
  return {workload, tuned, [=](const Inputs& in, std::byte* out) {
            return [=, &in, to = reinterpret_cast<float*>(out)] {
              in_parallel(count, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i)
                  body(in[0].data<float>(), in[1].data<Place>(), in, to, i);
              });
            };
          }};
}

}  // namespace

std::vector<Rival> untuned_loops() {
  const auto columns = [](const float* in, const Place* places, const Inputs&, float* out,
                          std::int64_t i) {
    for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = in[i * n + places[j]];
  };
  const auto gather = [](const float* in, const Place* places, const Inputs&, float* out,
                         std::int64_t s) { gather_strip(in, places, out, s * strip); };
  const auto scatter = [](const float* in, const Place* places, const Inputs& all, float* out,
                          std::int64_t s) {
    scatter_strip(in, places, all[2].data<float>(), out, s * strip);
  };
  const auto choose = [](const Inputs& in, std::byte* out) -> std::function<void()> {
    return [x = in[0].data<double>(), y = in[1].data<double>(),
            mask = reinterpret_cast<const std::uint8_t*>(in[2].data<bool>()),
            to = reinterpret_cast<double*>(out)] {
      in_parallel(triangle * n, [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) to[i] = mask[i] ? x[i] : y[i];
      });
    };
  };
  return {
      each<std::uint8_t>("U.crop", pictures * cut_height, crop_row),
      each<float>("U.reflect", planes * padded, reflect_row),
      stacked<3, std::uint8_t>("U.stack3", plane_height * plane_width),
      stacked<8, float>("U.stack8", field * field),
      each_placed("U.columns", n, columns),
      each_placed("U.gather", n / strip, gather),
      each_placed("U.scatter", n / strip, scatter),
      {"U.where", tuned, choose},
      each<float>("U.tril", triangle, tril_row),
      each<float>("U.triu", triangle, triu_row),
      each<float>("U.diagonal", batch, diagonal_of),
      by_hand<float>("U.halves", tuned,
                     [](const float* in, float* out) {
                       in_parallel(long_count / 2, [=](std::int64_t begin, std::int64_t end) {
                         weave_halves(in, out, begin, end);
                       });
                     }),
      by_hand<float>(
          "U.roll64", tuned,
          [](const float* in, float* out) { roll_row(out, in, count_64k, short_shift); }),
      by_hand<float>(
          "U.roll256", tuned,
          [](const float* in, float* out) { roll_row(out, in, count_256k, short_shift); }),
  };
}

}  // namespace weft::bench
