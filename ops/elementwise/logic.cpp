// SPDX-License-Identifier: Apache-2.0
// Logic of bools.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/logic.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/logic.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct LogicalAnd : EntryOf<2, kinds::booleans> {
  static constexpr std::string_view name = "logical_and";
  static constexpr const Op& op = logical_and_op;
  static constexpr bool is_commutative = true;

  template <std::unsigned_integral T>
  static T value(T x, T y) {
    return static_cast<T>(x & y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::And(x, y);
  }
};

struct LogicalOr : EntryOf<2, kinds::booleans> {
  static constexpr std::string_view name = "logical_or";
  static constexpr const Op& op = logical_or_op;
  static constexpr bool is_commutative = true;

  template <std::unsigned_integral T>
  static T value(T x, T y) {
    return static_cast<T>(x | y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Or(x, y);
  }
};

struct LogicalXor : EntryOf<2, kinds::booleans> {
  static constexpr std::string_view name = "logical_xor";
  static constexpr const Op& op = logical_xor_op;
  static constexpr bool is_commutative = true;

  template <std::unsigned_integral T>
  static T value(T x, T y) {
    return static_cast<T>(x ^ y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Xor(x, y);
  }
};

struct LogicalNot : EntryOf<1, kinds::booleans> {
  static constexpr std::string_view name = "logical_not";
  static constexpr const Op& op = logical_not_op;

  template <std::unsigned_integral T>
  static T value(T x) {
    return static_cast<T>(x ^ 1);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) {
    return hn::Xor(x, hn::Set(d, hn::TFromD<D>{1}));
  }
};

using All = Family<LogicalAnd, LogicalOr, LogicalXor, LogicalNot>;

}  // namespace

const LinkTable& logic_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(logic_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return on_this_machine(logic_links_by_set)(entry); }

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op logical_and_op = op_of<Call<LogicalAnd>>();
Tensor logical_and(const Tensor& x, const Tensor& y) { return build<Call<LogicalAnd>>(x, y); }
Tensor logical_and(const Tensor& x, const Scalar& y) {
  return logical_and(x, weak("logical_and", y, x));
}
Tensor logical_and(const Scalar& x, const Tensor& y) {
  return logical_and(weak("logical_and", x, y), y);
}
Tensor ElementwiseMethods::logical_and(const Tensor& y) const {
  return weft::logical_and(tensor(), y);
}
Tensor ElementwiseMethods::logical_and(const Scalar& y) const {
  return weft::logical_and(tensor(), y);
}

constinit const Op logical_or_op = op_of<Call<LogicalOr>>();
Tensor logical_or(const Tensor& x, const Tensor& y) { return build<Call<LogicalOr>>(x, y); }
Tensor logical_or(const Tensor& x, const Scalar& y) {
  return logical_or(x, weak("logical_or", y, x));
}
Tensor logical_or(const Scalar& x, const Tensor& y) {
  return logical_or(weak("logical_or", x, y), y);
}
Tensor ElementwiseMethods::logical_or(const Tensor& y) const {
  return weft::logical_or(tensor(), y);
}
Tensor ElementwiseMethods::logical_or(const Scalar& y) const {
  return weft::logical_or(tensor(), y);
}

constinit const Op logical_xor_op = op_of<Call<LogicalXor>>();
Tensor logical_xor(const Tensor& x, const Tensor& y) { return build<Call<LogicalXor>>(x, y); }
Tensor logical_xor(const Tensor& x, const Scalar& y) {
  return logical_xor(x, weak("logical_xor", y, x));
}
Tensor logical_xor(const Scalar& x, const Tensor& y) {
  return logical_xor(weak("logical_xor", x, y), y);
}
Tensor ElementwiseMethods::logical_xor(const Tensor& y) const {
  return weft::logical_xor(tensor(), y);
}
Tensor ElementwiseMethods::logical_xor(const Scalar& y) const {
  return weft::logical_xor(tensor(), y);
}

constinit const Op logical_not_op = op_of<Call<LogicalNot>>();
Tensor logical_not(const Tensor& x) { return build<Call<LogicalNot>>(x); }
Tensor ElementwiseMethods::logical_not() const { return weft::logical_not(tensor()); }

}  // namespace weft
#endif
