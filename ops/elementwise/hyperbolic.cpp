// SPDX-License-Identifier: Apache-2.0
// Hyperbolic functions, and the error function.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/hyperbolic.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>
#include <numbers>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/engine/kernels/compute/math/erf-inl.h>
#include <weft/engine/kernels/compute/math/hyperbolic-inl.h>
#include <weft/engine/kernels/compute/math/tanh-inl.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/hyperbolic.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Sinh : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "sinh";
  static constexpr const Op& op = sinh_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.31f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::sinh(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::sinh(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.multiply(x.cosh())};
  }
};

struct Cosh : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "cosh";
  static constexpr const Op& op = cosh_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.31f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::cosh(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::cosh(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.multiply(x.sinh())};
  }
};

struct Tanh : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "tanh";
  static constexpr const Op& op = tanh_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.31f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::tanh(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::tanh(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {cotangent.subtract(cotangent.multiply(result.square()))};
  }
};

struct Erf : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "erf";
  static constexpr const Op& op = erf_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.31f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::erf(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::erf(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    const Tensor slope = x.square().negative().exp().multiply(2 * std::numbers::inv_sqrtpi);
    return {cotangent.multiply(slope)};
  }
};

using All = Family<Sinh, Cosh, Tanh, Erf>;

}  // namespace

const LinkTable& hyperbolic_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(hyperbolic_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) {
  return on_this_machine(hyperbolic_links_by_set)(entry);
}

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op sinh_op = op_of<Call<Sinh>>();
Tensor sinh(const Tensor& x) { return build<Call<Sinh>>(x); }
Tensor ElementwiseMethods::sinh() const { return weft::sinh(tensor()); }

constinit const Op cosh_op = op_of<Call<Cosh>>();
Tensor cosh(const Tensor& x) { return build<Call<Cosh>>(x); }
Tensor ElementwiseMethods::cosh() const { return weft::cosh(tensor()); }

constinit const Op tanh_op = op_of<Call<Tanh>>();
Tensor tanh(const Tensor& x) { return build<Call<Tanh>>(x); }
Tensor ElementwiseMethods::tanh() const { return weft::tanh(tensor()); }

constinit const Op erf_op = op_of<Call<Erf>>();
Tensor erf(const Tensor& x) { return build<Call<Erf>>(x); }
Tensor ElementwiseMethods::erf() const { return weft::erf(tensor()); }

}  // namespace weft
#endif
