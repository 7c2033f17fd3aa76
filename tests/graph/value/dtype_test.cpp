// SPDX-License-Identifier: Apache-2.0
// Element types with a description.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <weft/io/program_json.h>
#include <weft/weft.h>

using namespace weft;

TEST_CASE("descriptions are compared as text, whoever made them") {
  const std::string text = "days since 1970";
  const DType date = described(8, text), same = described(8, std::string(text));
  CHECK(date == same);
  CHECK(date != described(8, "days since 2000"));
  CHECK(date != described(4, text));
  CHECK(date != opaque(8));
  CHECK(date.kind() == DType::Kind::opaque);
  CHECK(date.size() == 8);
  CHECK(date.description() == text);
  CHECK(date.name() == "struct of 8 bytes (days since 1970)");
  CHECK(f32.description().empty());
  CHECK(opaque(8).description().empty());
}

TEST_CASE("a type is as cheap to copy as two numbers") {
  CHECK(sizeof(DType) == 8);
  CHECK(std::is_trivially_copyable_v<DType>);
}

TEST_CASE("threads that describe the same have the same type") {
  std::vector<std::thread> threads;
  std::vector<std::vector<DType>> made(8);
  for (std::vector<DType>& own : made)
    threads.emplace_back([&own] {
      for (int i = 0; i < 500; ++i) own.push_back(described(4, "text " + std::to_string(i)));
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<DType>& own : made) CHECK(own == made[0]);
}

TEST_CASE("movement keeps a description, and joins nothing of another") {
  const DType point = described(12, "x f32, y f32, z f32");
  const Tensor x = iota<float>({4, 15}).view_as(point);
  CHECK(x.shape() == Shape{4, 5});
  const Tensor y = x.transpose().roll(1, 0).tile({2, 1});
  CHECK(y.dtype() == point);
  CHECK(concat({x, x}).dtype() == point);
  CHECK(y.eval().view_as(f32).shape() == Shape{10, 12});
  CHECK_THROWS_WITH_AS(concat({x, x.view_as(opaque(12))}),
                       doctest::Contains("struct of 12 bytes (x f32, y f32, z f32)"), DtypeError);
  CHECK(graph_text(y).find("struct of 12 bytes (x f32, y f32, z f32) [10, 4]") !=
        std::string::npos);
}

TEST_CASE("plans are not shared between types that only their descriptions tell apart") {
  const Tensor x = iota<std::int64_t>({3, 4});
  PlanCache cache(4);
  for (const char* const text : {"a", "b", "a"})
    static_cast<void>(x.view_as(described(8, text)).transpose().eval({.plans = &cache}));
  CHECK(cache.hits() == 1);
}

TEST_CASE("descriptions are saved with programs, and read back") {
  const DType date = described(8, "a \"date\"\n");
  const Program program({placeholder(date, {"n", 3})}, [&](const Tensor& x) {
    return std::vector<Tensor>{x.flip(0), x.view_as(i64), x.view_as(described(24, "three"))};
  });
  const Program loaded = program_from_json(to_json(program));
  CHECK(to_json(loaded) == to_json(program));
  const Tensor x = iota<std::int64_t>({2, 3}).view_as(date);
  CHECK(loaded(x)[0].dtype() == date);
  CHECK(loaded(x)[2].dtype() == described(24, "three"));
  CHECK_THROWS_AS(loaded(iota<std::int64_t>({2, 3})), DtypeError);
}

TEST_CASE("a description has 1 to 4096 bytes") {
  CHECK_NOTHROW(described(1, std::string(4096, 'a')));
  CHECK_THROWS_AS(described(1, std::string(4097, 'a')), DtypeError);
  CHECK_THROWS_AS(described(1, ""), DtypeError);
  CHECK_THROWS_AS(described(0, "nothing"), DtypeError);
  CHECK(parse_dtype(described(3, "a (b) bytes").name()) == described(3, "a (b) bytes"));
  CHECK_FALSE(parse_dtype("struct of 3 bytes ()"));
  CHECK_FALSE(parse_dtype("struct of 3 bytes a"));
}
