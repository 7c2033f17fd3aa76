// SPDX-License-Identifier: Apache-2.0
// explain: what it says before anything runs.
#include <doctest/doctest.h>

#include <limits>

#include <weft/weft.h>

using namespace weft;

namespace {

bool says(const std::string& text, std::string_view part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE(text);
  return found;
}

}  // namespace

TEST_CASE("explain tells passes, boxes, bytes, temporaries and kernels, and evaluates nothing") {
  const Tensor y = iota<float>({100, 200}).roll(3, 0).transpose();
  const std::string text = explain(y);
  CHECK(says(text,
             "f32 [200, 100]: 1 pass, 2 boxes, 78.1 KiB read, 78.1 KiB written, 0 temporaries"));
  CHECK(says(text, "transpose"));
  CHECK_FALSE(y.is_stored());
}

TEST_CASE("explain names the kernel of each box") {
  const Tensor x = iota<int>({64, 64});
  CHECK(says(explain(x.roll(1, 0)), "run "));
  CHECK(says(explain(x.flip()), "reverse "));
  CHECK(says(explain(full<int>({64, 64}, 3)), "fill "));
  CHECK(says(explain(x.slice({0, 0}, {64, 64}, {1, 2})), "take "));
  CHECK(says(explain(x.slice({0, 0}, {64, 64}, {1, 7})), "strided "));
  CHECK(says(explain(iota<int>({5, 7, 3}).transpose({2, 0, 1})), "deinterleave "));
  CHECK(says(explain(iota<int>({3, 5, 7}).transpose({1, 2, 0})), "interleave "));
  CHECK(says(explain(iota<int>({64, 65}).transpose()), "transpose "));
  CHECK(says(explain(iota<int>({1000}).tile({8}).slice({0}, {8000}, {7})), "table "));
}

TEST_CASE("explain tells what is stored and why") {
  const std::string text =
      explain(iota<float>({1000, 1001}).roll(5, 0).reshape({1001, 1000}).transpose());
  CHECK(says(text, "2 passes, 3 boxes"));
  CHECK(says(text, "0 temporaries"));
  CHECK(says(text, "2 boxes, by run, in memory of a task: "));
  CHECK(says(text, " portions on all threads\n"));
  CHECK(says(text, "roll [1000, 1001] is stored: reshaping it to [1001, 1000]"));
}

TEST_CASE("explain tells painted layers") {
  const Tensor x = iota<int>({64});
  CHECK(says(explain(x.slice_scatter(full<int>({16}, 0), {0}, {64}, {4})), "painted over layer 1"));
}

TEST_CASE("explain tells which boxes are woven") {
  const Tensor x = iota<int>({512}), updates = iota<int>({256});
  const std::string text = explain(x.slice_scatter(updates, {1}, {512}, {2}));
  CHECK(says(text, "weave           1024 B  from source 1, out 0"));
  CHECK(says(text, "and             1024 B  from source 0, out 1"));
  CHECK(says(text, "2048 B read, 2048 B written"));
}

TEST_CASE("explain names the kernels that run: few bytes are not woven") {
  const Tensor x = iota<int>({64}), updates = iota<int>({32});
  const std::string text = explain(x.slice_scatter(updates, {1}, {64}, {2}));
  CHECK_FALSE(says(text, "weave"));
  CHECK(says(text, "128 B  from source 1, out 0"));
  CHECK(says(text, "128 B  from source 0, out 1"));
}

TEST_CASE("explain tells what is read, which is not what is written") {
  CHECK(says(explain(full<int>({1000}, 3)), "1 pass, 1 box, 4 B read, 4000 B written"));
}

TEST_CASE("explain tells tasks, and what is streamed") {
  const Tensor x = iota<int>({4096, 1024});
  CHECK_FALSE(says(explain(x.slice({0}, {10}).transpose()), "tasks"));
  CHECK(says(explain(x.slice({0}, {1000}).transpose()), "tasks on all threads\n"));
  CHECK(says(explain(x.transpose()), "tasks on all threads, streamed\n"));
  CHECK(says(explain(x.slice_scatter(full<int>({2048, 512}, 7), {0, 0}, {4096, 1024}, {2, 2})),
             "128 tasks on all threads, put together aside and streamed\n"));
}

TEST_CASE(
    "explain tells the boxes that are run, where what they read is on one core as elsewhere") {
  const Tensor made = iota<int>({160, 256}).roll(1, 0).stored();
  const Tensor sevens = full<int>({160, 128}, 7);
  const std::string text =
      explain(concat({made.slice_scatter(sevens, {0, 0}, {160, 256}, {1, 2}), made}, 0));
  CHECK(says(text, "pass 2: result [320, 256], 3 boxes\n"));
  CHECK(says(text, "and           80.0 KiB  from pass 1"));
}

TEST_CASE("explain tells when nothing moves") {
  const Tensor x = iota<int>({4, 4});
  CHECK(says(explain(x), "stored already"));
  CHECK(says(explain(x.reshape({16})), "alias of the whole of a stored tensor"));
  CHECK(says(explain(x.slice({1}, {4})), "alias of a stored tensor at element 4"));
  CHECK(says(explain(x.tile({0})), "no elements"));
}

TEST_CASE("explain prints the program of a pass that computes, and how each operand is found") {
  const Tensor image = iota<float>({160, 60}).astype(u8).eval(), mean = iota<float>({60}),
               other = iota<float>({60, 160});
  const Tensor planes = ((image.astype(f32) / 255 - mean).transpose() * other).maximum(0);
  CHECK(
      explain(planes) ==
      "f32 [60, 160]: 1 pass, 1 box, 47.1 KiB read, 37.5 KiB written, 0 temporaries\n"
      "pass 1: result [60, 160], 1 piece\n"
      "  reads %0 u8, %1 f32, %2 f32\n"
      "  %5 = astype f32 %0\n"
      "  %6 = divide f32 %5 255.0\n"
      "  %7 = subtract f32 %6 %1\n"
      "  %8 = multiply f32 %7 %2\n"
      "  %9 = maximum f32 %8 0.0\n"
      "  program       37.5 KiB  from %0 source 4 by transpose, %1 source 2 by fill, %2 source 1; "
      "out 0 src 0 0 0 (60: 160, 1 1 160) (160: 1, 60 0 1)\n");
}

TEST_CASE("explain tells what a program puts aside, and constants that are no numbers") {
  const Tensor x = iota<float>({300});
  const Tensor shifted = x + 1;
  const std::string text =
      explain((shifted * shifted.exp()).minimum(std::numeric_limits<float>::quiet_NaN()));
  CHECK(says(text, "  reads %0 f32\n"));
  CHECK(says(text, "  %3 = add f32 %0 1.0\n"));
  CHECK(says(text, "put aside\n"));
  CHECK_FALSE(says(explain(shifted), "put aside"));
  CHECK(says(text, " = minimum f32 "));
  CHECK(says(text, " nan\n"));
}

TEST_CASE("explain prints the step of what is computed by itself, and programs that read nothing") {
  const Tensor z = iota<float>({40}).astype(c64).eval(), w = z.conj().eval();
  const std::string text = explain(z * w);
  CHECK(says(text, "  reads %0 c64, %1 c64\n  %2 = multiply c64 %0 %1\n  one by one "));
  CHECK(says(explain(scalar(3) + scalar(4)), "1 piece\n  %2 = add i32 3 4\n  program "));
}
