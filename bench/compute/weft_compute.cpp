// SPDX-License-Identifier: Apache-2.0
// What programs cost beside a copy of as many bytes by two threads, beside loops by hand, and
// beside expressions of Eigen by one thread and by two, in turn in one process:
//
//   weft_compute [ROW [ROUNDS]]
//
// A row that begins so, or all. Times are medians; a ratio is that of a round, with its middle
// half. Fails where a rival makes other values.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/weft.h>

#include "compute/by_eigen.h"
#include "compute/by_hand.h"
#include "compute/product_rivals.h"
#include "measure.h"

namespace weft::bench {
namespace {

struct Asked {
  std::string row;
  std::size_t rounds = 21;
};

/// Results go into memory that is used again.
class Out {
 public:
  explicit Out(std::int64_t bytes) : memory_(allocate(bytes)), bytes_(bytes) {
    std::memset(memory_.get(), 0, static_cast<std::size_t>(bytes));
  }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(memory_.get());
  }
  void eval(const Tensor& tensor) const { eval_into(tensor, memory_.get(), bytes_); }
  void eval(Tensor&& tensor) const { eval_into(std::move(tensor), memory_.get(), bytes_); }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<std::byte> memory_;
  std::int64_t bytes_;
};

using Work = std::function<void()>;

struct Rivals {
  std::vector<Work> loops{};  ///< by hand, the best of which counts
  std::vector<Work> eigen{};  ///< by one thread, and by two
};

class Table {
 public:
  explicit Table(Asked asked) : asked_(std::move(asked)) {
    std::printf("%-34s %12s %24s %24s %24s %24s\n", "", "ours", "over a copy", "over the loops",
                "over Eigen", "over Eigen by two");
  }

  /// `traffic` is what is read and written, in bytes.
  void add(const std::string& row, std::int64_t traffic, const Work& ours,
           const Rivals& rivals = {}) const {
    if (!asks(row)) return;
    const auto copy = std::make_shared<CopyBaseline>(traffic / 2);
    const Timed own(ours), copied([copy] { copy->run(); });
    std::vector<Timed> others;
    for (const Work& loop : rivals.loops) others.emplace_back(loop);
    for (const Work& expression : rivals.eigen) others.emplace_back(expression);
    Times times, copies;
    std::vector<Times> of(others.size());
    for (std::size_t round = 0; round < asked_.rounds; ++round) {
      times.push_back(own.sample());
      copies.push_back(copied.sample());
      for (std::size_t k = 0; k < others.size(); ++k) of[k].push_back(others[k].sample());
    }
    std::printf("%-34s %9.3f us %s", row.c_str(), 1e6 * quantile(times, 0.5),
                ratio(times, copies).c_str());
    const auto loops = of.begin() + static_cast<std::ptrdiff_t>(rivals.loops.size());
    const auto best = std::min_element(of.begin(), loops, [](const Times& a, const Times& b) {
      return quantile(a, 0.5) < quantile(b, 0.5);
    });
    if (best != loops) std::printf(" %s", ratio(times, *best).c_str());
    else if (!rivals.eigen.empty()) std::printf(" %24s", "-");
    for (auto eigen = loops; eigen != of.end(); ++eigen)
      std::printf(" %s", ratio(times, *eigen).c_str());
    std::printf("\n");
    std::fflush(stdout);
  }
  bool asks(const std::string& row) const { return row.starts_with(asked_.row); }

 private:
  using Times = std::vector<double>;

  std::string ratio(const Times& ours, const Times& others) const {
    Times ratios;
    for (std::size_t k = 0; k < ours.size(); ++k) ratios.push_back(ours[k] / others[k]);
    char text[64];
    std::snprintf(text, sizeof text, "%7.2f [%5.2f, %5.2f]", quantile(ratios, 0.5),
                  quantile(ratios, 0.25), quantile(ratios, 0.75));
    return text;
  }

  Asked asked_;
};

Tensor floats(const Shape& shape) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
  std::uint32_t state = 12345;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 4194304.0f - 2.0f;
  }
  return from_vector(values, shape);
}
Tensor bytes(const Shape& shape) {
  return floats(shape).add(2.0f).multiply(63.9f).astype(u8).eval();
}

/// Work of a rival in two ways, each of which has to make what `made` is, but for its last bits.
template <class Expression>
std::vector<Work> both_ways(const Tensor& made, const Out& out, const Expression& expression) {
  const Out own(made.bytes());
  own.eval(made);
  const auto value_in = [&](const Out& memory) {
    return borrow(memory.as<std::byte>(), made.dtype(), made.shape()).astype(f32);
  };
  const Tensor ours = value_in(own), bound = ours.abs() * (made.dtype() == bf16 ? 0x1p-7f : 1e-5f);
  for (const bool other_way : {false, true}) {
    std::memset(out.as<std::byte>(), 0, static_cast<std::size_t>(out.bytes()));
    expression(other_way);
    const Tensor is_near = (ours - value_in(out)).abs() <= bound + 1e-5f;
    const std::vector<bool> all = is_near.to_vector<bool>();
    if (std::find(all.begin(), all.end(), false) == all.end()) continue;
    std::printf("a rival makes other values\n");
    std::exit(1);
  }
  return {[expression] { expression(false); }, [expression] { expression(true); }};
}

constexpr std::int64_t mib = 1024 * 1024;

void images(const Table& table) {
  if (!table.asks("a")) return;
  const Tensor batch = bytes({16, 1080, 1920, 3});
  const Tensor scale = from_vector(std::vector<float>{0.017f, 0.0175f, 0.0174f}, {3, 1, 1});
  const Tensor shift = from_vector(std::vector<float>{-2.1f, -2.0f, -1.8f}, {3, 1, 1});
  const Tensor cut =
      batch.slice({0, 28, 64, 0}, {16, 1052, 1856, 3}).flip(2).transpose({0, 3, 1, 2});
  for (const DType type : {f32, bf16}) {
    const Tensor made = (cut.astype(f32) * scale + shift).astype(type);
    const Out out(made.bytes()), other(made.bytes());
    const auto by_hand = [&](bool streams) {
      planes_by_hand(batch.data<std::uint8_t>(), scale.data<float>(), shift.data<float>(),
                     other.as<float>(), streams);
    };
    Rivals rivals;
    if (type == f32) rivals.loops = both_ways(made, other, by_hand);
    table.add(
        "a u8 image to " + type.name() + " planes", cut.size() + made.bytes(),
        [&] { out.eval(made); }, rivals);
  }
}

void multiply_add(const Table& table) {
  if (!table.asks("b")) return;
  const Tensor a = floats({4096, 4096}), b = floats({4096, 4096}), c = floats({4096, 4096});
  const Out out(64 * mib), other(64 * mib);
  const auto by_hand = [&](bool streams) {
    multiply_add_by_hand(a.data<float>(), b.data<float>(), c.data<float>(), other.as<float>(),
                         a.size(), streams);
  };
  const Tensor plain = a * b + c, turned = a * b.transpose() + c, rolled = a * b.roll(5, 1) + c;
  const auto eigen = [&](const Tensor& made, const auto& function) {
    return both_ways(made, other, [&, function](bool in_two) {
      function(a.data<float>(), b.data<float>(), c.data<float>(), other.as<float>(), a.extent(0),
               in_two);
    });
  };
  table.add("b a * b + c", 256 * mib, [&] { out.eval(plain); },
            {both_ways(plain, other, by_hand), eigen(plain, multiply_add_by_eigen)});
  table.add("b of b transposed", 256 * mib, [&] { out.eval(turned); },
            {{}, eigen(turned, multiply_add_turned_by_eigen)});
  table.add("b of b rolled", 256 * mib, [&] { out.eval(rolled); },
            {{}, eigen(rolled, multiply_add_rolled_by_eigen)});
}

void functions(const Table& table) {
  if (!table.asks("c")) return;
  const Tensor x = floats({4096, 4096});
  const Out out(64 * mib), other(64 * mib);
  const Tensor named = x.gelu_tanh();
  const Tensor spelled = 0.5f * x * (1.0f + (0.7978845608f * (x + 0.044715f * x * x * x)).tanh());
  const auto by_hand = [&](bool streams) {
    gelu_by_hand(x.data<float>(), other.as<float>(), x.size(), streams);
  };
  const Rivals rivals{both_ways(named, other, by_hand), both_ways(named, other, [&](bool in_two) {
                        gelu_by_eigen(x.data<float>(), other.as<float>(), x.size(), in_two);
                      })};
  table.add(
      "c gelu, tanh form, by name", 128 * mib, [&] { out.eval(named); }, rivals);
  table.add(
      "c the same spelled out", 128 * mib, [&] { out.eval(spelled); }, rivals);
}

void rows(const Table& table) {
  const Out out(64 * mib);
  if (table.asks("d")) {
    const Tensor x = floats({4096, 4096}), made = x.softmax();
    table.add("d softmax [4096, 4096]", 128 * mib, [&] { out.eval(made); });
  }
  if (table.asks("e")) {
    const Tensor x = floats({8192, 768}), scale = floats({768}), bias = floats({768});
    const Tensor made = x.layer_norm(scale, bias);
    const Out own(made.bytes());
    table.add("e layer_norm [8192, 768]", 2 * x.bytes(), [&] { own.eval(made); });
  }
  if (table.asks("j")) {
    const Tensor x = floats({2048, 4096}), scale = floats({4096});
    const Tensor cosines = floats({2048, 1, 128}), sines = floats({2048, 1, 128});
    const Tensor own = x.rms_norm(scale).reshape({2048, 32, 128});
    const Tensor turned = concat({-own.narrow(-1, 64, 64), own.narrow(-1, 0, 64)}, -1);
    const Tensor made = own * cosines + turned * sines;
    const Out to(made.bytes());
    table.add("j rms_norm and rope [2048, 32, 128]", 2 * x.bytes(), [&] { to.eval(made); });
  }
}

/// What is read, and a little that is written.
void sums(const Table& table) {
  if (!table.asks("f")) return;
  const Tensor x = floats({4096, 4096});
  const auto add = [&](const std::string& row, const Tensor& made) {
    const Out out(made.bytes());
    table.add(row, x.bytes() + made.bytes(), [&] { out.eval(made); });
  };
  add("f sum of axis 0", x.sum(0));
  add("f sum of axis 1", x.sum(1));
  add("f sum of all", x.sum());
  add("f of axis 0, transposed", x.transpose().sum(0));
  add("f of axis 1, transposed", x.transpose().sum(1));
  add("f of axis 0, rolled by 5 along 1", x.roll(5, 1).sum(0));
  add("f of axis 1, rolled by 5 along 1", x.roll(5, 1).sum(1));
  add("f of all, rolled by 5 along 1", x.roll(5, 1).sum());
  add("f of axis 1, of squares", (x * x).sum(1));
  add("f of axis 0, of squares", (x * x).sum(0));
  add("f of all, of squares", (x * x).sum());
  add("f max of axis 1", x.max(1));
  add("f argmax of axis 1", x.argmax(1));
}

void halves(const Table& table) {
  if (!table.asks("g")) return;
  const Tensor a = floats({16 * mib}).astype(bf16).eval(),
               b = floats({16 * mib}).astype(bf16).eval();
  const Tensor sum = a + b;
  const Out out(32 * mib), other(32 * mib);
  const auto* const x = reinterpret_cast<const std::uint16_t*>(a.data<bfloat16_t>());
  const auto* const y = reinterpret_cast<const std::uint16_t*>(b.data<bfloat16_t>());
  auto* const to = other.as<std::uint16_t>();
  const auto by_hand = [&](bool streams) { add_bf16_by_hand(x, y, to, a.size(), streams); };
  const auto eigen = [&](bool in_two) { add_bf16_by_eigen(x, y, to, a.size(), in_two); };
  table.add("g bf16 + bf16", 96 * mib, [&] { out.eval(sum); },
            {both_ways(sum, other, by_hand), both_ways(sum, other, eigen)});
}

void chain(const Table& table) {
  if (!table.asks("h")) return;
  const auto sixteen = [](const Tensor& x) {
    Tensor t = (x * 1.5f + 0.25f).abs().sqrt() - 0.5f;
    t = (t * x).maximum(-1.0f) + x;
    t = -(t.minimum(6.0f) * 0.75f + 1.0f);
    return ((t * t + 0.125f) * x).maximum(0.0f);
  };
  for (const std::int64_t count : {std::int64_t{4096}, 16 * mib}) {
    const Tensor x = floats({count}), made = sixteen(x);
    const Out out(4 * count), other(4 * count);
    const auto by_hand = [&](bool streams) {
      chain_by_hand(x.data<float>(), other.as<float>(), count, streams);
    };
    const auto eigen = [&](bool in_two) {
      chain_by_eigen(x.data<float>(), other.as<float>(), count, in_two);
    };
    table.add("h 16 ops, " + std::to_string(count) + " f32", 8 * count, [&] { out.eval(made); },
              {both_ways(made, other, by_hand), both_ways(made, other, eigen)});
  }
}

void small(const Table& table) {
  if (!table.asks("i")) return;
  for (const Shape& shape : {Shape{2, 3, 4}, Shape{64, 64}}) {
    const Tensor x = floats(shape), y = floats(shape), z = floats({shape[shape.size() - 1]});
    const auto six = [&] { return (((x + y) * z + y) * x + z) * y; };
    const Out out(x.bytes()), other(x.bytes());
    const Tensor kept = six();
    const auto by_hand = [&](bool) {
      six_by_hand(x.data<float>(), y.data<float>(), z.data<float>(), other.as<float>());
    };
    Rivals rivals;
    if (shape[0] == 64) rivals.loops = both_ways(kept, other, by_hand);
    table.add(
        "i 6 ops on " + to_string(shape) + ", kept", 4 * x.bytes(), [&] { out.eval(kept); },
        rivals);
    table.add("i the same built anew", 4 * x.bytes(), [&] { out.eval(six()); });
  }
}

void averages(const Table& table) {
  if (!table.asks("k")) return;
  const Tensor a = bytes({95 * mib}), b = bytes({95 * mib});
  const Tensor made = ((a.astype(u16) + b.astype(u16)) >> 1).astype(u8).clip(16, 235);
  const Out out(95 * mib), other(95 * mib);
  const auto by_hand = [&](bool streams) {
    average_by_hand(a.data<std::uint8_t>(), b.data<std::uint8_t>(), other.as<std::uint8_t>(),
                    a.size(), streams);
  };
  table.add("k u8 average, clipped", 3 * 95 * mib, [&] { out.eval(made); },
            {.loops = both_ways(made, other, by_hand)});
}

/// Two results of the same operands at once; in place of a loop, one after the other.
void results(const Table& table) {
  if (!table.asks("l")) return;
  const Tensor a = floats({16 * mib}).eval(), b = floats({16 * mib}).roll(5, 0).eval();
  const auto add = [&](const std::string& row, auto second) {
    const std::vector<Tensor> open{placeholder(f32, {"n"}), placeholder(f32, {"n"})};
    const Tensor first = open[0] + open[1], other = second(open[0], open[1]);
    const Program both(open, {first, other}), one(open, {first}), two(open, {other});
    const Out x(64 * mib), y(a.size() * other.dtype().size());
    const Destination to_x(x.as<std::byte>(), x.bytes()), to_y(y.as<std::byte>(), y.bytes());
    table.add(row, 128 * mib + x.bytes() + y.bytes(),
              [&] {
                both.run_into({a, b}, {to_x, to_y});
              },
              {.loops = {[&] {
                 one.run_into({a, b}, {to_x});
                 two.run_into({a, b}, {to_y});
               }}});
  };
  add("l a + b and a - b, 64 MiB each", [](const Tensor& x, const Tensor& y) { return x - y; });
  add("l a + b and a < b", [](const Tensor& x, const Tensor& y) { return x < y; });
}

/// In place of a loop each of the libraries, and under its own name.
void products(const Table& table) {
  if (!table.asks("m")) return;
  for (const std::int64_t n : {256, 1024, 2048, 4096})
    for (const bool is_turned : {false, true}) {
      const Tensor a = floats({n, n}), b = floats({n, n});
      const Tensor made = matmul(a, is_turned ? b.transpose() : b);
      const Out out(made.bytes()), other(made.bytes());
      for (const ProductRival& rival : product_rivals())
        table.add("m " + std::to_string(n) + (is_turned ? " turned" : "") + ", " + rival.name,
                  3 * made.bytes(), [&] { out.eval(made); },
                  {.loops = {[&] {
                     rival.multiply(a.data<float>(), b.data<float>(), other.as<float>(), n, n, n,
                                    is_turned);
                   }}});
      if (product_rivals().empty())
        table.add("m " + std::to_string(n) + (is_turned ? " turned" : ""), 3 * made.bytes(),
                  [&] { out.eval(made); });
    }
  const Tensor a = floats({512, 64, 64}), b = floats({512, 64, 64}), made = matmul(a, b);
  const Out out(made.bytes());
  table.add("m 512 of 64", 3 * made.bytes(), [&] { out.eval(made); });
  const Tensor matrix = floats({4096, 4096}), vector = floats({4096});
  const Tensor row = matmul(matrix, vector), column = matmul(vector, matrix);
  const Out line(row.bytes());
  table.add("m a matrix and a vector", 64 * mib, [&] { line.eval(row); });
  table.add("m a vector and a matrix", 64 * mib, [&] { line.eval(column); });
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;
  Asked asked;
  if (argc > 1) asked.row = argv[1];
  if (argc > 2) asked.rounds = std::strtoul(argv[2], nullptr, 10);
  const Table table(asked);
  for (const auto& rows : {images, multiply_add, functions, rows, sums, halves, chain, small,
                           averages, results, products})
    rows(table);
}
