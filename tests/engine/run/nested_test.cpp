// SPDX-License-Identifier: Apache-2.0
// Evaluation within evaluation: by computations of own ops, by tasks of other arenas, by sixteen
// threads at once.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <thread>
#include <vector>

#include <weft/op.h>
#include <weft/weft.h>

#include "support/values.h"

using namespace weft;
using weft::testing::values_of;

namespace {

constexpr int most_threads = 17;

/// x + the first element of what `other` gives, asked for once or in every part.
class AddFirst final : public Opaque {
 public:
  using Other = std::function<Tensor()>;
  AddFirst(Other other, bool in_every_part)
      : other_(std::move(other)), in_every_part_(in_every_part) {}
  std::string_view name() const noexcept override { return "add_first"; }
  std::size_t trace(const Shape&, Index&) const override { return 0; }
  Computation computation(const TensorType& type) const override {
    return
        [other = other_, in_every_part = in_every_part_, n = type.count()](
            std::span<const std::byte* const> operands, std::byte* out, const ForParts& for_parts) {
          const auto first = [&] {
            const Tensor tensor = other();
            return tensor.data<int>()[0];
          };
          const int once = in_every_part ? 0 : first();
          for_parts(n, [&](std::int64_t begin, std::int64_t end) {
            const int added = in_every_part ? first() : once;
            const int* const x = reinterpret_cast<const int*>(operands[0]);
            for (std::int64_t i = begin; i < end; ++i)
              reinterpret_cast<int*>(out)[i] = x[i] + added;
          });
        };
  }

 private:
  Other other_;
  bool in_every_part_;
};

Tensor add_first(const Tensor& x, AddFirst::Other other, bool in_every_part) {
  return make_tensor<NodeOf<AddFirst>>(TensorType{x.dtype(), x.shape()}, inputs_of(x),
                                       std::move(other), in_every_part);
}

const Shape large{500, 1000};

}  // namespace

TEST_CASE("a computation may evaluate other tensors, once or in each of its parts") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  tbb::task_arena arena(16);
  for (const bool in_every_part : {false, true}) {
    const Tensor other = iota<int>({500, 1000}, 7).roll(1, 0).flip().stored();
    // Each part has one of its own as well, which it evaluates on several threads.
    const auto fresh = [other] {
      return iota<int>({300, 500}, other.data<int>()[0]).roll(1, 1).roll(-1, 1);
    };
    const Tensor x = iota<int>(Ints(large)).roll(3, 0);
    const Tensor y = add_first(x, fresh, in_every_part).roll(-3, 0);
    arena.execute([&] { y.eval(); });
    const int added = other.data<int>()[0];
    std::vector<int> expected(500 * 1000);
    for (int i = 0; i < 500 * 1000; ++i) expected[static_cast<std::size_t>(i)] = i + added;
    CHECK(values_of(y) == expected);
  }
}

TEST_CASE("a computation that asks for its own value is refused by name, and may be asked again") {
  Tensor y = array({1});
  bool asks_itself = true;
  const auto other = [&] { return asks_itself ? y : array({5}); };
  y = add_first(iota<int>(3), other, false);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      y.eval();
      FAIL("it has a value");
    } catch (const ParameterError& error) {
      CHECK(std::string(error.what()) ==
            "eval: add_first [3] asks for its own value while that is computed");
    }
  }
  asks_itself = false;
  CHECK(values_of(y) == std::vector<int>{5, 6, 7});
}

TEST_CASE("sixteen threads evaluate what they share, each from within a task of its own") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  tbb::task_arena arena(16);
  std::atomic<int> wrong = 0;
  for (int round = 0; round < 20; ++round) {
    const Tensor base = iota<int>(Ints(large)).roll(round, 0);
    // A tower: each is made of the one below, which some of the tasks ask for first.
    std::vector<Tensor> tower{base};
    for (int k = 1; k < 8; ++k)
      tower.push_back(k % 2 == 0 ? tower.back().roll(1, 0).stored()
                                 : add_first(
                                       tower.back(), [base] { return base; }, k % 4 == 1));
    std::vector<int> expected(8, ((500 - round) % 500) * 1000);  // of each first element
    for (std::size_t k = 1; k < 8; ++k) {
      const int moved = static_cast<int>((k + 1) / 2);
      const int turned = static_cast<int>(k / 2);
      expected[k] = ((1000 - round - turned) % 500) * 1000 + moved * expected[0];
    }
    arena.execute([&] {
      tbb::parallel_for(0, 64, [&](int task) {
        const auto k = static_cast<std::size_t>(task * 5 % 8);
        const Tensor mine = tower[k];
        if (mine.data<int>()[0] != expected[k]) ++wrong;
      });
    });
  }
  CHECK(wrong == 0);
}

TEST_CASE("threads of no arena wait for one another's values") {
  for (int round = 0; round < 20; ++round) {
    const Tensor base = iota<int>(Ints(large)).roll(round, 0).stored();
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 16; ++t)
      threads.emplace_back([&, t] {
        const Tensor mine = base.roll(t, 0).transpose();
        if (mine.data<int>()[0] != ((1000 - round - t) % 500) * 1000) ++wrong;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("a computation that waits for tasks of its own takes up no others meanwhile") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  const auto nap = [](int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
  tbb::task_arena arena(4);
  std::atomic<int> refused = 0;
  for (int round = 0; round < 10; ++round) {
    const Tensor below = add_first(
        iota<int>(100),
        [&] {
          tbb::task_group own;
          for (int k = 0; k < 4; ++k) own.run([&] { nap(2); });
          own.wait();
          return array({1});
        },
        false);
    const Tensor above = add_first(
        iota<int>(100), [below] { return below; }, false);
    arena.execute([&] {
      tbb::task_group tasks;
      for (int k = 0; k < 8; ++k)
        tasks.run([&, k] {
          try {
            (k % 2 == 0 ? below : above).eval();
          } catch (const Error&) {
            ++refused;
          }
        });
      nap(5);
      tasks.wait();
    });
  }
  CHECK(refused == 0);
}

TEST_CASE("where the caller's tasks are cancelled, what was begun is finished") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
  const Tensor x = iota<int>({3000, 1000}).eval();
  const std::vector<int> expected = values_of(x.roll(7, 1));
  for (int attempt = 0; attempt < 20; ++attempt) {
    const Tensor y = x.roll(7, 1);
    try {
      tbb::parallel_for(0, 2, [&](int task) {
        if (task == 1) return void(y.eval());
        std::this_thread::sleep_for(std::chrono::microseconds(100 * attempt));
        throw 1;
      });
    } catch (int) {
    }
    CHECK(values_of(y) == expected);
  }
}

TEST_CASE("threads whose attempts fail ask again, and are not taken for one another") {
  const Tensor y = iota<int>(1000).roll(1, 0);
  std::atomic<int> others = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 20000; ++k) {
        try {
          y.eval({.memory_limit = 10});
        } catch (const MemoryError&) {
        } catch (const Error&) {
          ++others;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(others == 0);
}
