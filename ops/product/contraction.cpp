// SPDX-License-Identifier: Apache-2.0
// Looking for the order of the fewest multiplications.
#include <weft/ops/product/contraction.h>

#include <algorithm>
#include <limits>

namespace weft {
namespace {

constexpr std::size_t most_exact = 8;

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

class Search {
 public:
  Search(AxisSet kept, const std::vector<std::int64_t>& extents) : kept_(kept), extents_(extents) {}

  /// The cheapest pair each time, the first of those that cost the same.
  Pairs greedy(std::vector<AxisSet> operands) const {
    Pairs pairs;
    while (operands.size() > 1) {
      double least = std::numeric_limits<double>::infinity();
      std::pair<std::size_t, std::size_t> best{0, 1};
      for (std::size_t a = 0; a < operands.size(); ++a)
        for (std::size_t b = a + 1; b < operands.size(); ++b)
          if (const double own = cost(operands[a] | operands[b]); own < least) {
            least = own;
            best = {a, b};
          }
      pairs.push_back(best);
      take(operands, best.first, best.second);
    }
    return pairs;
  }

  /// All orders, but for those that cost no less than what was found.
  Pairs exact(const std::vector<AxisSet>& operands) {
    best_ = greedy(operands);
    std::vector<AxisSet> left = operands;
    least_ = 0;
    for (const auto& [a, b] : best_) {
      least_ += cost(left[a] | left[b]);
      take(left, a, b);
    }
    descend(operands, 0);
    return best_;
  }

 private:
  double cost(AxisSet axes) const {
    double count = 1;
    for (std::size_t axis = 0; axis < extents_.size(); ++axis)
      if (axes >> axis & 1) count *= static_cast<double>(std::max<std::int64_t>(1, extents_[axis]));
    return count;
  }
  void take(std::vector<AxisSet>& operands, std::size_t a, std::size_t b) const {
    const AxisSet both = operands[a] | operands[b];
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(b));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(a));
    AxisSet needed = kept_;
    for (const AxisSet other : operands) needed |= other;
    operands.push_back(both & needed);
  }
  void descend(const std::vector<AxisSet>& operands, double so_far) {
    if (operands.size() == 1) {
      if (so_far < least_) {
        least_ = so_far;
        best_ = path_;
      }
      return;
    }
    for (std::size_t a = 0; a < operands.size(); ++a)
      for (std::size_t b = a + 1; b < operands.size(); ++b) {
        const double own = so_far + cost(operands[a] | operands[b]);
        if (own >= least_) continue;
        std::vector<AxisSet> left = operands;
        take(left, a, b);
        path_.emplace_back(a, b);
        descend(left, own);
        path_.pop_back();
      }
  }

  const AxisSet kept_;
  const std::vector<std::int64_t>& extents_;
  Pairs path_, best_;
  double least_ = 0;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> contraction_order(
    const std::vector<AxisSet>& operands, AxisSet kept, const std::vector<std::int64_t>& extents) {
  Search search(kept, extents);
  return operands.size() <= most_exact ? search.exact(operands) : search.greedy(operands);
}

}  // namespace weft
