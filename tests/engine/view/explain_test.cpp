// SPDX-License-Identifier: Apache-2.0
// explain: what it says before anything runs.
#include <doctest/doctest.h>

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
  CHECK(says(text, "1 temporary of 3910.2 KiB"));
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

TEST_CASE("explain tells when nothing moves") {
  const Tensor x = iota<int>({4, 4});
  CHECK(says(explain(x), "stored already"));
  CHECK(says(explain(x.reshape({16})), "alias of the whole of a stored tensor"));
  CHECK(says(explain(x.slice({1}, {4})), "alias of a stored tensor at element 4"));
  CHECK(says(explain(x.tile({0})), "no elements"));
}
