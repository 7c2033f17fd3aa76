// SPDX-License-Identifier: Apache-2.0
// A workload and its rivals over the same inputs and the same output buffer.
#include "run.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/testing/reference.h>

namespace weft::bench {
namespace {

/// Elements compared one by one; larger results at as many places spread over them.
constexpr std::int64_t compared_elements = std::int64_t{1} << 20;
/// A rival gets this many seconds, and 3 rounds at least.
constexpr double rival_seconds = 4;

/// The first place where the value differs from the reference, if any.
std::optional<std::int64_t> first_difference(const Tensor& tensor, const std::byte* value) {
  const std::size_t size = static_cast<std::size_t>(tensor.dtype().size());
  const std::int64_t stride = std::max<std::int64_t>(1, tensor.size() / compared_elements);
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < tensor.size() + stride - 1; i += stride)
    positions.push_back(std::min(i, tensor.size() - 1));  // the last one too
  const std::vector<std::byte> expected = testing::reference_elements(tensor, positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (std::memcmp(expected.data() + i * size, value + positions[i] * tensor.dtype().size(),
                    size) != 0)
      return positions[i];
  return std::nullopt;
}

struct Contender {
  std::string name;
  Timed timed;
  int most_rounds;
  Pairs pairs;

  void round(const Timed& baseline) {
    pairs.copy.push_back(baseline.sample());
    pairs.work.push_back(timed.sample());
  }
};

}  // namespace

struct Run::Parts {
  const Workload& workload;
  Inputs in;
  Tensor expression;
  std::int64_t bytes;
  std::shared_ptr<std::byte> out;
  std::optional<Timed> baseline;
  std::vector<Contender> contenders;  // ours, then the rivals that are right
  std::vector<std::string> wrong;
  std::int64_t peak_bytes = 0;
  std::vector<std::uint32_t> digests;

  explicit Parts(const Workload& of)
      : workload(of),
        in(of.inputs()),
        expression(of.build(in)),
        bytes(expression.bytes()),
        out(allocate(bytes)) {
    if (workload.manner == Manner::handed_on) in[0] = workload.inputs()[0].eval();
  }

  std::function<void()> ours() {
    if (workload.ours) return workload.ours(in, out.get());
    switch (workload.manner) {
      case Manner::into:
        return [this] { eval_into(workload.build(in), out.get(), bytes); };
      case Manner::returned:
        return [this] { workload.build(in).eval(); };
      case Manner::planned:
        return [this, planned = workload.build(in)] { eval_into(planned, out.get(), bytes); };
      default:
        return [this] { in[0] = workload.build(in).eval(); };
    }
  }

  void check_ours(const std::function<void()>& work) {
    work();
    if (workload.manner == Manner::returned || workload.manner == Manner::handed_on) {
      const Tensor value = workload.manner == Manner::returned ? workload.build(in).eval() : in[0];
      std::memcpy(out.get(), value.node().value().get(), static_cast<std::size_t>(bytes));
    }
    if (const auto place = first_difference(expression, out.get()))
      throw std::runtime_error(fmt::format("{} is wrong at element {}", workload.id, *place));
  }

  /// Compared with our result whole, which was compared with the reference.
  void add_rivals() {
    const std::size_t size = static_cast<std::size_t>(bytes);
    digests = {digest(out.get(), bytes)};
    const std::shared_ptr<std::byte> expected = allocate(bytes);
    std::memcpy(expected.get(), out.get(), size);
    for (const Rival& rival : rivals()) {
      if (rival.workload != workload.id) continue;
      std::function<void()> work;
      double seconds = 0;
      try {
        work = rival.prepare(in, out.get());
        std::memset(out.get(), 0xEE, size);
        seconds = seconds_of(work);
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {} fails: {}\n", workload.id, rival.name, error.what());
        wrong.push_back(rival.name);
        continue;
      }
      if (std::memcmp(out.get(), expected.get(), size) != 0) {
        fmt::print(stderr, "{}: {} is wrong\n", workload.id, rival.name);
        wrong.push_back(rival.name);
        continue;
      }
      const double rounds = rival_seconds / std::max(seconds, 1e-9);
      contenders.push_back(
          {rival.name, Timed(work), static_cast<int>(std::clamp(rounds, 3.0, 1e3)), {}});
    }
  }
};

Run::Run(const Workload& workload, bool with_rivals) : parts_(std::make_unique<Parts>(workload)) {
  Parts& parts = *parts_;
  const std::function<void()> ours = parts.ours();
  parts.check_ours(ours);
  parts.contenders.push_back({"weft", Timed(ours), 0, {}});
  parts.peak_bytes = peak_bytes_of(ours);
  if (with_rivals) parts.add_rivals();
  if (workload.baseline) {
    parts.baseline.emplace(workload.baseline(parts.in));
  } else {
    const auto copy = std::make_shared<CopyBaseline>(parts.bytes);
    parts.baseline.emplace([copy] { copy->run(); });
  }
}

Run::~Run() = default;

double Run::round() {
  parts_->contenders[0].round(*parts_->baseline);
  return parts_->contenders[0].pairs.work.back();
}

void Run::measure_rivals(int rounds) {
  for (std::size_t r = 1; r < parts_->contenders.size(); ++r) {
    Contender& rival = parts_->contenders[r];
    for (int i = 0; i < std::min(rounds, rival.most_rounds); ++i) rival.round(*parts_->baseline);
  }
}

Result Run::result() const {
  const Workload& workload = parts_->workload;
  Result result{workload.id,
                workload.what,
                workload.baseline ? "by hand" : "copy",
                parts_->contenders[0].pairs.summary(),
                parts_->bytes,
                parts_->peak_bytes,
                parts_->digests,
                {}};
  for (std::size_t i = 1; i < parts_->contenders.size(); ++i) {
    const Contender& rival = parts_->contenders[i];
    result.rivals.push_back({rival.name, rival.pairs.summary(), rival.pairs.work.size()});
  }
  for (const std::string& name : parts_->wrong) result.rivals.push_back({name, std::nullopt, 0});
  return result;
}

namespace {

/// The geometric mean of each figure over the members.
Pairs::Summary mean_of(const std::vector<Pairs::Summary>& members) {
  const auto mean = [&](double Pairs::Summary::*figure) {
    std::vector<double> values;
    for (const Pairs::Summary& member : members) values.push_back(member.*figure);
    return mean_ratio(values);
  };
  using S = Pairs::Summary;
  return {mean(&S::ratio), mean(&S::ratio_min), mean(&S::ratio_max), mean(&S::work),
          mean(&S::copy)};
}

Result one_of(const std::vector<Result>& members) {
  Result whole = members[0];
  whole.id = whole.id.substr(0, whole.id.find('/'));
  if (members.size() == 1) return whole;
  whole.what = fmt::format("{} orders, the first: {}", members.size(), whole.what);
  std::vector<Pairs::Summary> summaries;
  whole.digests.clear();
  for (const Result& member : members) {
    summaries.push_back(member.summary);
    whole.digests.insert(whole.digests.end(), member.digests.begin(), member.digests.end());
    whole.peak_bytes = std::max(whole.peak_bytes, member.peak_bytes);
  }
  whole.summary = mean_of(summaries);
  for (std::size_t r = 0; r < whole.rivals.size(); ++r) {
    RivalResult& rival = whole.rivals[r];
    summaries.clear();
    for (const Result& member : members)
      for (const RivalResult& other : member.rivals)
        if (other.name == rival.name && other.summary) summaries.push_back(*other.summary);
    // Wrong once is wrong.
    if (summaries.size() == members.size()) rival.summary = mean_of(summaries);
    else rival.summary.reset();
  }
  return whole;
}

}  // namespace

std::vector<Result> grouped(const std::vector<Result>& results) {
  std::vector<Result> list;
  for (std::size_t i = 0; i < results.size();) {
    const std::string group = results[i].id.substr(0, results[i].id.find('/'));
    std::vector<Result> members;
    for (; i < results.size() && results[i].id.substr(0, results[i].id.find('/')) == group; ++i)
      members.push_back(results[i]);
    list.push_back(one_of(members));
  }
  return list;
}

}  // namespace weft::bench
