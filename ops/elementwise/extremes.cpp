// SPDX-License-Identifier: Apache-2.0
// The smaller and the larger ones, and values kept within limits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/extremes.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/compute/extremes-inl.h>
#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/extremes.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// To the operand that is chosen, or half where both are equal.
Tensor shared(const Tensor& cotangent, const Tensor& is_chosen, const Tensor& is_equal) {
  return cotangent.where(is_chosen, cotangent.multiply(0.5).where(is_equal, 0));
}

struct Minimum : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "minimum";
  static constexpr const Op& op = minimum_op;
  static constexpr bool is_commutative = true;

  template <RealLane T>
  static T value(T x, T y) {
    return Smaller::value(x, y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) {
    return Smaller::vector(d, x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y) {
    return {shared(cotangent, x.less(y), x.equal(y)), shared(cotangent, y.less(x), x.equal(y))};
  }
};

struct Maximum : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "maximum";
  static constexpr const Op& op = maximum_op;
  static constexpr bool is_commutative = true;

  template <RealLane T>
  static T value(T x, T y) {
    return Larger::value(x, y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) {
    return Larger::vector(d, x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y) {
    return {shared(cotangent, y.less(x), x.equal(y)), shared(cotangent, x.less(y), x.equal(y))};
  }
};

struct Clip : EntryOf<3, kinds::reals> {
  static constexpr std::string_view name = "clip";
  static constexpr const Op& op = clip_op;
  static constexpr std::array<std::string_view, 3> names{"x", "low", "high"};

  template <RealLane T>
  static T value(T x, T y, T z) {
    return Minimum::value(Maximum::value(x, y), z);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y, V z) {
    return Minimum::vector(d, Maximum::vector(d, x, y), z);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& low,
                         const Tensor& high) {
    const Tensor is_above = x.maximum(low).greater(high), is_below = x.less(low);
    const Tensor below = cotangent.where(is_above.logical_not(), 0);
    return {below.where(is_below.logical_not(), 0), below.where(is_below, 0),
            cotangent.where(is_above, 0)};
  }
};

using All = Family<Minimum, Maximum, Clip>;

}  // namespace

const LinkTable& extremes_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(extremes_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return on_this_machine(extremes_links_by_set)(entry); }

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op minimum_op = op_of<Call<Minimum>>();
Tensor minimum(const Tensor& x, const Tensor& y) { return build<Call<Minimum>>(x, y); }
Tensor minimum(const Tensor& x, const Scalar& y) { return minimum(x, weak("minimum", y, x)); }
Tensor minimum(const Scalar& x, const Tensor& y) { return minimum(weak("minimum", x, y), y); }
Tensor ElementwiseMethods::minimum(const Tensor& y) const { return weft::minimum(tensor(), y); }
Tensor ElementwiseMethods::minimum(const Scalar& y) const { return weft::minimum(tensor(), y); }

constinit const Op maximum_op = op_of<Call<Maximum>>();
Tensor maximum(const Tensor& x, const Tensor& y) { return build<Call<Maximum>>(x, y); }
Tensor maximum(const Tensor& x, const Scalar& y) { return maximum(x, weak("maximum", y, x)); }
Tensor maximum(const Scalar& x, const Tensor& y) { return maximum(weak("maximum", x, y), y); }
Tensor ElementwiseMethods::maximum(const Tensor& y) const { return weft::maximum(tensor(), y); }
Tensor ElementwiseMethods::maximum(const Scalar& y) const { return weft::maximum(tensor(), y); }

constinit const Op clip_op = op_of<Call<Clip>>();
Tensor clip(const Tensor& x, const Tensor& low, const Tensor& high) {
  return build<Call<Clip>>(x, low, high);
}
Tensor clip(const Tensor& x, const Scalar& low, const Scalar& high) {
  return clip(x, weak("clip", low, x), weak("clip", high, x));
}
Tensor clip(const Tensor& x, const Scalar& low, const Tensor& high) {
  return clip(x, weak("clip", low, x), high);
}
Tensor clip(const Tensor& x, const Tensor& low, const Scalar& high) {
  return clip(x, low, weak("clip", high, x));
}
Tensor ElementwiseMethods::clip(const Tensor& low, const Tensor& high) const {
  return weft::clip(tensor(), low, high);
}
Tensor ElementwiseMethods::clip(const Scalar& low, const Scalar& high) const {
  return weft::clip(tensor(), low, high);
}
Tensor ElementwiseMethods::clip(const Scalar& low, const Tensor& high) const {
  return weft::clip(tensor(), low, high);
}
Tensor ElementwiseMethods::clip(const Tensor& low, const Scalar& high) const {
  return weft::clip(tensor(), low, high);
}

}  // namespace weft
#endif
