// SPDX-License-Identifier: Apache-2.0
// From the entry of an op that combines elements to all that is made of it.
//
// An entry is a struct, in a file that is compiled for each instruction set, with
//   static constexpr std::string_view name
//   static constexpr const Op& op               the op as data
//   static constexpr TypeKinds types            it takes
//   static DType computed(DType)                the type it computes elements of that one in
//   static DType made(DType)                    the type of its result
//   template <class T> static T value(T, T)     the meaning, which is associative but for rounding
//   template <class D, class V> static V vector(D, V, V)   the same of vectors
// and may have
//   template <class T> static T identity()      what nothing is reduced to
#pragma once

#include <cstring>
#include <string_view>
#include <tuple>

#include <weft/graph/define.h>
#include <weft/ops/create/full.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/elementwise/wrapped.h>
#include <weft/ops/reduce/reduced.h>

namespace weft {

/// How numbers are added, where integers wrap: an entry's identity and meaning.
struct Added {
  template <class T>
  static constexpr T identity() {
    return T{0};
  }
  template <class T>
  static T value(T x, T y) {
    return static_cast<T>(unsigned_of(x) + unsigned_of(y));
  }
};
/// The same of multiplying.
struct Multiplied {
  template <class T>
  static constexpr T identity() {
    return T{1};
  }
  template <class T>
  static T value(T x, T y) {
    return static_cast<T>(unsigned_of(x) * unsigned_of(y));
  }
};

/// Calls work(T{}) for a type that reductions compute in.
template <class Work>
auto with_reduced(DType type, Work&& work) {
  if (type == f32) return work(float{});
  if (type == f64) return work(double{});
  if (type == i32) return work(std::int32_t{});
  if (type == i64) return work(std::int64_t{});
  return work(std::uint64_t{});
}
/// Which of `reduced_types` that is.
inline std::size_t place_of_reduced(DType type) {
  return type == f32 ? 0 : type == f64 ? 1 : type == i32 ? 2 : type == i64 ? 3 : 4;
}

/// In the order of the elements; of f32 in double, rounded once.
template <class Entry>
void reduce_by_value(DType type, const std::byte* elements, std::int64_t count, std::byte* to) {
  with_reduced(type, [&]<class T>(T) {
    using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
    const auto at = [&](std::int64_t i) {
      T value;
      std::memcpy(&value, elements + i * std::int64_t{sizeof(T)}, sizeof(T));
      return static_cast<Wide>(value);
    };
    Wide all = at(0);
    for (std::int64_t i = 1; i < count; ++i) all = Entry::value(all, at(i));
    const T made = static_cast<T>(all);
    std::memcpy(to, &made, sizeof(T));
  });
}

/// The call of an op of that entry, as graph/define.h wants it.
template <class Entry, const Reducer& reducer>
struct ReduceCall {
  static constexpr std::string_view name = Entry::name;
  static constexpr const Op& op = Entry::op;
  static constexpr std::tuple fields = reduce_fields;
  static constexpr bool has_identity = requires { Entry::template identity<double>(); };

  static KnownType infer(const KnownType& x, const Ints& axes, const bool& keepdims) {
    return {Entry::made(common_type(name, Entry::types, {x.dtype})),
            reduced_shape(name, x.shape, axes, keepdims, has_identity)};
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& axes, const bool&) {
    const DType computed = Entry::computed(x.dtype());
    if constexpr (has_identity)
      if (reduced_count(name, axes, x.shape()) == 0)
        return with_reduced(computed, [&]<class T>(T) {
          return full(type.shape, Scalar(Entry::template identity<T>()), type.dtype);
        });
    return astype(reduce_by(reducer, astype(x, computed), axes, type.shape), type.dtype);
  }
};

}  // namespace weft
