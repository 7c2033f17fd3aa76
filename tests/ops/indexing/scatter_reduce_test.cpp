// SPDX-License-Identifier: Apache-2.0
// Scatters that combine, beside plain loops, for every type, op, reduction and number of threads.
#include <algorithm>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "ops/expect.h"
#include "ops/gradient/differences.h"

using namespace weft;
using namespace weft::testing;

namespace {

const std::vector<std::string> reductions{"add", "multiply", "minimum", "maximum"};

/// Two elements as numbers of type T are, without what weft says of them.
template <class T>
T combined(const std::string& reduction, T x, T y) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return reduction == "add" ? x + y : x * y;
  } else {
    // Products of small whole numbers are exact in double, or wrap as they do in 64 bits.
    const auto wrapped = [](double wide) {
      if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::int64_t>(wide));
      else return T(static_cast<float>(wide));
    };
    const double a = static_cast<double>(x), b = static_cast<double>(y);
    if (reduction == "add") return wrapped(a + b);
    if (reduction == "multiply") return wrapped(a * b);
    if (reduction == "minimum") return a < b ? x : y;
    return a > b ? x : y;
  }
}

template <class T>
std::vector<T> drawn(std::size_t count, Random& random) {
  std::vector<T> values(count);
  for (T& value : values) value = T(static_cast<float>(random.in(0, 3)));
  return values;
}

/// Where each update goes, told one by one: which element of data, for each of updates.
using Targets = std::vector<std::size_t>;

template <class T>
void check(const std::string& reduction, const Shape& data_shape, const Shape& update_shape,
           const Targets& targets, Random& random,
           const std::function<Tensor(Tensor, const Tensor&)>& scatter) {
  std::vector<T> data = drawn<T>(static_cast<std::size_t>(element_count(data_shape)), random);
  const std::vector<T> updates = drawn<T>(targets.size(), random);
  const Tensor x = from_vector(data, data_shape), u = from_vector(updates, update_shape);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    T own = data[targets[k]], other = updates[k];
    data[targets[k]] = combined<T>(reduction, own, other);
  }
  const Tensor made = scatter(x, u);
  CAPTURE(graph_text(made));
  expect(made, data_shape, data);
  for (const int threads : {1, 2, 3, 8}) {
    EvalOptions options;
    options.threads = threads;
    const Tensor again = scatter(x.flip().flip(), u.transpose().transpose()).eval(options);
    CHECK(again.to_vector<T>() == data);
  }
  // Given up, and written over.
  const Tensor over = scatter(x.add(zeros_like(x)).eval(), u).eval();
  CHECK(over.to_vector<T>() == data);
}

template <class T>
void check_ops(const std::string& reduction, Random& random) {
  const std::int64_t rows = random.in(1, 6), columns = random.in(1, 5), count = random.in(0, 9);
  const std::size_t wide = static_cast<std::size_t>(columns);
  std::vector<std::int64_t> list(static_cast<std::size_t>(count));
  for (std::int64_t& each : list) each = random.in(-rows, rows - 1);
  const auto row = [&](std::size_t k) {
    return static_cast<std::size_t>(list[k] < 0 ? list[k] + rows : list[k]);
  };
  const Tensor index = from_vector(list, {count}).astype(random.one_in(2) ? i64 : i32).eval();
  Targets rows_of, columns_of;
  for (std::size_t k = 0; k < list.size(); ++k)
    for (std::size_t j = 0; j < wide; ++j) rows_of.push_back(row(k) * wide + j);
  for (std::size_t j = 0; j < wide; ++j)
    for (std::size_t k = 0; k < list.size(); ++k)
      columns_of.push_back(j * static_cast<std::size_t>(rows) + row(k));
  check<T>(
      reduction, {rows, columns}, {count, columns}, rows_of, random,
      [&](Tensor x, const Tensor& u) { return index_put(std::move(x), index, u, 0, reduction); });
  check<T>(reduction, {columns, rows}, {columns, count}, columns_of, random,
           [&](Tensor x, const Tensor& u) { return x.index_put(index, u, -1, reduction); });
  check<T>(reduction, {rows, columns}, {count, columns}, rows_of, random,
           [&](const Tensor& x, const Tensor& u) {
             return x.scatter_nd(index.reshape({count, 1}), u, reduction);
           });
  check<T>(reduction, {rows, columns}, {count, columns}, rows_of, random,
           [&](const Tensor& x, const Tensor& u) {
             const Tensor each = index.reshape({count, 1}).broadcast_to({count, columns});
             return x.scatter_elements(each, u, 0, reduction);
           });
  check<T>(reduction, {columns, rows}, {columns, count}, columns_of, random,
           [&](const Tensor& x, const Tensor& u) {
             const Tensor each = index.reshape({1, count}).broadcast_to({columns, count});
             return x.scatter_elements(each, u, 1, reduction);
           });
}

}  // namespace

TEST_CASE_TEMPLATE("scatters that combine: as a loop does", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, float16_t, bfloat16_t, float, double, std::complex<float>,
                   std::complex<double>) {
  Random random(7);
  for (const std::string& reduction : reductions) {
    const bool is_ordered = reduction == "minimum" || reduction == "maximum";
    if (sizeof(T) > 4 && dtype_of<T>.kind() >= DType::Kind::c64 && is_ordered) continue;
    for (int round = 0; round < 4; ++round) check_ops<T>(reduction, random);
  }
}

TEST_CASE("scatters that combine: many updates in parts, the same bits for any number of threads") {
  Random random(8);
  const std::int64_t rows = 1000, count = 30000, columns = 7;
  std::vector<std::int64_t> list(static_cast<std::size_t>(count));
  for (std::int64_t& each : list) each = random.in(0, rows - 1);
  std::vector<float> updates(static_cast<std::size_t>(count * columns));
  for (float& each : updates) each = static_cast<float>(random.below(1 << 24)) / 4096.f;
  std::vector<float> expected(static_cast<std::size_t>(rows * columns));
  for (std::size_t k = 0; k < list.size(); ++k)
    for (std::size_t j = 0; j < 7; ++j)
      expected[static_cast<std::size_t>(list[k]) * 7 + j] += updates[k * 7 + j];
  const Tensor made =
      zeros({rows, columns}).index_put(list, from_vector(updates, {count, columns}), 0, "add");
  for (const int threads : {1, 2, 5}) {
    EvalOptions options;
    options.threads = threads;
    const Tensor again = made.add(0.f).eval(options);
    CHECK(again.to_vector<float>() == expected);
  }
}

TEST_CASE("scatters that combine: rows without elements") {
  const std::vector<std::int64_t> rows(100, 99);
  const Tensor x = zeros({100, 0}), u = zeros({100, 0});
  CHECK(x.index_put(rows, u, 0, "add").eval().size() == 0);
  CHECK(x.transpose().index_put(rows, u.transpose(), 1, "add").eval().size() == 0);
  CHECK(x.scatter_nd(from_vector(rows, {100, 1}), u, "add").eval().size() == 0);
}

TEST_CASE("scatters that combine: bools are added as or, multiplied as and") {
  const Tensor x = array({0, 0, 1, 1}).astype(bool_), u = array({0, 1, 0, 1}).astype(bool_);
  const auto made = [&](const char* reduction) {
    return x.index_put({0, 1, 2, 3}, u, 0, reduction).astype(i32).to_vector<int>();
  };
  CHECK(made("add") == std::vector<int>{0, 1, 1, 1});
  CHECK(made("maximum") == std::vector<int>{0, 1, 1, 1});
  CHECK(made("multiply") == std::vector<int>{0, 0, 0, 1});
  CHECK(made("minimum") == std::vector<int>{0, 0, 0, 1});
}

TEST_CASE("scatters that combine: any byte but 0 is true") {
  const std::uint8_t data[]{0, 2, 169, 0}, updates[]{3, 0, 215, 0};
  const Tensor x = copy_from(data, bool_, {4}), u = copy_from(updates, bool_, {4});
  const auto expect_made = [&](const char* reduction, const std::vector<std::uint8_t>& expected) {
    const Tensor y = x.index_put({0, 1, 2, 3}, u, 0, reduction);
    CHECK(disagreement(y) == "");
    CHECK(std::memcmp(y.data<bool>(), expected.data(), expected.size()) == 0);
  };
  expect_made("add", {1, 1, 1, 0});
  expect_made("maximum", {1, 1, 1, 0});
  expect_made("multiply", {0, 0, 1, 0});
  expect_made("minimum", {0, 0, 1, 0});
}

TEST_CASE("scatters that combine: a NaN wins, as NumPy's ufuncs have it") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = array({nan, 1.f}), u = array({2.f, nan});
  for (const char* reduction : {"minimum", "maximum"}) {
    const std::vector<float> made = x.index_put({0, 1}, u, 0, reduction).to_vector<float>();
    CHECK((std::isnan(made[0]) && std::isnan(made[1])));
  }
}

TEST_CASE("scatters that combine: in programs, which are saved") {
  const Program program(
      {placeholder(f32, {"n", 2}), placeholder(i64, {"m"}), placeholder(f32, {"m", 2})},
      [](const Tensors& x) { return Tensors{x[0].index_put(x[1], x[2], 0, "add")}; });
  const Tensors in{zeros({3, 2}), array<std::int64_t>({2, 2, 0}), ones({3, 2})};
  CHECK(program.run(in)[0].to_vector<float>() == std::vector<float>{1, 1, 0, 0, 2, 2});
}

TEST_CASE("scatters that combine: what they refuse") {
  const Tensor x = zeros({2}), u = ones({1});
  refuses<ParameterError>(
      "bad_mode",
      "index_put: reduction is \"mean\", expected one of none, add, multiply, minimum, maximum",
      [&] { x.index_put({0}, u, 0, "mean"); });
  refuses<DtypeError>(
      "dtype_mismatch",
      "scatter_nd: data is c64, expected bool or real numbers for reduction minimum", [&] {
        x.astype(c64).scatter_nd(from_vector(std::vector<int>{0}, {1, 1}), u.astype(c64),
                                 "minimum");
      });
}

TEST_CASE(
    "scatters that combine: their gradients, with updates that meet and elements that are 0") {
  Random random(9);
  const auto check_all = [&](const Tensor& data, const Tensor& updates,
                             const std::string& reduction) {
    const Tensor index = array<std::int64_t>({2, 0, 2, 1, 2});
    const Tensor each = index.reshape({5, 1}).broadcast_to({5, 3}).eval();
    CAPTURE(reduction);
    CHECK(flaw_of_gradients(
              [&](const Tensors& all) { return all[0].index_put(index, all[1], 0, reduction); },
              {data, updates}, random) == "");
    CHECK(flaw_of_gradients(
              [&](const Tensors& all) {
                return all[0].transpose().index_put(index, all[1].transpose(), 1, reduction);
              },
              {data, updates}, random) == "");
    CHECK(flaw_of_gradients(
              [&](const Tensors& all) {
                return all[0].scatter_nd(index.reshape({5, 1}), all[1], reduction);
              },
              {data, updates}, random) == "");
    CHECK(
        flaw_of_gradients(
            [&](const Tensors& all) { return all[0].scatter_elements(each, all[1], 0, reduction); },
            {data, updates}, random) == "");
  };
  for (const char* reduction : {"none", "add", "multiply", "minimum", "maximum"})
    check_all(drawn_numbers({4, 3}, random), drawn_numbers({5, 3}, random), reduction);
  const Tensor some = iota<int>({5, 3}).remainder(3).not_equal(0).astype(f64);
  check_all(drawn_numbers({4, 3}, random), drawn_numbers({5, 3}, random).multiply(some).eval(),
            "multiply");
  check_all(zeros({4, 3}, f64).eval(), drawn_numbers({5, 3}, random), "multiply");
}
