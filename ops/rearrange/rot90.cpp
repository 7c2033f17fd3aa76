// SPDX-License-Identifier: Apache-2.0
// rot90: what it refuses, and which flips and transposes it is.
#include <weft/ops/rearrange/rot90.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/flip.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

std::int64_t quarters(std::int64_t k) { return (k % 4 + 4) % 4; }

struct Rot90 {
  static constexpr std::string_view name = "rot90";
  static constexpr const Op& op = rot90_op;
  static constexpr std::tuple fields{
      operand("x", "what is turned"), parameter("k", "how many quarters of a turn", 1),
      parameter("axes", "the first is turned towards the second", {0, 1})};

  /// Axes that are not known open all extents, but for a half or a whole turn.
  static KnownType infer(const KnownType& x, const Ints& k, const Ints& axes) {
    check_integer(name, "k", k);
    check_integer(name, "axes", axes);
    check_scalar_or_list(name, "k", k);
    check_list(name, "axes", axes);
    const std::optional<std::int64_t> turns = check_one(name, "k", k);
    const std::int64_t length = known_length(axes);
    if (length >= 0 && length != 2)
      throw ParameterError(
          "length_mismatch",
          fmt::format("{}: axes {} has {} entries, expected two", name, axes.text(), length));
    const bool has_axes = x.shape.has_rank() && !axes.is_open();
    SmallVector<std::size_t, 8> turned;
    if (has_axes) turned = check_unique_axes(name, axes, x.shape);
    if (turns && k.exceeds_int64(0))
      throw OverflowError(fmt::format("{}: k {} is beyond int64", name, k.text(0)));
    if (!x.shape.has_rank() || (turns && quarters(*turns) % 2 == 0)) return x;
    if (!has_axes) return {x.dtype, Extents::of_rank(x.shape.rank())};
    KnownType result = x;
    const Extent first = x.shape[turned[0]], second = x.shape[turned[1]];
    if (!turns && first == second) return x;
    const Extent either(std::min(first.low, second.low), std::max(first.high, second.high));
    result.shape.set(turned[0], turns ? second : either);
    result.shape.set(turned[1], turns ? first : either);
    return result;
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& k, const Ints& axes) {
    const auto turned = check_unique_axes(name, axes, x.shape());
    const std::int64_t second = static_cast<std::int64_t>(turned[1]);
    std::vector<std::int64_t> exchanged(x.rank());
    std::iota(exchanged.begin(), exchanged.end(), 0);
    std::swap(exchanged[turned[0]], exchanged[turned[1]]);
    switch (quarters(k[0])) {
      case 0:
        return x;
      case 1:
        return x.flip(second).transpose(exchanged);
      case 2:
        return x.flip(axes);
      default:
        return x.transpose(exchanged).flip(second);
    }
  }
};

}  // namespace

constinit const Op rot90_op = op_of<Rot90>();

Tensor rot90(const Tensor& x, const Ints& k, const Ints& axes) { return build<Rot90>(x, k, axes); }

Tensor Tensor::rot90(const Ints& k, const Ints& axes) const { return weft::rot90(*this, k, axes); }

}  // namespace weft
