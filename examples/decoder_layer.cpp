// SPDX-License-Identifier: Apache-2.0
// One decoder layer of a small language model, forward: a prompt, then token by token, with keys
// and values kept in place. Fused, as two programs, and op by op.
//
//   decoder_layer [--large] [--out FILE]
//
// FILE gets what all tokens become, f32, which decoder_layer.py compares with NumPy.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weft/weft.h>

using weft::Tensor;

namespace {

struct Sizes {
  std::int64_t model, heads, kept_heads, width, hidden;  // kept_heads: of keys and values
  std::int64_t capacity, prompt, steps;                  // in tokens
};
constexpr Sizes small{256, 8, 2, 32, 704, 64, 24, 8};
constexpr Sizes large{2048, 32, 4, 64, 5632, 512, 128, 32};  // a layer of TinyLlama

/// The same numbers as in decoder_layer.py, evenly from -scale / 2 to scale / 2.
Tensor numbers(std::uint32_t seed, const weft::Shape& shape, float scale) {
  std::vector<float> all(static_cast<std::size_t>(weft::element_count(shape)));
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    std::uint32_t bits = i * 2654435761u + seed * 40503u;
    bits = (bits ^ bits >> 16) * 0x45d9f3bu;
    bits ^= bits >> 16;
    all[i] = (static_cast<float>(bits >> 8) * 0x1p-24f - 0.5f) * scale;
  }
  return weft::from_vector(std::move(all), shape);
}

struct Weights {
  Tensor attention_norm, query, key, value, output, mlp_norm, gate, up, down;
  Tensor cosines, sines;  // [capacity, width], of the angles by which a position turns features

  explicit Weights(const Sizes& s)
      : attention_norm(numbers(1, {s.model}, 1) + 1),
        query(numbers(2, {s.model, s.heads * s.width}, 0.125f)),
        key(numbers(3, {s.model, s.kept_heads * s.width}, 0.125f)),
        value(numbers(4, {s.model, s.kept_heads * s.width}, 0.125f)),
        output(numbers(5, {s.heads * s.width, s.model}, 0.125f)),
        mlp_norm(numbers(6, {s.model}, 1) + 1),
        gate(numbers(7, {s.model, s.hidden}, 0.125f)),
        up(numbers(8, {s.model, s.hidden}, 0.125f)),
        down(numbers(9, {s.hidden, s.model}, 0.0625f)) {
    std::vector<float> cosine, sine;
    for (std::int64_t position = 0; position < s.capacity; ++position)
      for (std::int64_t feature = 0; feature < s.width; ++feature) {
        const auto pair = static_cast<double>(feature % (s.width / 2));
        const double angle = static_cast<double>(position) *
                             std::pow(10000.0, -2 * pair / static_cast<double>(s.width));
        cosine.push_back(static_cast<float>(std::cos(angle)));
        sine.push_back(static_cast<float>(std::sin(angle)));
      }
    cosines = weft::from_vector(std::move(cosine), {s.capacity, s.width});
    sines = weft::from_vector(std::move(sine), {s.capacity, s.width});
    weft::eval(attention_norm, mlp_norm);
  }
};

/// What the layer is called on: tokens, and the keys and values of those before them.
struct Inputs {
  Tensor x;             ///< [tokens, model]
  Tensor positions;     ///< [tokens], one after the other
  Tensor past;          ///< [capacity] with 0, 1, ...
  Tensor keys, values;  ///< [kept_heads, capacity, width], given up
};

/// What the tokens become, and the keys and values with theirs; `each` is told what every op makes.
template <class Each>
std::vector<Tensor> layer(const Sizes& s, const Weights& w, Inputs in, const Each& each) {
  const Tensor cosine = each(w.cosines.take(in.positions, 0)),
               sine = each(w.sines.take(in.positions, 0));
  const auto rotated = [&](const Tensor& x) {
    const Tensor first = each(x.narrow(-1, 0, s.width / 2)),
                 second = each(x.narrow(-1, s.width / 2, s.width / 2));
    const Tensor turned = each(weft::concat({each(-second), first}, -1));
    return each(each(x * cosine) + each(turned * sine));
  };
  const auto of_heads = [&](const Tensor& x, const Tensor& weight) {
    return each(each(matmul(x, weight)).rearrange("t (h d) -> h t d", {{"d", s.width}}));
  };

  const Tensor normal = each(in.x.rms_norm(w.attention_norm));
  const Tensor query = rotated(of_heads(normal, w.query)), key = rotated(of_heads(normal, w.key)),
               value = of_heads(normal, w.value);
  const Tensor begin = in.positions.narrow(0, 0, 1), end = in.positions.narrow(0, -1, 1) + 1;
  const Tensor keys = each(std::move(in.keys).slice_scatter(key, begin, end, {1}, {1}));
  const Tensor values = each(std::move(in.values).slice_scatter(value, begin, end, {1}, {1}));

  // Each kept head is shared by several queries: rows of one matrix.
  const Tensor grouped = each(query.rearrange("(k g) t d -> k g t d", {{"k", s.kept_heads}}));
  const auto shared = [&](const Tensor& x) { return each(x.expand_dims(1)); };
  const Tensor scores = each(matmul(grouped, each(shared(keys).swapaxes(-1, -2)))) /
                        std::sqrt(static_cast<float>(s.width));
  const Tensor is_past = each(in.past <= in.positions.expand_dims(1));
  const Tensor masked = each(where(is_past, scores, -std::numeric_limits<float>::infinity()));
  const Tensor attended = each(matmul(each(masked.softmax(-1)), shared(values)));
  const Tensor together = each(attended.rearrange("k g t d -> t (k g d)"));
  const Tensor x = each(in.x + each(matmul(together, w.output)));

  const Tensor inner = each(x.rms_norm(w.mlp_norm));
  const Tensor gated = each(each(each(matmul(inner, w.gate)).silu()) * each(matmul(inner, w.up)));
  return {each(x + each(matmul(gated, w.down))), keys, values};
}

/// The layer of so many tokens at a time as a program, planned once.
weft::Program program_of(const Sizes& s, const Weights& weights, std::int64_t tokens) {
  const weft::Shape kept{s.kept_heads, s.capacity, s.width};
  return {
      {weft::placeholder(weft::f32, {tokens, s.model}, "x"),
       weft::placeholder(weft::i64, {tokens}, "positions"),
       weft::placeholder(weft::i64, {s.capacity}, "past"),
       weft::placeholder(weft::f32, kept, "keys"), weft::placeholder(weft::f32, kept, "values")},
      [&](const std::vector<Tensor>& in) {
        return layer(s, weights, {in[0], in[1], in[2], in[3], in[4]},
                     [](const Tensor& x) { return x; });
      }};
}

Tensor count_from(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  for (std::int64_t& each : all) each = first++;
  return weft::from_vector(std::move(all), {count});
}

/// A layer with its keys and values, called on some tokens after the other.
class Generation {
 public:
  using Call = std::function<std::vector<Tensor>(Inputs)>;

  Generation(const Sizes& s, Call call) : sizes_(s), call_(std::move(call)) {
    const weft::Shape kept{s.kept_heads, s.capacity, s.width};
    state_ = {weft::zeros(kept).eval(), weft::zeros(kept).eval()};
    memory_ = {state_[0].data<float>(), state_[1].data<float>()};
  }

  /// What the next tokens become; the time is added to `times`.
  Tensor next(const Tensor& x, std::vector<double>& times) {
    const std::int64_t tokens = x.extent(0);
    Inputs in{x, count_from(position_, tokens), past_, std::move(state_[0]), std::move(state_[1])};
    const auto start = std::chrono::steady_clock::now();
    std::vector<Tensor> made = call_(std::move(in));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count());
    position_ += tokens;
    state_ = {std::move(made[1]), std::move(made[2])};
    return std::move(made[0]);
  }
  bool is_in_place() const {
    return state_[0].data<float>() == memory_[0] && state_[1].data<float>() == memory_[1];
  }

 private:
  Sizes sizes_;
  Call call_;
  Tensor past_ = count_from(0, sizes_.capacity);
  std::int64_t position_ = 0;
  std::vector<Tensor> state_;
  std::vector<const float*> memory_;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
  return values[values.size() / 2];
}

struct Times {
  double prompt, token;  // ms
};

/// What the prompt and the tokens after it become, one by one.
std::pair<Tensor, Times> generate(const Sizes& s, Generation& layer, const Tensor& tokens) {
  std::vector<double> prompt, each;
  std::vector<Tensor> made{layer.next(tokens.narrow(0, 0, s.prompt), prompt)};
  for (std::int64_t t = 0; t < s.steps; ++t)
    made.push_back(layer.next(tokens.narrow(0, s.prompt + t, 1), each));
  return {weft::concat(made, 0).eval(), {prompt[0], median(each)}};
}

double largest_difference(const Tensor& a, const Tensor& b) {
  return static_cast<double>((a - b).abs().max().item<float>());
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string_view> words(arguments + 1, arguments + count);
  const bool is_large = std::find(words.begin(), words.end(), "--large") != words.end();
  const auto out = std::find(words.begin(), words.end(), "--out");
  const Sizes& s = is_large ? large : small;
  const Weights weights(s);

  const weft::Program prompt = program_of(s, weights, s.prompt), step = program_of(s, weights, 1);
  const auto by_programs = [&](Inputs in) -> std::vector<Tensor> {
    const weft::Program& program = in.x.extent(0) == 1 ? step : prompt;
    return program(std::move(in.x), std::move(in.positions), std::move(in.past), std::move(in.keys),
                   std::move(in.values));
  };
  const auto by_ops = [&](Inputs in) {
    return layer(s, weights, std::move(in), [](const Tensor& x) { return x.eval(); });
  };

  const Tensor tokens = numbers(10, {s.prompt + s.steps, s.model}, 2).eval();
  Tensor made;
  double difference = 0;
  bool is_in_place = true;
  for (const std::string_view time : {"at first", "again"}) {
    Generation fused(s, by_programs), op_by_op(s, by_ops);
    const auto [one, first_times] = generate(s, fused, tokens);
    const auto [other, second_times] = generate(s, op_by_op, tokens);
    fmt::print("{:<9} a prompt of {} tokens: fused {:.3f} ms, op by op {:.3f} ms\n", time, s.prompt,
               first_times.prompt, second_times.prompt);
    fmt::print("{:<9} a token: fused {:.3f} ms, op by op {:.3f} ms\n", time, first_times.token,
               second_times.token);
    difference = std::max(difference, largest_difference(one, other));
    is_in_place = is_in_place && fused.is_in_place();
    made = one;
  }
  fmt::print("keys and values stay where they began: {}\n", is_in_place ? "yes" : "no");
  fmt::print("largest difference: {:.2g}\n", difference);

  if (out != words.end() && out + 1 != words.end()) {
    std::ofstream file{std::string(out[1]), std::ios::binary};
    file.write(reinterpret_cast<const char*>(made.data<float>()), made.bytes());
    if (!file) return 1;
  }
  return difference < 1e-4 && is_in_place ? 0 : 1;
}
