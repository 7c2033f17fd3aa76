// SPDX-License-Identifier: Apache-2.0
// Functions of angles in radians, and their inverses.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/trigonometric.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/engine/kernels/compute/math/inverse_trig-inl.h>
#include <weft/engine/kernels/compute/math/sincos-inl.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/trigonometric.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Sin : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "sin";
  static constexpr const Op& op = sin_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::sin(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::sin(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.multiply(x.cos())};
  }
};

struct Cos : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "cos";
  static constexpr const Op& op = cos_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::cos(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::cos(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.multiply(x.sin()).negative()};
  }
};

struct Tan : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "tan";
  static constexpr const Op& op = tan_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::tan(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::tan(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {cotangent.add(cotangent.multiply(result.square()))};
  }
};

struct Asin : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "asin";
  static constexpr const Op& op = asin_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::asin(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::asin(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.divide(x.square().negative().add(1).sqrt())};
  }
};

struct Acos : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "acos";
  static constexpr const Op& op = acos_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::acos(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::acos(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.divide(x.square().negative().add(1).sqrt()).negative()};
  }
};

struct Atan : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "atan";
  static constexpr const Op& op = atan_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::atan(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::atan(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.divide(x.square().add(1))};
  }
};

struct Atan2 : EntryOf<2, kinds::floats> {
  static constexpr std::string_view name = "atan2";
  static constexpr const Op& op = atan2_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.5f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x, T y) {
    return static_cast<T>(std::atan2(double{x}, double{y}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::atan2(d, x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y) {
    const Tensor scaled = cotangent.divide(x.square().add(y.square()));
    return {scaled.multiply(y), scaled.multiply(x).negative()};
  }
};

using All = Family<Sin, Cos, Tan, Asin, Acos, Atan, Atan2>;

}  // namespace

const LinkTable& trigonometric_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(trigonometric_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) {
  return on_this_machine(trigonometric_links_by_set)(entry);
}

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op sin_op = op_of<Call<Sin>>();
Tensor sin(const Tensor& x) { return build<Call<Sin>>(x); }
Tensor ElementwiseMethods::sin() const { return weft::sin(tensor()); }

constinit const Op cos_op = op_of<Call<Cos>>();
Tensor cos(const Tensor& x) { return build<Call<Cos>>(x); }
Tensor ElementwiseMethods::cos() const { return weft::cos(tensor()); }

constinit const Op tan_op = op_of<Call<Tan>>();
Tensor tan(const Tensor& x) { return build<Call<Tan>>(x); }
Tensor ElementwiseMethods::tan() const { return weft::tan(tensor()); }

constinit const Op asin_op = op_of<Call<Asin>>();
Tensor asin(const Tensor& x) { return build<Call<Asin>>(x); }
Tensor ElementwiseMethods::asin() const { return weft::asin(tensor()); }

constinit const Op acos_op = op_of<Call<Acos>>();
Tensor acos(const Tensor& x) { return build<Call<Acos>>(x); }
Tensor ElementwiseMethods::acos() const { return weft::acos(tensor()); }

constinit const Op atan_op = op_of<Call<Atan>>();
Tensor atan(const Tensor& x) { return build<Call<Atan>>(x); }
Tensor ElementwiseMethods::atan() const { return weft::atan(tensor()); }

constinit const Op atan2_op = op_of<Call<Atan2>>();
Tensor atan2(const Tensor& x, const Tensor& y) { return build<Call<Atan2>>(x, y); }
Tensor atan2(const Tensor& x, const Scalar& y) { return atan2(x, weak("atan2", y, x)); }
Tensor atan2(const Scalar& x, const Tensor& y) { return atan2(weak("atan2", x, y), y); }
Tensor ElementwiseMethods::atan2(const Tensor& y) const { return weft::atan2(tensor(), y); }
Tensor ElementwiseMethods::atan2(const Scalar& y) const { return weft::atan2(tensor(), y); }

}  // namespace weft
#endif
