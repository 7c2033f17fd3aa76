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

#if HWY_TARGET != HWY_SCALAR
// Integers of up to 32 bits are divided as floats that hold them all: a rounded quotient is never
// across a whole number then.

template <class D>
HWY_INLINE auto to_doubles(D d, hn::Vec<hn::Rebind<std::int32_t, D>> x) {
  return hn::PromoteTo(d, x);
}
template <class D, class U = hn::Rebind<std::uint32_t, D>>
HWY_INLINE auto to_doubles(D d, hn::Vec<U> x) {
  const auto less = hn::Xor(x, hn::Set(U(), 0x80000000u));
  return hn::Add(hn::PromoteTo(d, hn::BitCast(hn::Rebind<std::int32_t, D>(), less)),
                 hn::Set(d, 0x1p31));
}
template <class D, class V>
HWY_INLINE hn::Vec<D> from_doubles(D d, V x) {
  if constexpr (std::is_signed_v<hn::TFromD<D>>) {
    return hn::DemoteTo(d, x);
  } else {
    const hn::Rebind<std::int32_t, D> whole;
    const auto less = hn::Sub(x, hn::Set(hn::Rebind<double, D>(), 0x1p31));
    return hn::Xor(hn::BitCast(d, hn::DemoteTo(whole, less)), hn::Set(d, 0x80000000u));
  }
}

/// Make::of(d, x, y) -> a whole number, of integers as floats; no use where y is 0.
template <class Make, class D, class V>
HWY_INLINE V by_floats(D d, V x, V y) {
  using T = hn::TFromD<D>;
  const hn::Half<D> half;
  const auto low = [half](V v) HWY_ATTR { return hn::LowerHalf(half, v); };
  const auto high = [half](V v) HWY_ATTR { return hn::UpperHalf(half, v); };
  if constexpr (sizeof(T) == 4) {
    const hn::Rebind<double, decltype(half)> f;
    const auto made = [half, f](auto a, auto b) HWY_ATTR {
      return from_doubles(half, Make::of(f, to_doubles(f, a), to_doubles(f, b)));
    };
    return hn::Combine(d, made(high(x), high(y)), made(low(x), low(y)));
  } else if constexpr (sizeof(T) == 2) {
    const hn::Rebind<std::int32_t, decltype(half)> wide;
    const hn::Rebind<float, decltype(half)> f;
    const auto made = [half, wide, f](auto a, auto b) HWY_ATTR {
      const auto x_f = hn::ConvertTo(f, hn::PromoteTo(wide, a));
      const auto y_f = hn::ConvertTo(f, hn::PromoteTo(wide, b));
      return hn::DemoteTo(half, hn::ConvertTo(wide, Make::of(f, x_f, y_f)));
    };
    return hn::Combine(d, made(high(x), high(y)), made(low(x), low(y)));
  } else {
    const hn::Rebind<std::int16_t, decltype(half)> wide;
    const auto made = [half, wide](auto a, auto b) HWY_ATTR {
      return hn::DemoteTo(half,
                          by_floats<Make>(wide, hn::PromoteTo(wide, a), hn::PromoteTo(wide, b)));
    };
    return hn::Combine(d, made(high(x), high(y)), made(low(x), low(y)));
  }
}

struct FloorOfQuotient {
  template <class D, class V>
  static HWY_INLINE V of(D, V x, V y) {
    return hn::Floor(hn::Div(x, y));
  }
};
struct RestOfQuotient {
  template <class D, class V>
  static HWY_INLINE V of(D, V x, V y) {
    return hn::Sub(x, hn::Mul(hn::Floor(hn::Div(x, y)), y));
  }
};

/// Nothing where y is 0.
template <class D, class V>
HWY_INLINE V unless_zero(D d, V y, V made) {
  return hn::IfThenElse(hn::Eq(y, hn::Zero(d)), hn::Zero(d), made);
}
template <class T>
concept DividesByFloats = std::integral<T> && sizeof(T) <= 4;

template <class T>
concept HasExactRest = std::floating_point<T> && HWY_NATIVE_FMA != 0;

/// What std::fmod makes of all lanes where each has a quotient of few digits, else nothing: the
/// quotient is rounded up to a whole number at most, and what is left by it is exact.
template <class D, class V>
HWY_INLINE bool has_rest(D d, V x, V y, V& rest) {
  using T = hn::TFromD<D>;
  constexpr T most = sizeof(T) == 4 ? T{0x1p22} : T{0x1p51};
  const V quotient = hn::Trunc(hn::Div(x, y));
  const auto is_exact =
      hn::And(hn::Lt(hn::Abs(quotient), hn::Set(d, most)), hn::Lt(hn::Abs(y), hn::Inf(d)));
  const V left = hn::NegMulAdd(quotient, y, x);
  const auto is_past = hn::Lt(hn::Mul(left, hn::CopySign(hn::Set(d, T{1}), x)), hn::Zero(d));
  rest = hn::IfThenElse(is_past, hn::Add(left, hn::CopySign(y, x)), left);
  return hn::AllTrue(d, is_exact);
}

/// Each element by itself.
template <class Entry, class D, class V>
HWY_NOINLINE V one_by_one(D d, V x, V y) {
  using T = hn::TFromD<D>;
  alignas(64) T a[hn::MaxLanes(d)], b[hn::MaxLanes(d)];
  hn::Store(x, d, a);
  hn::Store(y, d, b);
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) a[k] = Entry::value(a[k], b[k]);
  return hn::Load(d, a);
}
#endif

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
  static constexpr bool is_long = true;
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
#if HWY_TARGET != HWY_SCALAR
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires DividesByFloats<hn::TFromD<D>> {
    using T = hn::TFromD<D>;
    const V floor = unless_zero(d, y, by_floats<FloorOfQuotient>(d, x, y));
    if constexpr (std::is_unsigned_v<T>) return floor;
    // The least one by -1 is itself again.
    else return hn::IfThenElse(hn::Eq(y, hn::Set(d, T{-1})), hn::Sub(hn::Zero(d), x), floor);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires HasExactRest<hn::TFromD<D>> {
    using T = hn::TFromD<D>;
    V rest;
    if (!has_rest(d, x, y, rest)) return one_by_one<FloorDivide>(d, x, y);
    const auto zero = hn::Zero(d), one = hn::Set(d, T{1});
    const auto is_below =
        hn::AndNot(hn::Eq(rest, zero), hn::Xor(hn::Lt(y, zero), hn::Lt(rest, zero)));
    const V steps = hn::Sub(hn::Div(hn::Sub(x, rest), y), hn::IfThenElseZero(is_below, one));
    const V whole = hn::Floor(steps);
    const auto is_above = hn::Gt(hn::Sub(steps, whole), hn::Set(d, T{0.5}));
    return hn::IfThenElse(hn::Eq(steps, zero), hn::CopySign(zero, hn::Div(x, y)),
                          hn::Add(whole, hn::IfThenElseZero(is_above, one)));
  }
#endif
  static Tensors adjoint(const Tensor&, const Tensor&, const Tensor&, const Tensor&) {
    return {Tensor(), Tensor()};
  }
};

struct Remainder : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "remainder";
  static constexpr const Op& op = remainder_op;
  static constexpr bool is_long = true;
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
#if HWY_TARGET != HWY_SCALAR
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires DividesByFloats<hn::TFromD<D>> {
    return unless_zero(d, y, by_floats<RestOfQuotient>(d, x, y));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires HasExactRest<hn::TFromD<D>> {
    V rest;
    if (!has_rest(d, x, y, rest)) return one_by_one<Remainder>(d, x, y);
    const auto zero = hn::Zero(d);
    const V of_y =
        hn::IfThenElse(hn::Xor(hn::Lt(rest, zero), hn::Lt(y, zero)), hn::Add(rest, y), rest);
    return hn::IfThenElse(hn::Eq(rest, zero), hn::CopySign(zero, y), of_y);
  }
#endif
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y) {
    return {cotangent, cotangent.multiply(x.floor_divide(y)).negative()};
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
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {cotangent.multiply(result.square()).negative()};
  }
};

using All = Family<Divide, FloorDivide, Remainder, Reciprocal>;

}  // namespace

const LinkTable& division_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(division_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return on_this_machine(division_links_by_set)(entry); }

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
