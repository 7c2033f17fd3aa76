// SPDX-License-Identifier: Apache-2.0
// Measuring chains, and telling how it went.
#include "random/measure_chains.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "measure.h"
#include "one_core_each.h"
#include "random/lines_read.h"
#include "random/random_chain.h"
#include "support/random.h"

namespace weft::bench {
namespace {

// Results of so many bytes and more are told apart from smaller ones.
constexpr std::int64_t large = 256 * 1024;
constexpr std::size_t worst_told = 10;
constexpr double microsecond = 1e-6;

struct Measured {
  std::uint64_t seed;
  std::string text, explained;
  std::int64_t bytes;
  std::int64_t moved;            ///< bytes: of the result, or of the lines read if those are more
  double weft, copy, loops;      ///< seconds
  double moved_copy;             ///< of so many bytes
  std::optional<double> nest{};  ///< what the plan says, by one plain nest
  double copies() const { return weft / copy; }
  double copies_moved() const { return weft / moved_copy; }
};

/// The one pass of a plan as plain boxes; none where there are several, or tables.
std::optional<PlainOp> nest_of(const Tensor& y) {
  const Plan plan = make_plan(y.node_ptr());
  if (plan.passes.size() != 1) return {};
  PlainOp op{y.shape()};
  for (const Copy& copy : plan.passes[0].copies) {
    if (plan.sources[copy.source].bytes() < y.dtype().size()) return {};
    PlainBox box{copy.out_offset, copy.src_offset};
    for (const Loop& loop : copy.loops) {
      if (!loop.is_plain()) return {};
      box.extents.push_back(loop.extent);
      box.to_strides.push_back(loop.out_stride);
      box.from_strides.push_back(loop.src_stride);
    }
    op.boxes.push_back(std::move(box));
  }
  return plan.sources.size() == 1 ? std::optional(std::move(op)) : std::nullopt;
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

class Case {
 public:
  explicit Case(std::uint64_t seed)
      : seed_(seed), chain_(random_chain(seed)), element_(chain_.type.size()) {
    const std::int64_t count = element_count(chain_.shape);
    input_ = allocate(count * element_);
    testing::Random random(seed);
    for (std::int64_t at = 0; at < count * element_; at += 8) {
      const std::uint64_t bits = random.bits();
      std::memcpy(input_.get() + at, &bits,
                  static_cast<std::size_t>(std::min<std::int64_t>(8, count * element_ - at)));
    }
    y_ = chain_.build(borrow(input_.get(), chain_.type, chain_.shape));
    out_ = allocate(y_.bytes());
    std::int64_t most = 0;
    for (const ChainOp& op : chain_.ops) most = std::max(most, op.plain.count() * element_);
    for (auto& buffer : buffers_) buffer = allocate(most);
  }

  bool is_right() const {
    weft();
    const std::byte* const expected = loops(buffers_[(chain_.ops.size() - 1) % 2].get());
    return std::memcmp(expected, out_.get(), static_cast<std::size_t>(y_.bytes())) == 0;
  }
  std::string text() const { return chain_.text(); }

  Measured measure() const {
    // No more is read than there is.
    const std::int64_t most = element_count(chain_.shape) * element_;
    const std::int64_t moved =
        y_.bytes() >= most ? y_.bytes() : std::max(y_.bytes(), bytes_of_lines_read(chain_));
    CopyBaseline baseline(y_.bytes());
    const Timed own([this] { weft(); }), copy([&] { baseline.run(); });
    std::optional<Timed> moved_copy;
    if (moved > y_.bytes())
      moved_copy.emplace([other = CopyBaseline(moved)]() mutable { other.run(); });
    const double slowest = std::max(own.sample(), seconds_of([this] { loops(out_.get()); }));
    const std::size_t rounds = slowest > 0.05 ? 3 : slowest > 0.005 ? 7 : 11;
    // Both write the same memory: how it lies to what is read counts where the caches keep it.
    const Timed plain([this] { loops(out_.get()); });
    const int calls = std::max(own.calls(), copy.calls());
    std::vector<double> owns, copies, moves, plains;
    for (std::size_t k = 0; k < rounds; ++k) {
      if (moved_copy) moves.push_back(moved_copy->sample(calls));
      copies.push_back(copy.sample(calls));
      owns.push_back(own.sample(calls));
      if (k < 3 || slowest < 0.005) plains.push_back(plain.sample());
    }
    Measured made{seed_,          text(),         explain(y_),
                  y_.bytes(),     moved,          median(owns),
                  median(copies), median(plains), median(moved_copy ? moves : copies)};
    if (y_.bytes() >= large) return made;
    if (const std::optional<PlainOp> nest = nest_of(y_)) {
      const Timed by_nest([&] { run(*nest, element_, out_.get(), input_.get()); });
      std::vector<double> nests;
      for (std::size_t k = 0; k < rounds; ++k) nests.push_back(by_nest.sample());
      made.nest = median(nests);
    }
    return made;
  }

  nlohmann::json told(const Measured& measured) const {
    nlohmann::json ops = nlohmann::json::array();
    for (const ChainOp& op : chain_.ops)
      ops.push_back({{"op", op.name}, {"arguments", op.arguments}});
    return {{"seed", seed_},
            {"type", chain_.type.name()},
            {"shape", std::vector<std::int64_t>(chain_.shape.begin(), chain_.shape.end())},
            {"ops", ops},
            {"bytes", measured.bytes},
            {"moved", measured.moved},
            {"moved_copy_us", measured.moved_copy / microsecond},
            {"weft_us", measured.weft / microsecond},
            {"copy_us", measured.copy / microsecond},
            {"loops_us", measured.loops / microsecond}};
  }

 private:
  void weft() const { eval_into(y_, out_.get(), y_.bytes()); }
  /// The value lies in `last`.
  const std::byte* loops(std::byte* last) const {
    const std::byte* from = input_.get();
    for (std::size_t k = 0; k < chain_.ops.size(); ++k) {
      std::byte* const to = k + 1 == chain_.ops.size() ? last : buffers_[k % 2].get();
      run(chain_.ops[k].plain, element_, to, from);
      from = to;
    }
    return last;
  }

  const std::uint64_t seed_;
  const Chain chain_;
  const std::int64_t element_;
  std::shared_ptr<std::byte> input_, out_, buffers_[2];
  Tensor y_;
};

template <class Value>
std::string quantiles(const std::vector<Measured>& all, const Value& value) {
  std::vector<double> values;
  for (const Measured& each : all) values.push_back(value(each));
  return fmt::format("median {:.2f}, 95 in 100 {:.2f}, worst {:.2f}", median(values),
                     quantile(values, 0.95), quantile(values, 1));
}

void tell_beside_loops(const std::vector<Measured>& all) {
  const auto count = [&](double most) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Measured& each) { return each.weft > most * each.loops; });
  };
  fmt::print("  slower than plain loops {} of {}, more than twice {}\n", count(1), all.size(),
             count(2));
}

void tell(std::vector<Measured> all) {
  std::vector<Measured> small;
  std::copy_if(all.begin(), all.end(), std::back_inserter(small),
               [](const Measured& each) { return each.bytes < large; });
  std::erase_if(all, [](const Measured& each) { return each.bytes < large; });
  if (!all.empty()) {
    fmt::print("{} from 256 KiB up, copies of what is moved: {}\n", all.size(),
               quantiles(all, [](const Measured& each) { return each.copies_moved(); }));
    fmt::print("  copies of the result: {}\n",
               quantiles(all, [](const Measured& each) { return each.copies(); }));
    tell_beside_loops(all);
  }
  if (!small.empty()) {
    fmt::print("{} below, copies: {}\n", small.size(),
               quantiles(small, [](const Measured& each) { return each.copies(); }));
    tell_beside_loops(small);
    std::erase_if(small, [](const Measured& each) { return !each.nest; });
  }
  if (!small.empty())
    fmt::print("  {} of one pass of boxes, less a microsecond, beside one plain nest: {}\n",
               small.size(), quantiles(small, [](const Measured& each) {
                 return std::max(0.0, each.weft - microsecond) / *each.nest;
               }));
  std::sort(all.begin(), all.end(),
            [](const Measured& a, const Measured& b) { return a.copies() > b.copies(); });
  all.resize(std::min(all.size(), worst_told));
  for (const Measured& each : all)
    fmt::print("\nseed {}, {:.2f} copies, {:.0f} us, plain loops {:.0f} us\n{}\n{}", each.seed,
               each.copies(), each.weft / microsecond, each.loops / microsecond, each.text,
               each.explained);
}

}  // namespace

bool measure_chains(std::size_t count, std::uint64_t first, const std::string& json) {
  const OneCoreEach bound;
  std::vector<Measured> all;
  nlohmann::json told = nlohmann::json::array();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Case each(seed);
    if (!each.is_right()) {
      fmt::print("seed {}: another value than plain loops\n{}\n", seed, each.text());
      return false;
    }
    all.push_back(each.measure());
    if (!json.empty()) told.push_back(each.told(all.back()));
  }
  fmt::print("{} chains from seed {} on\n", count, first);
  tell(std::move(all));
  if (json.empty()) return true;
  std::ofstream file(json);
  file << told.dump(1) << "\n";
  return file.good();
}

}  // namespace weft::bench
