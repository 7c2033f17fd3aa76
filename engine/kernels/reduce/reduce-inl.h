// SPDX-License-Identifier: Apache-2.0
// From a function that combines two vectors to what reduces elements of each type. Included once
// per target.
#if defined(WEFT_ENGINE_KERNELS_REDUCE_REDUCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_ENGINE_KERNELS_REDUCE_REDUCE_INL_H_
#undef WEFT_ENGINE_KERNELS_REDUCE_REDUCE_INL_H_
#else
#define WEFT_ENGINE_KERNELS_REDUCE_REDUCE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <weft/engine/kernels/reduce.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Of elements of T: Entry has value(T, T), and vector(D, V, V) where there are such vectors.
template <class Entry, class T>
struct ReduceLoops {
  using D = hn::ScalableTag<T>;
  static constexpr bool has_vectors = requires(hn::Vec<D> x) { Entry::vector(D(), x, x); };

  static HWY_INLINE hn::Vec<D> load(const std::byte* from) {
    return hn::LoadU(D(), reinterpret_cast<const T*>(from));
  }

  static void combine(std::byte* to, const std::byte* x, std::int64_t count) noexcept {
    const D d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    if constexpr (has_vectors)
      for (; i + lanes <= count; i += lanes) {
        const std::int64_t at = i * std::int64_t{sizeof(T)};
        hn::StoreU(Entry::vector(d, load(to + at), load(x + at)), d, reinterpret_cast<T*>(to + at));
      }
    for (; i < count; ++i) {
      T a, b;
      std::memcpy(&a, to + i * std::int64_t{sizeof(T)}, sizeof(T));
      std::memcpy(&b, x + i * std::int64_t{sizeof(T)}, sizeof(T));
      a = Entry::value(a, b);
      std::memcpy(to + i * std::int64_t{sizeof(T)}, &a, sizeof(T));
    }
  }

  /// Eight vectors at a time stay in registers, or as many as there are.
  static void fold(std::byte* to, const std::byte* x, std::int64_t times) noexcept {
    constexpr std::int64_t element = sizeof(T), block = partial_results * element;
    if constexpr (!has_vectors) {
      for (; times > 0; --times, x += block) combine(to, x, partial_results);
    } else {
      const auto bytes = static_cast<std::int64_t>(hn::Lanes(D())) * element;
      if (block == 4 * bytes) return fold_by<4>(to, x, times, 0);
      for (std::int64_t at = 0; at < block; at += 8 * bytes) fold_by<8>(to, x, times, at);
    }
  }

  static void fold_rows(std::byte* to, const std::byte* x, std::int64_t pitch, std::int64_t rows,
                        std::int64_t count) noexcept {
    constexpr std::int64_t element = sizeof(T);
    std::int64_t i = 0;
    if constexpr (has_vectors) {
      const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
      for (; i + 8 * lanes <= count; i += 8 * lanes)
        fold_eight(to + i * element, x + i * element, pitch, rows);
    }
    if (i == count) return;
    for (std::int64_t row = 0; row < rows; ++row)
      combine(to + i * element, x + row * pitch + i * element, count - i);
  }

  static void fold_all(std::byte* to, const std::byte* x, std::int64_t count) noexcept {
    constexpr std::int64_t element = sizeof(T);
    HWY_ALIGN T partial[partial_results] = {};
    auto* const bytes = reinterpret_cast<std::byte*>(partial);
    const std::int64_t live = std::min(count, partial_results),
                       times = (count - live) / partial_results,
                       done = live + times * partial_results;
    std::memcpy(partial, x, static_cast<std::size_t>(live * element));
    if (times > 0) fold(bytes, x + live * element, times);
    if (done < count) combine(bytes, x + done * element, count - done);
    join(partial, live);
    std::memcpy(to, partial, sizeof(T));
  }

 private:
  /// The first of so many partial results becomes that of all.
  static HWY_INLINE void join(T* partial, std::int64_t live) noexcept {
    for (std::int64_t half = partial_results / 2; half > 0; half /= 2) {
      if (live <= half) continue;
      std::int64_t i = 0;
      if constexpr (has_vectors) {
        const D d;
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
        for (; i + lanes <= live - half; i += lanes)
          hn::Store(Entry::vector(d, hn::Load(d, partial + i), hn::LoadU(d, partial + half + i)), d,
                    partial + i);
      }
      for (; i < live - half; ++i) partial[i] = Entry::value(partial[i], partial[half + i]);
      live = half;
    }
  }
  /// Of eight vectors side by side.
  static HWY_INLINE void fold_eight(std::byte* to, const std::byte* x, std::int64_t pitch,
                                    std::int64_t rows) noexcept {
    const D d;
    const auto bytes = static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T));
    const auto from = [&](std::int64_t k) { return load(x + k * bytes); };
    const auto own = [&](std::int64_t k) { return load(to + k * bytes); };
    auto a = own(0), b = own(1), c = own(2), e = own(3);
    auto f = own(4), g = own(5), h = own(6), i = own(7);
    for (; rows > 0; --rows, x += pitch) {
      a = Entry::vector(d, a, from(0));
      b = Entry::vector(d, b, from(1));
      c = Entry::vector(d, c, from(2));
      e = Entry::vector(d, e, from(3));
      f = Entry::vector(d, f, from(4));
      g = Entry::vector(d, g, from(5));
      h = Entry::vector(d, h, from(6));
      i = Entry::vector(d, i, from(7));
    }
    const auto put = [&](std::int64_t k, auto v) {
      hn::StoreU(v, d, reinterpret_cast<T*>(to + k * bytes));
    };
    put(0, a), put(1, b), put(2, c), put(3, e), put(4, f), put(5, g), put(6, h), put(7, i);
  }

  template <std::int64_t vectors>
  static HWY_INLINE void fold_by(std::byte* to, const std::byte* x, std::int64_t times,
                                 std::int64_t at) noexcept {
    const D d;
    constexpr std::int64_t element = sizeof(T), block = partial_results * element;
    const auto bytes = static_cast<std::int64_t>(hn::Lanes(d)) * element;
    const auto from = [&](std::int64_t k) { return load(x + at + k * bytes); };
    const auto own = [&](std::int64_t k) { return to + at + k * bytes; };
    auto a = load(own(0)), b = load(own(1)), c = load(own(2)), e = load(own(3));
    auto f = a, g = a, h = a, i = a;
    if constexpr (vectors == 8)
      f = load(own(4)), g = load(own(5)), h = load(own(6)), i = load(own(7));
    for (; times > 0; --times, x += block) {
      a = Entry::vector(d, a, from(0));
      b = Entry::vector(d, b, from(1));
      c = Entry::vector(d, c, from(2));
      e = Entry::vector(d, e, from(3));
      if constexpr (vectors == 8) {
        f = Entry::vector(d, f, from(4));
        g = Entry::vector(d, g, from(5));
        h = Entry::vector(d, h, from(6));
        i = Entry::vector(d, i, from(7));
      }
    }
    const auto put = [&](std::int64_t k, auto v) {
      hn::StoreU(v, d, reinterpret_cast<T*>(own(k)));
    };
    put(0, a), put(1, b), put(2, c), put(3, e);
    if constexpr (vectors == 8) put(4, f), put(5, g), put(6, h), put(7, i);
  }
};

template <class Entry, class T>
inline constexpr ReduceKernels reduce_kernels{
    sizeof(T), ReduceLoops<Entry, T>::combine, ReduceLoops<Entry, T>::fold,
    ReduceLoops<Entry, T>::fold_rows, ReduceLoops<Entry, T>::fold_all};

/// By the order of `reduced_types`.
template <class Entry>
const ReduceKernels& reduce_kernels_of(std::size_t type) {
  static constexpr std::array<const ReduceKernels*, reduced_types> all{
      &reduce_kernels<Entry, float>, &reduce_kernels<Entry, double>,
      &reduce_kernels<Entry, std::int32_t>, &reduce_kernels<Entry, std::int64_t>,
      &reduce_kernels<Entry, std::uint64_t>};
  return *all[type];
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // WEFT_ENGINE_KERNELS_REDUCE_REDUCE_INL_H_
