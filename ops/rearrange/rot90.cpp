// SPDX-License-Identifier: Apache-2.0
// rot90: what it refuses, and which flips and transposes it is.
#include <weft/ops/rearrange/rot90.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <weft/graph/op.h>
#include <weft/ops/rearrange/flip.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

constexpr std::string_view name = "rot90";

/// In [0, 4).
std::int64_t quarters(std::int64_t k) { return (k % 4 + 4) % 4; }

/// Both axes, of which there must be two.
SmallVector<std::size_t, 8> turned_axes(const Ints& axes, const Shape& shape) {
  if (axes.size() != 2)
    throw ParameterError("length_mismatch", fmt::format("{}: axes {} has {} entries, expected two",
                                                        name, axes.text(), axes.size()));
  return check_unique_axes(name, axes, shape);
}

PartialShape infer(const Arguments& arguments) {
  PartialShape x = arguments.operands[0].partial_shape();
  const Ints &k = arguments.ints(0), &axes = arguments.ints(1);
  const bool stays = !k.is_open() && k.size() == 1 && quarters(k[0]) % 2 == 0;
  if (!x.has_rank() || stays) return x;
  if (axes.is_open()) return PartialShape::of_rank(x.rank());
  const auto turned = turned_axes(axes, x.lowest());
  Dim &first = x[turned[0]], &second = x[turned[1]];
  if (!k.is_open()) std::swap(first, second);
  else if (!(first == second))
    first = second =
        Dim(std::min(first.low(), second.low()), std::max(first.high(), second.high()));
  return x;
}

}  // namespace

const Op rot90_op{"rot90", {"x"}, {"k", "axes"}, call<weft::rot90>, infer};

Tensor rot90(const Tensor& x, const Ints& k, const Ints& axes) {
  if (is_any_open(rot90_op, x, k, axes)) return defer(rot90_op, {{x}, {k, axes}});
  check_integer(name, "k", k);
  check_integer(name, "axes", axes);
  check_scalar_or_list(name, "k", k);
  check_list(name, "axes", axes);
  check_single(name, "k", k);
  const auto turned = turned_axes(axes, x.shape());
  if (k.exceeds_int64(0))
    throw OverflowError(fmt::format("{}: k {} is beyond int64", name, k.text(0)));

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

Tensor Tensor::rot90(const Ints& k, const Ints& axes) const { return weft::rot90(*this, k, axes); }

}  // namespace weft
