// SPDX-License-Identifier: Apache-2.0
// Division, and what is left by it.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/division.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>
#include <complex>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/division.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/wrapped.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// What is left of x when y is taken from it as often as possible, with the sign of x: 0 of
/// integers by 0.
template <std::integral T>
T rest_of(T x, T y) {
  if (y == 0 || y == static_cast<T>(-1)) return 0;  // x % -1 may overflow
  return static_cast<T>(x % y);
}

struct Divide : EntryOf<2, kinds::fractions> {
  static constexpr std::string_view name = "divide";
  static constexpr const Op& op = divide_op;
  static constexpr float cost = 0.04f;
  static constexpr std::string_view instead = "floor_divide";

  template <FractionLane T>
  static T value(T x, T y) {
    return x / y;
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Div(x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&,
                         const Tensor& y) {
    const Tensor by_x = divide(cotangent, y);
    return {by_x, negative(multiply(by_x, result))};
  }
};

struct FloorDivide : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "floor_divide";
  static constexpr const Op& op = floor_divide_op;
  static constexpr float cost = 1.0f;

  template <RealLane T>
  static T value(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      if (y == 0) return 0;
      if (std::is_signed_v<T> && y == static_cast<T>(-1)) return static_cast<T>(0 - unsigned_of(x));
      const T quotient = static_cast<T>(x / y);
      return static_cast<T>(quotient - (quotient * y != x && (x < 0) != (y < 0) ? 1 : 0));
    } else {
      if (y == 0) return x / y;
      const T rest = std::fmod(x, y);
      const T steps = (x - rest) / y - (rest != 0 && (y < 0) != (rest < 0) ? T{1} : T{0});
      if (steps == 0) return std::copysign(T{0}, x / y);
      const T whole = std::floor(steps);
      return steps - whole > T{0.5} ? whole + 1 : whole;
    }
  }
};

struct Remainder : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "remainder";
  static constexpr const Op& op = remainder_op;
  static constexpr float cost = 1.0f;

  template <RealLane T>
  static T value(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      const T rest = std::is_signed_v<T> ? rest_of(x, y) : y == 0 ? T{0} : static_cast<T>(x % y);
      return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
    } else {
      const T rest = std::fmod(x, y);
      if (y == 0) return rest;
      if (rest == 0) return std::copysign(T{0}, y);
      return (rest < 0) != (y < 0) ? rest + y : rest;
    }
  }
};

struct Reciprocal : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "reciprocal";
  static constexpr const Op& op = reciprocal_op;
  static constexpr float cost = 0.04f;

  template <std::floating_point T>
  static T value(T x) {
    return 1 / x;
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::Div(hn::Set(d, hn::TFromD<D>{1}), x);
  }
};

using All = Family<Divide, FloorDivide, Remainder, Reciprocal>;

}  // namespace

const LinkTable& division_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(division_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return HWY_DYNAMIC_DISPATCH(division_links)(entry); }

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op divide_op = op_of<Call<Divide>>();
Tensor divide(const Tensor& x, const Tensor& y) { return build<Call<Divide>>(x, y); }
Tensor divide(const Tensor& x, const Scalar& y) { return divide(x, weak("divide", y, x)); }
Tensor divide(const Scalar& x, const Tensor& y) { return divide(weak("divide", x, y), y); }
Tensor ElementwiseMethods::divide(const Tensor& y) const { return weft::divide(tensor(), y); }
Tensor ElementwiseMethods::divide(const Scalar& y) const { return weft::divide(tensor(), y); }

constinit const Op floor_divide_op = op_of<Call<FloorDivide>>();
Tensor floor_divide(const Tensor& x, const Tensor& y) { return build<Call<FloorDivide>>(x, y); }
Tensor floor_divide(const Tensor& x, const Scalar& y) {
  return floor_divide(x, weak("floor_divide", y, x));
}
Tensor floor_divide(const Scalar& x, const Tensor& y) {
  return floor_divide(weak("floor_divide", x, y), y);
}
Tensor ElementwiseMethods::floor_divide(const Tensor& y) const {
  return weft::floor_divide(tensor(), y);
}
Tensor ElementwiseMethods::floor_divide(const Scalar& y) const {
  return weft::floor_divide(tensor(), y);
}

constinit const Op remainder_op = op_of<Call<Remainder>>();
Tensor remainder(const Tensor& x, const Tensor& y) { return build<Call<Remainder>>(x, y); }
Tensor remainder(const Tensor& x, const Scalar& y) { return remainder(x, weak("remainder", y, x)); }
Tensor remainder(const Scalar& x, const Tensor& y) { return remainder(weak("remainder", x, y), y); }
Tensor ElementwiseMethods::remainder(const Tensor& y) const { return weft::remainder(tensor(), y); }
Tensor ElementwiseMethods::remainder(const Scalar& y) const { return weft::remainder(tensor(), y); }

constinit const Op reciprocal_op = op_of<Call<Reciprocal>>();
Tensor reciprocal(const Tensor& x) { return build<Call<Reciprocal>>(x); }
Tensor ElementwiseMethods::reciprocal() const { return weft::reciprocal(tensor()); }

}  // namespace weft
#endif
