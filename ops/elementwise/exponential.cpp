// SPDX-License-Identifier: Apache-2.0
// Exponentials and logarithms.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/exponential.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/engine/kernels/compute/math/exp-inl.h>
#include <weft/engine/kernels/compute/math/log-inl.h>
#include <weft/engine/kernels/compute/math/logaddexp-inl.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/division.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/exponential.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Exp : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "exp";
  static constexpr const Op& op = exp_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.23f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::exp(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::exp(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {multiply(cotangent, result)};
  }
};

struct Exp2 : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "exp2";
  static constexpr const Op& op = exp2_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.23f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::exp2(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::exp2(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {cotangent.multiply(result.multiply(std::numbers::ln2))};
  }
};

struct Expm1 : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "expm1";
  static constexpr const Op& op = expm1_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.23f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::expm1(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::expm1(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {cotangent.multiply(result.add(1))};
  }
};

struct Log : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "log";
  static constexpr const Op& op = log_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.23f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::log(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::log(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {divide(cotangent, x)};
  }
};

struct Log2 : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "log2";
  static constexpr const Op& op = log2_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.23f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::log2(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::log2(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.divide(x.multiply(std::numbers::ln2))};
  }
};

struct Log10 : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "log10";
  static constexpr const Op& op = log10_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.23f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::log10(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::log10(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.divide(x.multiply(std::numbers::ln10))};
  }
};

struct Log1p : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "log1p";
  static constexpr const Op& op = log1p_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.23f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::log1p(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::log1p(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.divide(x.add(1))};
  }
};

struct Logaddexp : EntryOf<2, kinds::floats> {
  static constexpr std::string_view name = "logaddexp";
  static constexpr const Op& op = logaddexp_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 5.0f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x, T y) {
    const double a = x, b = y;
    return static_cast<T>(std::max(a, b) + (a == b ? std::log(2.0) : of_difference(a - b)));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::logaddexp(d, x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y) {
    return {cotangent.multiply(x.subtract(y).sigmoid()),
            cotangent.multiply(y.subtract(x).sigmoid())};
  }

 private:
  static double of_difference(double x) { return std::log1p(std::exp(-std::fabs(x))); }
};

using All = Family<Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, Logaddexp>;

}  // namespace

const LinkTable& exponential_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(exponential_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) {
  return on_this_machine(exponential_links_by_set)(entry);
}

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op exp_op = op_of<Call<Exp>>();
Tensor exp(const Tensor& x) { return build<Call<Exp>>(x); }
Tensor ElementwiseMethods::exp() const { return weft::exp(tensor()); }

constinit const Op exp2_op = op_of<Call<Exp2>>();
Tensor exp2(const Tensor& x) { return build<Call<Exp2>>(x); }
Tensor ElementwiseMethods::exp2() const { return weft::exp2(tensor()); }

constinit const Op expm1_op = op_of<Call<Expm1>>();
Tensor expm1(const Tensor& x) { return build<Call<Expm1>>(x); }
Tensor ElementwiseMethods::expm1() const { return weft::expm1(tensor()); }

constinit const Op log_op = op_of<Call<Log>>();
Tensor log(const Tensor& x) { return build<Call<Log>>(x); }
Tensor ElementwiseMethods::log() const { return weft::log(tensor()); }

constinit const Op log2_op = op_of<Call<Log2>>();
Tensor log2(const Tensor& x) { return build<Call<Log2>>(x); }
Tensor ElementwiseMethods::log2() const { return weft::log2(tensor()); }

constinit const Op log10_op = op_of<Call<Log10>>();
Tensor log10(const Tensor& x) { return build<Call<Log10>>(x); }
Tensor ElementwiseMethods::log10() const { return weft::log10(tensor()); }

constinit const Op log1p_op = op_of<Call<Log1p>>();
Tensor log1p(const Tensor& x) { return build<Call<Log1p>>(x); }
Tensor ElementwiseMethods::log1p() const { return weft::log1p(tensor()); }

constinit const Op logaddexp_op = op_of<Call<Logaddexp>>();
Tensor logaddexp(const Tensor& x, const Tensor& y) { return build<Call<Logaddexp>>(x, y); }
Tensor logaddexp(const Tensor& x, const Scalar& y) { return logaddexp(x, weak("logaddexp", y, x)); }
Tensor logaddexp(const Scalar& x, const Tensor& y) { return logaddexp(weak("logaddexp", x, y), y); }
Tensor ElementwiseMethods::logaddexp(const Tensor& y) const { return weft::logaddexp(tensor(), y); }
Tensor ElementwiseMethods::logaddexp(const Scalar& y) const { return weft::logaddexp(tensor(), y); }

}  // namespace weft
#endif
