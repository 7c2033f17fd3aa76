// The workloads, in the order of their list.
#include "workloads.h"

#include <fmt/format.h>

namespace weft::bench {
namespace {

using Builder = std::function<Tensor()>;

template <class T>
Workload transposed_square(const char* type) {
  return {fmt::format("W2.{}", type), fmt::format("transpose [4096, 4096], {}", type), [] {
            const Tensor x = iota<T>({4096, 4096});
            return Builder([x] { return x.transpose(); });
          }};
}

/// N ops on [512, 512, 16]: rolls at even steps, transposes at odd ones.
Workload chain(int ops) {
  return {fmt::format("W10.{}", ops), fmt::format("[512, 512, 16], {} rolls and transposes", ops),
          [ops] {
            const Tensor x = iota<float>({512, 512, 16});
            return Builder([x, ops] {
              Tensor y = x;
              for (int i = 0; i < ops; ++i)
                y = i % 2 == 0 ? y.roll({3 + i, -5}, {0, 1}) : y.transpose({1, 0, 2});
              return y;
            });
          }};
}

Tensor partitioned(const Tensor& x) {
  return x.roll({-3, -3}, {1, 2})
      .reshape({8, 8, 7, 8, 7, 96})
      .transpose({0, 1, 3, 2, 4, 5})
      .reshape({512, 49, 96});
}

std::vector<Workload> all() {
  std::vector<Workload> list;
  list.push_back({"W1", "roll [4096, 4096] by [1000, -700]", [] {
                    const Tensor x = iota<float>({4096, 4096});
                    return Builder([x] { return x.roll({1000, -700}, {0, 1}); });
                  }});
  list.push_back(transposed_square<std::uint8_t>("u8"));
  list.push_back(transposed_square<std::uint16_t>("u16"));
  list.push_back(transposed_square<float>("f32"));
  list.push_back(transposed_square<double>("f64"));
  list.push_back({"W3", "[32, 64, 112, 112] to (0, 2, 3, 1)", [] {
                    const Tensor x = iota<float>({32, 64, 112, 112});
                    return Builder([x] { return x.transpose({0, 2, 3, 1}); });
                  }});
  list.push_back({"W5", "tile [1024, 1024] by [4, 4]", [] {
                    const Tensor x = iota<float>({1024, 1024});
                    return Builder([x] { return x.tile({4, 4}); });
                  }});
  list.push_back({"W5b", "tile [64, 3] by [4096, 1]", [] {
                    const Tensor x = iota<float>({64, 3});
                    return Builder([x] { return x.tile({4096, 1}); });
                  }});
  list.push_back({"W5c", "tile [3] by [2^24]", [] {
                    const Tensor x = iota<float>({3});
                    return Builder([x] { return x.tile({1 << 24}); });
                  }});
  list.push_back({"W6", "slice_scatter [4096, 4096], every second of both axes", [] {
                    const Tensor data = iota<float>({4096, 4096});
                    const Tensor updates = iota<float>({2048, 2048}, 1 << 24);
                    return Builder([data, updates] {
                      return data.slice_scatter(updates, {0, 0}, {4096, 4096}, {2, 2});
                    });
                  }});
  list.push_back({"W6b", "slice_scatter [4096, 4096], whole, both axes backwards", [] {
                    const Tensor data = iota<float>({4096, 4096});
                    const Tensor updates = iota<float>({4096, 4096}, 1 << 24);
                    return Builder([data, updates] {
                      return data.slice_scatter(updates, {-1, -1}, {-4097, -4097}, {-1, -1});
                    });
                  }});
  list.push_back({"W7", "KV cache: one step of [8, 32, 4096, 128] of 2 bytes replaced", [] {
                    const Tensor cache = iota<std::uint16_t>({8, 32, 4096, 128});
                    const Tensor step = iota<std::uint16_t>({8, 32, 1, 128}, 7);
                    return Builder([cache, step] {
                      return cache.slice_scatter(step, {777}, {778}, {1}, {2});
                    });
                  }});
  list.push_back({"W8", "Swin window partition of [8, 56, 56, 96], rolled", [] {
                    const Tensor x = iota<float>({8, 56, 56, 96});
                    return Builder([x] { return partitioned(x); });
                  }});
  list.push_back({"W8i", "and back", [] {
                    const Tensor windows = iota<float>({512, 49, 96});
                    return Builder([windows] {
                      return windows.reshape({8, 8, 8, 7, 7, 96})
                          .transpose({0, 1, 3, 2, 4, 5})
                          .reshape({8, 56, 56, 96})
                          .roll({3, 3}, {1, 2});
                    });
                  }});
  list.push_back({"W9", "six ops on [64, 256, 1024]", [] {
                    const Tensor x = iota<float>({64, 256, 1024});
                    const Tensor updates = iota<float>({64, 256, 1024}, 1 << 23);
                    return Builder([x, updates] {
                      return x.transpose({2, 0, 1})
                          .roll(5, 0)
                          .tile({1, 2, 1})
                          .roll(-3, 1)
                          .transpose({1, 2, 0})
                          .slice_scatter(updates, {0}, {128}, {2}, {0});
                    });
                  }});
  for (const int ops : {1, 4, 8, 16, 32, 64, 2, 6, 66}) list.push_back(chain(ops));
  list.push_back({"W11", "roll 7 and back on [4096, 4096], transposed twice",
                  [] {
                    const Tensor x = iota<float>({4096, 4096});
                    return Builder(
                        [x] { return x.roll(7, 1).roll(-7, 1).transpose().transpose(); });
                  },
                  true});
  list.push_back({"W13", "four ops on [2, 3, 4], built, planned and evaluated",
                  [] {
                    const Tensor x = iota<float>({2, 3, 4});
                    const Tensor updates = iota<float>({4, 2, 3}, 100);
                    return Builder([x, updates] {
                      return x.roll(1, 2).transpose({2, 0, 1}).tile({2, 1, 1}).slice_scatter(
                          updates, {0}, {8}, {2}, {0});
                    });
                  },
                  true});
  return list;
}

}  // namespace

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> list = all();
  return list;
}

}  // namespace weft::bench
