// SPDX-License-Identifier: Apache-2.0
// Evaluations that are asked to stop.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include <weft/weft.h>

using namespace weft;

namespace {

/// Says no so many times, then yes; always on the thread that evaluates.
class Patience {
 public:
  explicit Patience(int left) : left_(left) {}
  EvalOptions options() {
    EvalOptions own;
    own.should_stop = &asked_;
    return own;
  }
  bool was_asked() const { return asks_ > 0; }

 private:
  const std::thread::id caller_ = std::this_thread::get_id();
  int left_, asks_ = 0;
  const std::function<bool()> asked_ = [this] {
    CHECK(std::this_thread::get_id() == caller_);
    return ++asks_ > left_;
  };
};

bool is_same(const Tensor& a, const Tensor& b) {
  const Tensor x = a.eval(), y = b.eval();
  return std::memcmp(x.data<float>(), y.data<float>(), static_cast<std::size_t>(x.bytes())) == 0;
}

}  // namespace

TEST_CASE("an evaluation that is asked to stop does, and can be begun again") {
  const Tensor x = iota<float>({1500, 1000}).eval(), w = iota<float>({1000, 300}).eval();
  const std::vector<std::function<Tensor()>> all{
      [&] {
        return x.roll({3, 5}, {0, 1}).transpose();
      },
      [&] { return x * 2.0f + x.flip(0); },
      [&] { return x.softmax(-1); },
      [&] { return (x * x).sum(1); },
      [&] { return x.sum(0); },
      [&] { return matmul(x, w); },
      [&] { return matmul(w.transpose().sum(0), w); },
      [&] { return x.cumulative_sum(1).flip(1); },
      [&] { return x.roll(1, 0).stored().roll(1, 1) + 1.0f; }};
  for (std::size_t k = 0; k < all.size(); ++k) {
    CAPTURE(k);
    const Tensor expected = all[k]().eval();
    for (const int left : {0, 1, 2, 5, 1000000}) {
      CAPTURE(left);
      const Tensor y = all[k]();
      Patience patience(left);
      try {
        y.eval(patience.options());
        CHECK(y.is_stored());
      } catch (const Cancelled& error) {
        CHECK(error.category() == "stopped");
        CHECK_FALSE(y.is_stored());
        CHECK(left < 1000000);
      }
      CHECK(patience.was_asked());
      CHECK(is_same(y, expected));
    }
  }
}

TEST_CASE("what is written over data that was given up is not stopped half-way") {
  const Tensor x = iota<float>({2000, 700}).eval();
  const std::vector<std::function<Tensor(Tensor)>> all{
      [](Tensor own) { return std::move(own).roll(3, 0); },
      [](Tensor own) { return std::move(own).flip(1); },
      [](Tensor own) {
        return std::move(own).slice_scatter(ones({5, 700}), {7}, {12});
      }};
  for (std::size_t k = 0; k < all.size(); ++k) {
    CAPTURE(k);
    const Tensor expected = all[k](copy_from(x.data<float>(), x.shape())).eval();
    for (const int left : {0, 1, 2, 3}) {
      CAPTURE(left);
      Tensor own = copy_from(x.data<float>(), x.shape());
      const Tensor y = all[k](std::move(own));
      Patience patience(left);
      EvalOptions options = patience.options();
      options.in_place = true;
      try {
        y.eval(options);
      } catch (const Cancelled&) {
        CHECK_FALSE(y.is_stored());
      }
      CHECK(is_same(y, expected));  // made, or made now of data that nobody touched
    }
  }
}

TEST_CASE("updates are not written into data that was given up where a stop was asked for before") {
  const Tensor updates = full({10}, -1.0f).eval();
  Tensor data = iota<float>({1000}).add(0.0f).eval();
  const Tensor y = std::move(data).slice_scatter(updates, {5}, {15});
  Patience patience(0);
  CHECK_THROWS_AS(y.eval(patience.options()), Cancelled);
  CHECK_FALSE(y.is_stored());
  CHECK(y.to_vector<float>()[5] == -1);
  CHECK(y.to_vector<float>()[15] == 15);
}

TEST_CASE("who waits for another thread's value can stop") {
  std::atomic<bool> is_begun = false, may_end = false;
  const std::function<bool()> holds = [&] {
    is_begun = true;
    while (!may_end) std::this_thread::yield();
    return false;
  };
  EvalOptions of_other;
  of_other.should_stop = &holds;
  const Tensor y = iota<float>({100, 100}) + 1.0f;
  std::thread other([&] { y.eval(of_other); });
  while (!is_begun) std::this_thread::yield();
  CHECK_THROWS_AS(y.eval(Patience(3).options()), Cancelled);
  CHECK(!y.is_stored());
  may_end = true;
  other.join();
  CHECK(y.is_stored());
}
