// SPDX-License-Identifier: Apache-2.0
// Powers and roots.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/powers.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/engine/kernels/compute/math/pow-inl.h>
#include <weft/engine/kernels/compute/math/root-inl.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/division.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/powers.h>
#include <weft/ops/elementwise/wrapped.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Pow : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "pow";
  static constexpr const Op& op = pow_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 1.0f;
  static constexpr bool is_long = true;

  template <RealLane T>
  static T value(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(std::pow(double{x}, double{y}));
    } else {
      if (y < 0)
        return x == 1 || (x == static_cast<T>(-1) && y % 2 == 0) ? T{1}
               : x == static_cast<T>(-1)                         ? x
                                                                 : T{0};
      auto power = unsigned_of(T{1}), base = unsigned_of(x);
      for (auto left = unsigned_of(y); left != 0; left /= 2, base *= base)
        if (left % 2 != 0) power *= base;
      return static_cast<T>(power);
    }
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::pow(d, x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor& x,
                         const Tensor& y) {
    const Tensor slope = y.multiply(x.pow(y.subtract(1))), rise = result.multiply(x.log());
    return {cotangent.multiply(slope.where(y.not_equal(0), 0)),
            cotangent.multiply(rise.where(x.not_equal(0), 0))};
  }
};

struct Sqrt : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "sqrt";
  static constexpr const Op& op = sqrt_op;
  static constexpr float cost = 0.08f;

  template <std::floating_point T>
  static T value(T x) {
    return std::sqrt(x);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::Sqrt(x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {divide(cotangent, add(result, result))};
  }
};

struct Rsqrt : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "rsqrt";
  static constexpr const Op& op = rsqrt_op;
  static constexpr double ulps = 1.5;
  static constexpr float cost = 0.1f;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(1 / std::sqrt(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::rsqrt(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor& x) {
    return {cotangent.multiply(result).divide(x.multiply(-2))};
  }
};

struct Cbrt : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "cbrt";
  static constexpr const Op& op = cbrt_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::cbrt(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::cbrt(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {cotangent.divide(result.square().multiply(3))};
  }
};

struct Hypot : EntryOf<2, kinds::floats> {
  static constexpr std::string_view name = "hypot";
  static constexpr const Op& op = hypot_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.2f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x, T y) {
    return static_cast<T>(std::hypot(double{x}, double{y}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::hypot(d, x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor& x,
                         const Tensor& y) {
    return {cotangent.multiply(x.divide(result)), cotangent.multiply(y.divide(result))};
  }
};

using All = Family<Pow, Sqrt, Rsqrt, Cbrt, Hypot>;

}  // namespace

const LinkTable& powers_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(powers_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return on_this_machine(powers_links_by_set)(entry); }

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op pow_op = op_of<Call<Pow>>();
Tensor pow(const Tensor& x, const Tensor& y) { return build<Call<Pow>>(x, y); }
Tensor pow(const Tensor& x, const Scalar& y) { return pow(x, weak("pow", y, x)); }
Tensor pow(const Scalar& x, const Tensor& y) { return pow(weak("pow", x, y), y); }
Tensor ElementwiseMethods::pow(const Tensor& y) const { return weft::pow(tensor(), y); }
Tensor ElementwiseMethods::pow(const Scalar& y) const { return weft::pow(tensor(), y); }

constinit const Op sqrt_op = op_of<Call<Sqrt>>();
Tensor sqrt(const Tensor& x) { return build<Call<Sqrt>>(x); }
Tensor ElementwiseMethods::sqrt() const { return weft::sqrt(tensor()); }

constinit const Op rsqrt_op = op_of<Call<Rsqrt>>();
Tensor rsqrt(const Tensor& x) { return build<Call<Rsqrt>>(x); }
Tensor ElementwiseMethods::rsqrt() const { return weft::rsqrt(tensor()); }

constinit const Op cbrt_op = op_of<Call<Cbrt>>();
Tensor cbrt(const Tensor& x) { return build<Call<Cbrt>>(x); }
Tensor ElementwiseMethods::cbrt() const { return weft::cbrt(tensor()); }

constinit const Op hypot_op = op_of<Call<Hypot>>();
Tensor hypot(const Tensor& x, const Tensor& y) { return build<Call<Hypot>>(x, y); }
Tensor hypot(const Tensor& x, const Scalar& y) { return hypot(x, weak("hypot", y, x)); }
Tensor hypot(const Scalar& x, const Tensor& y) { return hypot(weak("hypot", x, y), y); }
Tensor ElementwiseMethods::hypot(const Tensor& y) const { return weft::hypot(tensor(), y); }
Tensor ElementwiseMethods::hypot(const Scalar& y) const { return weft::hypot(tensor(), y); }

}  // namespace weft
#endif
