// SPDX-License-Identifier: Apache-2.0
// What a number is, and the signs of numbers given to others.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/predicates.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/predicates.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Isnan : EntryOf<1, kinds::reals> {
  static constexpr std::string_view name = "isnan";
  static constexpr const Op& op = isnan_op;
  static constexpr bool makes_bool = true;

  template <RealLane T>
  static bool value(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(x);
    else return false;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::IsNaN(x);
  }
};

struct Isinf : EntryOf<1, kinds::reals> {
  static constexpr std::string_view name = "isinf";
  static constexpr const Op& op = isinf_op;
  static constexpr bool makes_bool = true;

  template <RealLane T>
  static bool value(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::isinf(x);
    else return false;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::IsInf(x);
  }
};

struct Isfinite : EntryOf<1, kinds::reals> {
  static constexpr std::string_view name = "isfinite";
  static constexpr const Op& op = isfinite_op;
  static constexpr bool makes_bool = true;

  template <RealLane T>
  static bool value(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::isfinite(x);
    else return true;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::IsFinite(x);
  }
};

struct Signbit : EntryOf<1, kinds::reals> {
  static constexpr std::string_view name = "signbit";
  static constexpr const Op& op = signbit_op;
  static constexpr bool makes_bool = true;

  template <RealLane T>
  static bool value(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::signbit(x);
    else return x < 0;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    const hn::RebindToSigned<D> bits;
    return hn::RebindMask(d, hn::Lt(hn::BitCast(bits, x), hn::Zero(bits)));
  }
};

struct Copysign : EntryOf<2, kinds::floats> {
  static constexpr std::string_view name = "copysign";
  static constexpr const Op& op = copysign_op;

  template <std::floating_point T>
  static T value(T x, T y) {
    return std::copysign(x, y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::CopySign(x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y) {
    const Tensor is_kept = x.signbit().equal(y.signbit());
    return {cotangent.where(is_kept, cotangent.negative()), Tensor()};
  }
};

using All = Family<Isnan, Isinf, Isfinite, Signbit, Copysign>;

}  // namespace

const LinkTable& predicates_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(predicates_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) {
  return on_this_machine(predicates_links_by_set)(entry);
}

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op isnan_op = op_of<Call<Isnan>>();
Tensor isnan(const Tensor& x) { return build<Call<Isnan>>(x); }
Tensor ElementwiseMethods::isnan() const { return weft::isnan(tensor()); }

constinit const Op isinf_op = op_of<Call<Isinf>>();
Tensor isinf(const Tensor& x) { return build<Call<Isinf>>(x); }
Tensor ElementwiseMethods::isinf() const { return weft::isinf(tensor()); }

constinit const Op isfinite_op = op_of<Call<Isfinite>>();
Tensor isfinite(const Tensor& x) { return build<Call<Isfinite>>(x); }
Tensor ElementwiseMethods::isfinite() const { return weft::isfinite(tensor()); }

constinit const Op signbit_op = op_of<Call<Signbit>>();
Tensor signbit(const Tensor& x) { return build<Call<Signbit>>(x); }
Tensor ElementwiseMethods::signbit() const { return weft::signbit(tensor()); }

constinit const Op copysign_op = op_of<Call<Copysign>>();
Tensor copysign(const Tensor& x, const Tensor& y) { return build<Call<Copysign>>(x, y); }
Tensor copysign(const Tensor& x, const Scalar& y) { return copysign(x, weak("copysign", y, x)); }
Tensor copysign(const Scalar& x, const Tensor& y) { return copysign(weak("copysign", x, y), y); }
Tensor ElementwiseMethods::copysign(const Tensor& y) const { return weft::copysign(tensor(), y); }
Tensor ElementwiseMethods::copysign(const Scalar& y) const { return weft::copysign(tensor(), y); }

}  // namespace weft
#endif
