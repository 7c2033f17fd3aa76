// SPDX-License-Identifier: Apache-2.0
// Programs as JSON: the documented form, round trips, and what is refused, with where.
#include <doctest/doctest.h>
#include <weft/io/program_json.h>
#include <weft/weft.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/recipe.h"

namespace weft::testing {
namespace {

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string documented() {
  const std::string page = contents(WEFT_DOCS "/program-json.md");
  const std::size_t begin = page.find("```json\n") + 8;
  return page.substr(begin, page.find("```", begin) - begin);
}

/// The documented program, made by hand.
Program example() {
  return Program({placeholder(u8, {"batch", 2, Dim(1, 64), -1}, "x"), placeholder(i64, {1}),
                  placeholder(opaque(12), PartialShape::any())},
                 [](const Tensor& x, const Tensor& shift, const Tensor& points) {
                   const Tensor updates = from_vector<std::uint8_t>({7, 255}, {1, 2, 1, 1});
                   return std::vector<Tensor>{
                       x.roll(shift, 0).slice_scatter(updates, {-1}, {UINT64_MAX}, none, {0}),
                       points.transpose()};
                 });
}

std::string complaint(const std::string& text) {
  try {
    program_from_json(text);
  } catch (const FormatError& error) {
    CHECK(error.category() == "bad_format");
    return error.what();
  }
  return "nothing";
}

/// The documented text with one thing changed.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = documented();
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void check_round_trip(const Program& program) {
  const std::string text = to_json(program);
  const Program loaded = program_from_json(text);
  CHECK(loaded == program);
  CHECK(to_json(loaded) == text);
  CHECK(to_string(loaded) == to_string(program));
  for (std::size_t k = 0; k < program.input_count(); ++k)
    CHECK(loaded.recording().inputs[k] == program.recording().inputs[k]);
}

TEST_CASE("the documented program is read, and written as it was") {
  CHECK(to_json(program_from_json(documented())) == documented());
}

TEST_CASE("the documented program is what the same calls make") {
  CHECK(program_from_json(documented()) == example());
  CHECK(to_json(example()) == documented());
}

TEST_CASE("what is special survives the round trip") {
  check_round_trip(example());
  const auto same = [](const Tensor& x) { return x; };
  check_round_trip(Program({placeholder(i32, {}, "\"\\\n\x01 \xc3\xa9/~")}, same));
  check_round_trip(Program({placeholder(bool_, PartialShape::any(), "any")}, same));
  check_round_trip(Program({placeholder(c128, {0, INT64_MAX, Dim(3, 3, "three")})}, same));
  check_round_trip(Program({placeholder(f16, PartialShape::any())}, [](const Tensor& x) {
    return x.roll(INT32_MIN, std::vector<std::int64_t>())
        .flip(std::int8_t{-1})
        .reshape({INT64_MAX, 0});
  }));
  check_round_trip(Program({placeholder(i64, PartialShape::any())}, [](const Tensor& x) {
    return x.tile(array<std::int64_t>({{1, 2}}));  // refused when it runs, for all that is known
  }));
  check_round_trip(Program({}, [](const std::vector<Tensor>&) {
    return std::vector<Tensor>{leaf(opaque(3), {4, 5}), leaf(bf16, {0, 7}), leaf(f64, {})};
  }));
  check_round_trip(Program({placeholder(i64, {2})},
                           [](const std::vector<Tensor>&) { return std::vector<Tensor>(); }));
}

TEST_CASE("a loaded program runs") {
  const Program program = program_from_json(documented());
  const Tensor x = leaf(u8, {3, 2, 1, 1});
  const Tensor points = leaf(opaque(12), {2, 3});
  const auto got = program(x, array<std::int64_t>({3}), points);
  const auto expected = example()(x, array<std::int64_t>({3}), points);
  CHECK(to_string(got[0]) == to_string(expected[0]));
  CHECK(to_string(got[1]) == to_string(points.transpose()));
}

TEST_CASE("programs are saved to files") {
  const std::string path =
      (std::filesystem::temp_directory_path() / "weft_program_json_test.json").string();
  save_program(example(), path);
  CHECK(contents(path) == documented());
  CHECK(load_program(path) == example());
  std::filesystem::remove(path);
  CHECK_THROWS_WITH_AS(load_program(path),
                       ("program: cannot read " + path + ": No such file or directory").c_str(),
                       FileError);
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK_THROWS_WITH_AS(load_program(folder),
                       ("program: cannot read " + folder + ": Is a directory").c_str(), FileError);
  CHECK_THROWS_WITH_AS(
      save_program(example(), path + "/no/folder"),
      ("program: cannot write " + path + "/no/folder: No such file or directory").c_str(),
      FileError);
}

TEST_CASE("names that JSON has no place for are refused") {
  const auto named = [](const std::string& name) {
    return to_json(Program({placeholder(i32, {}, name)}, [](const Tensor& x) { return x; }));
  };
  CHECK_THROWS_WITH_AS(named("\xff"), "program: the name \"\\ufffd\" is no UTF-8", FormatError);
  CHECK_THROWS_WITH_AS(named(std::string(257, 'x')),
                       "program: a name has 257 bytes, at most 256 are allowed", FormatError);
  CHECK(complaint(named(std::string(256, 'x'))) == "nothing");
}

TEST_CASE("what is no JSON is refused by line and byte") {
  CHECK(complaint("").starts_with("program: line 1, byte 1: syntax error"));
  CHECK(complaint("{\n  \"weft\"").starts_with("program: line 2, byte 11: syntax error"));
  CHECK(complaint(documented() + "x").starts_with("program: line 19, byte "));
  CHECK(complaint(changed("\"x\"", "\"\xff\"")).starts_with("program: line 5, byte "));
  CHECK(complaint("[1e999999]") == "program: line 1, byte 9: number overflow");
  CHECK(complaint(std::string(1'000'000, 'x')).size() < 200);
}

TEST_CASE("messages are short, whatever is in the text") {
  CHECK(complaint("{\"weft\": \"program\", \"version\": 1, \"" + std::string(9999, 'x') + "\": 0}")
            .size() < 1000);
  std::string axes = "0";
  for (int k = 0; k < 9999; ++k) axes += ", 0";
  const std::string long_list =
      complaint(changed("\"axes\": {\"i64\": [0]", "\"axes\": {\"i64\": [" + axes + "]"));
  CHECK(long_list.starts_with("program: /calls/1: "));
  CHECK(long_list.size() < 1000);
}

TEST_CASE("deep nesting is refused and costs no stack") {
  const std::string why = ": more than 32 levels of brackets";
  std::string place;
  for (int k = 0; k < 32; ++k) place += "/0";
  CHECK(complaint(std::string(1'000'000, '[')) == "program: " + place + why);
  std::string objects;
  for (int k = 0; k < 300'000; ++k) objects += "{\"\":";
  CHECK(complaint(objects).ends_with(why));
}

TEST_CASE("a chain of any length is read and let go in constant stack") {
  const Tensor x = placeholder(i32, {"n"});
  Tensor y = x;
  for (int k = 0; k < 100'000; ++k) y = y.roll(k, 0);
  const Program chain({x}, std::vector<Tensor>{y});
  CHECK(program_from_json(to_json(chain)) == chain);
}

TEST_CASE("every mistake says where it is") {
  struct Mistake {
    const char *from, *to, *complaint;
  };
  static constexpr Mistake mistakes[] = {
      {"\"program\"", "\"graph\"", "/weft: expected \"program\""},
      {"\"version\": 1", "\"version\": 2", "/version: expected 1, which is all that is known"},
      {"\"version\": 1", "\"version\": \"1\"", "/version: expected an integer"},
      {"\"version\": 1", "\"version\": 1.0", "/version: a number is no integer of 64 bits"},
      {"\"version\": 1,", "\"version\": 1, \"version\": 1,", "/version: the key was given before"},
      {"\"version\": 1,", "", "the document: there is no \"version\""},
      {"\"version\": 1,", "\"version\": 1, \"~a/b\": 0,",
       "/~0a~1b: is not known, expected weft, version, inputs, constants, calls, outputs"},
      {"\"name\": \"x\"", "\"name\": 4", "/inputs/0/name: expected a string"},
      {"\"u8\"", "\"u9\"", "/inputs/0/dtype: there is no such element type"},
      {"\"opaque\": 12", "\"opaque\": 0",
       "/inputs/2/dtype/opaque: opaque: an element has 0 bytes, expected 1 or more"},
      {"\"opaque\": 12", "\"opaque\": 4294967296",
       "/inputs/2/dtype/opaque: 4294967296 is out of range, expected 0 to 4294967295"},
      {"\"low\": 1", "\"low\": 65",
       "/inputs/0/shape/2: dim: bounds 65 to 64 are given, expected 0 <= low <= high"},
      {"\"low\": 1", "\"low\": -1",
       "/inputs/0/shape/2/low: -1 is out of range, expected 0 to 9223372036854775807"},
      {"\"low\": 1", "\"least\": 1",
       "/inputs/0/shape/2/least: is not known, expected low, high, "
       "name"},
      {"\"shape\": [1]", "\"shape\": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]",
       "/inputs/1: placeholder: rank 17, at most 16 is allowed"},
      {"\"shape\": [1]", "\"shape\": 1", "/inputs/1/shape: expected a list"},
      {"[1, 2, 1, 1]", "[1, 2, 1, 1152921504606846976]",
       "/constants/0/bytes: there are 4 hexadecimal digits, expected two for each of "
       "2305843009213693952 bytes"},
      {"[1, 2, 1, 1]", "[1, 8, 1, 1152921504606846976]",
       "/constants/0/shape: constant: a tensor of shape [1, 8, 1, 1152921504606846976] and type u8 "
       "would have more than 2^62 bytes"},
      {"07ff", "07fF", "/constants/0/bytes: byte 1 is not two of 0 to 9 and a to f"},
      {"\"roll\"", "\"rol\"", "/calls/0/op: there is no such op"},
      {"\"operands\": [0]", "\"operands\": [4]",
       "/calls/0/operands/0: value 4 is not among the 4 so far"},
      {"\"operands\": [0]", "\"operands\": []", "/calls/0/operands: roll takes 1, 0 are given"},
      {"\"operands\": [0]", "\"operands\": [0, 0]", "/calls/0/operands: roll takes 1, 2 are given"},
      {"\"shift\": {\"value\": 1}, ", "", "/calls/0/parameters: there is no \"shift\""},
      {"\"shift\": {\"value\": 1}", "\"shift\": 1",
       "/calls/0/parameters/shift: expected an object of one member"},
      {"\"shift\"", "\"shifts\"", "/calls/0/parameters/shifts: is not known, expected shift, axes"},
      {"{\"value\": 1}", "{\"value\": 5}",
       "/calls/0/parameters/shift/value: value 5 is not among the 4 so far"},
      {"{\"value\": 1}", "{\"value\": 3}",
       "/calls/0/parameters/shift/value: a constant is given, expected a literal"},
      {"{\"i32\": 0}", "{\"i32\": 2147483648}",
       "/calls/0/parameters/axes/i32: 2147483648 is out of range, expected -2147483648 to "
       "2147483647"},
      {"{\"i32\": 0}", "{\"f32\": 0}",
       "/calls/0/parameters/axes: expected \"value\" or an integer type"},
      {"\"axes\": {\"i64\": [0]}", "\"axes\": {\"i64\": [4]}",
       "/calls/1: slice_scatter: axis 4 is out of range for rank 4 (shape [batch, 2, 1..64, ?])"},
      {"{\"u64\": [18446744073709551615]}", "{\"u64\": [18446744073709551616]}",
       "/calls/1/parameters/stop/u64/0: a number is no integer of 64 bits"},
      {"{\"u64\": [18446744073709551615]}", "{\"u64\": [true]}",
       "/calls/1/parameters/stop/u64/0: expected an integer"},
      {"[5, 6]", "[5, 7]", "/outputs/1: value 7 is not among the 7 so far"},
  };
  for (const Mistake& mistake : mistakes) {
    INFO(mistake.from, " -> ", mistake.to);
    CHECK(complaint(changed(mistake.from, mistake.to)) ==
          std::string("program: ") + mistake.complaint);
  }
  for (const char* other : {"1", "[]", "null", "\"weft\"", "{}"})
    CHECK(complaint(other) != "nothing");
}

TEST_CASE("shapes that no tensor has are refused where they are inferred") {
  const auto calling = [](const std::string& op, const std::string& parameter) {
    return R"({"weft": "program", "version": 1, "inputs": [{"dtype": "u8", "shape": null}],
      "constants": [], "calls": [{"op": ")" +
           op + R"(", "operands": [0], "parameters": {)" + parameter + R"(}}], "outputs": [1]})";
  };
  const std::string huge = "{\"i64\": [4294967296, 4294967296]}";
  for (const char* op : {"reshape", "broadcast_to"})
    CHECK(complaint(calling(op, "\"shape\": " + huge)).ends_with("more than 2^62 bytes"));
  std::string order = "0";
  for (int k = 1; k < 1000; ++k) order += ", " + std::to_string(k);
  CHECK(complaint(calling("transpose", "\"order\": {\"i64\": [" + order + "]}")) ==
        "program: /calls/0: transpose: the result would have rank 1000, at most 16 is allowed");
}

}  // namespace
}  // namespace weft::testing
