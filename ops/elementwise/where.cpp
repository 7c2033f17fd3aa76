// SPDX-License-Identifier: Apache-2.0
// where: what it refuses, and what it is.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/where.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cstring>
#include <fmt/format.h>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/graph/define.h>
#include <weft/graph/elementwise.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/elementwise/where.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// x is in registers.
template <class K>
struct Select {
  using From = typename K::Element;
  static constexpr std::size_t places = 2;

  static HWY_INLINE Group<From> of(const Group<From>& x, const std::byte* y,
                                   const std::byte* condition) {
    return all(AllRegisters(), load_group<BoolOf<K>>(condition), x, load_group<K>(y));
  }

 private:
  template <std::size_t... k>
  static HWY_INLINE Group<From> all(std::index_sequence<k...>,
                                    const Group<typename BoolOf<K>::Element>& bools,
                                    const Group<From>& x, const Group<From>& y) {
    return {{one<k>(bools, x, y)...}};
  }
  template <std::size_t k>
  static HWY_INLINE Vector<From> one(const Group<typename BoolOf<K>::Element>& bools,
                                     const Group<From>& x, const Group<From>& y) {
    if constexpr (k < K::vectors) return hn::IfThenElse(mask_of<K, k>(bools), x.v[k], y.v[k]);
    else return x.v[k];
  }
};

template <std::size_t... kinds>
LinkTable select_table(std::index_sequence<kinds...>) {
  return {{erased<RunWith<typename std::tuple_element_t<kinds, KindList>::Element>>(
              link<Select<std::tuple_element_t<kinds, KindList>>>)...},
          {}};
}

}  // namespace

const LinkTable& select_links() {
  static const LinkTable table = select_table(std::make_index_sequence<lane_kinds>());
  return table;
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(select_links);

namespace {

const LinkTable& links(std::size_t) { return on_this_machine(select_links_by_set)(); }

void choose(const Elements& elements) {
  const bool holds = *elements.at[0] != std::byte{0};
  std::memcpy(elements.out, elements.at[holds ? 1 : 2],
              static_cast<std::size_t>(elements.type.size()));
}

Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) {
  const Tensor& condition = operands[0];
  return {Tensor(), cotangent.where(condition, 0), cotangent.where(condition.logical_not(), 0)};
}

constexpr Instruction select{.op = "where",
                             .compute = choose,
                             .links = links,
                             .lead = 1,
                             .moves = true,
                             .kernel = "select",
                             .adjoint = adjoint};

struct Where {
  static constexpr std::string_view name = "where";
  static constexpr const Op& op = where_op;
  static constexpr std::tuple fields{operand("condition", "which of the two it is"),
                                     operand("x", "where the condition holds"),
                                     operand("y", "where it does not")};

  static KnownType infer(const KnownType& condition, const KnownType& x, const KnownType& y) {
    if (condition.dtype != bool_)
      throw DtypeError(
          fmt::format("where: condition is {}, expected bool", condition.dtype.name()));
    if (y.dtype != x.dtype)
      throw DtypeError(
          fmt::format("where: y is {}, expected {} as x", y.dtype.name(), x.dtype.name()));
    return {x.dtype, broadcast_shape("where", {&condition, &x, &y})};
  }

  static Tensor make(TensorType type, const Tensor& condition, const Tensor& x, const Tensor& y) {
    return elementwise_of(select, std::move(type), {&condition, &x, &y});
  }
};

}  // namespace

constinit const Op where_op = op_of<Where>();

Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  return build<Where>(condition, x, y);
}

Tensor where(const Tensor& condition, const Tensor& x, const Scalar& y) {
  return where(condition, x, y.as(x.held("where").dtype(), "where"));
}
Tensor where(const Tensor& condition, const Scalar& x, const Tensor& y) {
  return where(condition, x.as(y.held("where").dtype(), "where"), y);
}

Tensor Tensor::where(const Tensor& condition, const Tensor& y) const {
  return weft::where(condition, *this, y);
}
Tensor Tensor::where(const Tensor& condition, const Scalar& y) const {
  return weft::where(condition, *this, y);
}

}  // namespace weft
#endif
