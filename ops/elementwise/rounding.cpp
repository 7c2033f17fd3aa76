// SPDX-License-Identifier: Apache-2.0
// Whole numbers of floating-point ones.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/rounding.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/rounding.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// Highway's single elements lose the signs of zeros.
template <class D>
inline constexpr bool is_rounded = hwy::IsFloat<hn::TFromD<D>>() && HWY_TARGET != HWY_SCALAR;

struct Floor : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "floor";
  static constexpr const Op& op = floor_op;

  template <std::floating_point T>
  static T value(T x) {
    return std::floor(x);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(is_rounded<D>) {
    return hn::Floor(x);
  }
  static Tensors adjoint(const Tensor&, const Tensor&, const Tensor&) { return {Tensor()}; }
};

struct Ceil : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "ceil";
  static constexpr const Op& op = ceil_op;

  template <std::floating_point T>
  static T value(T x) {
    return std::ceil(x);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(is_rounded<D>) {
    return hn::Ceil(x);
  }
  static Tensors adjoint(const Tensor&, const Tensor&, const Tensor&) { return {Tensor()}; }
};

struct Round : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "round";
  static constexpr const Op& op = round_op;

  template <std::floating_point T>
  static T value(T x) {
    return std::nearbyint(x);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(is_rounded<D>) {
    return hn::Round(x);
  }
  static Tensors adjoint(const Tensor&, const Tensor&, const Tensor&) { return {Tensor()}; }
};

struct Trunc : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "trunc";
  static constexpr const Op& op = trunc_op;

  template <std::floating_point T>
  static T value(T x) {
    return std::trunc(x);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(is_rounded<D>) {
    return hn::Trunc(x);
  }
  static Tensors adjoint(const Tensor&, const Tensor&, const Tensor&) { return {Tensor()}; }
};

using All = Family<Floor, Ceil, Round, Trunc>;

}  // namespace

const LinkTable& rounding_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(rounding_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return on_this_machine(rounding_links_by_set)(entry); }

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op floor_op = op_of<Call<Floor>>();
Tensor floor(const Tensor& x) { return build<Call<Floor>>(x); }
Tensor ElementwiseMethods::floor() const { return weft::floor(tensor()); }

constinit const Op ceil_op = op_of<Call<Ceil>>();
Tensor ceil(const Tensor& x) { return build<Call<Ceil>>(x); }
Tensor ElementwiseMethods::ceil() const { return weft::ceil(tensor()); }

constinit const Op round_op = op_of<Call<Round>>();
Tensor round(const Tensor& x) { return build<Call<Round>>(x); }
Tensor ElementwiseMethods::round() const { return weft::round(tensor()); }

constinit const Op trunc_op = op_of<Call<Trunc>>();
Tensor trunc(const Tensor& x) { return build<Call<Trunc>>(x); }
Tensor ElementwiseMethods::trunc() const { return weft::trunc(tensor()); }

}  // namespace weft
#endif
