// SPDX-License-Identifier: Apache-2.0
// Sums and products of all elements up to each: chunks of the axis first, each from nothing, then
// what was before each.
#include <weft/ops/reduce/cumulative.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/create/full.h>
#include <weft/ops/grow/concat.h>
#include <weft/ops/reduce/entry.h>

namespace weft {
namespace {

// Along the axis, so many are combined from nothing.
constexpr std::int64_t chunk = 32768;
// Columns that are combined side by side, in the first cache.
constexpr std::int64_t most_columns = 512;
// Lines that are: an addition takes four cycles, and each waits for the one before it.
constexpr std::int64_t lines_at_once = 8;

/// Elements outer x extent x inner, row-major, of which the middle ones are combined.
template <class Entry, class T>
class Scan {
 public:
  Scan(const Shape& shape, std::size_t axis) : extent_(shape[axis]) {
    for (std::size_t k = 0; k < axis; ++k) outer_ *= shape[k];
    for (std::size_t k = axis + 1; k < shape.size(); ++k) inner_ *= shape[k];
    chunks_ = (extent_ + chunk - 1) / chunk;
    blocks_ = (inner_ + most_columns - 1) / most_columns;
  }

  void run(const T* x, T* out, const ForParts& for_parts) const {
    for_parts(outer_ * chunks_ * blocks_, [&](std::int64_t begin, std::int64_t end) {
      if (inner_ == 1) scan_lines(x, out, begin, end);
      else
        for (std::int64_t i = begin; i < end; ++i) scan_columns(x, out, i / blocks_, i % blocks_);
    });
    if (chunks_ == 1) return;
    for (std::int64_t line = 0; line < outer_; ++line) join_ends(out, line);
    for_parts(outer_ * chunks_, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t part = begin; part < end; ++part)
        if (part % chunks_ != 0) add_before(out, part);
    });
  }

 private:
  /// Where chunk `part % chunks_` of line `part / chunks_` begins, and how long it is.
  std::int64_t begin_of(std::int64_t part) const {
    return (part / chunks_ * extent_ + part % chunks_ * chunk) * inner_;
  }
  std::int64_t length_of(std::int64_t part) const {
    return std::min(chunk, extent_ - part % chunks_ * chunk);
  }

  void scan_lines(const T* x, T* out, std::int64_t begin, std::int64_t end) const {
    for (std::int64_t part = begin; part < end;) {
      const std::int64_t length = length_of(part);
      bool are_alike = part + lines_at_once <= end;
      for (std::int64_t k = 1; are_alike && k < lines_at_once; ++k)
        are_alike = length_of(part + k) == length;
      if (are_alike) scan_side_by_side(x, out, part, length);
      else scan_line(x + begin_of(part), out + begin_of(part), length);
      part += are_alike ? lines_at_once : 1;
    }
  }
  static void scan_line(const T* x, T* out, std::int64_t length) {
    T made = out[0] = x[0];
    for (std::int64_t i = 1; i < length; ++i) out[i] = made = Entry::value(made, x[i]);
  }
  void scan_side_by_side(const T* x, T* out, std::int64_t part, std::int64_t length) const {
    std::array<std::int64_t, lines_at_once> begins;
    std::array<T, lines_at_once> made;
    for (std::size_t k = 0; k < begins.size(); ++k) {
      begins[k] = begin_of(part + static_cast<std::int64_t>(k));
      out[begins[k]] = made[k] = x[begins[k]];
    }
    for (std::int64_t i = 1; i < length; ++i)
      for (std::size_t k = 0; k < begins.size(); ++k)
        out[begins[k] + i] = made[k] = Entry::value(made[k], x[begins[k] + i]);
  }
  void scan_columns(const T* x, T* out, std::int64_t part, std::int64_t block) const {
    const std::int64_t first = block * most_columns,
                       columns = std::min(most_columns, inner_ - first);
    const T* from = x + begin_of(part) + first;
    T* to = out + begin_of(part) + first;
    std::array<T, most_columns> made;
    std::copy_n(from, columns, made.begin());
    std::copy_n(from, columns, to);
    for (std::int64_t i = 1; i < length_of(part); ++i) {
      from += inner_, to += inner_;
      for (std::int64_t k = 0; k < columns; ++k) {
        T& own = made[static_cast<std::size_t>(k)];
        to[k] = own = Entry::value(own, from[k]);
      }
    }
  }

  /// The last elements of each chunk, which are what the next one begins with.
  void join_ends(T* out, std::int64_t line) const {
    const T* before = nullptr;
    for (std::int64_t part = line * chunks_; part < (line + 1) * chunks_; ++part) {
      T* const last = out + begin_of(part) + (length_of(part) - 1) * inner_;
      if (before)
        for (std::int64_t k = 0; k < inner_; ++k) last[k] = Entry::value(before[k], last[k]);
      before = last;
    }
  }
  void add_before(T* out, std::int64_t part) const {
    T* to = out + begin_of(part);
    const T* const before = to - inner_;
    if (inner_ == 1) {
      const T own = *before;
      for (std::int64_t i = 0; i + 1 < length_of(part); ++i) to[i] = Entry::value(own, to[i]);
      return;
    }
    for (std::int64_t i = 0; i + 1 < length_of(part); ++i, to += inner_)
      for (std::int64_t k = 0; k < inner_; ++k) to[k] = Entry::value(before[k], to[k]);
  }

  std::int64_t outer_ = 1, extent_, inner_ = 1, chunks_, blocks_;
};

/// An entry: a name, the op, what nothing makes, and how two are combined.
template <class Entry>
struct Cumulative {
  std::size_t axis;

  static constexpr std::string_view name = Entry::name;
  static constexpr const Op& op = Entry::op;
  static constexpr std::tuple fields{
      operand("x", "what is combined"),
      parameter("axis", &Cumulative::axis, "along which; none: the only one", none),
      parameter("include_initial", "whether what nothing makes is in front", false)};

  static KnownType infer(const KnownType& x, const Ints& axis, const bool& include_initial) {
    constexpr TypeKinds taken{.boolean = true, .integer = true, .floating = true};
    KnownType made = x;
    const DType computed = wide_type(common_type(name, taken, {x.dtype}));
    if (x.dtype != f16 && x.dtype != bf16) made.dtype = computed;
    if (!axis.is_none()) check_one(name, "axis", axis);
    if (!x.shape.has_rank()) return made;
    if (axis.is_open())
      return {made.dtype, include_initial ? Extents::of_rank(x.shape.rank()) : x.shape};
    const std::size_t along = axis_of(axis, x.shape);
    if (include_initial) made.shape.set(along, x.shape[along] + Extent(1));
    return made;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& axis,
                     const bool& include_initial) {
    const DType computed = wide_type(x.dtype());
    const std::size_t along = axis_of(axis, Extents(x.shape()));
    const Tensor all =
        x.size() == 0 ? full(x.shape(), Scalar(0), computed)
                      : tensor_of(Cumulative{along}, {computed, x.shape()}, astype(x, computed));
    if (!include_initial) return astype(all, type.dtype);
    Shape initial = x.shape();
    initial[along] = 1;
    return astype(concat({full(initial, identity(computed), computed), all}, along), type.dtype);
  }

  Computation computation(const TensorType& type) const {
    return [type, axis = axis](std::span<const std::byte* const> operands, std::byte* out,
                               const ForParts& for_parts) {
      with_reduced(type.dtype, [&]<class T>(T) {
        Scan<Entry, T>(type.shape, axis)
            .run(reinterpret_cast<const T*>(operands[0]), reinterpret_cast<T*>(out), for_parts);
      });
    };
  }
  void value(const TensorType& type, const Index& index, const ElementOf& element,
             std::byte* to) const {
    with_reduced(type.dtype, [&]<class T>(T) {
      using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
      Wide all = Entry::template identity<Wide>();
      Index at = index;
      for (at[axis] = 0; at[axis] <= index[axis]; ++at[axis]) {
        T own;
        element(0, at, reinterpret_cast<std::byte*>(&own));
        all = Entry::value(all, static_cast<Wide>(own));
      }
      const T made = static_cast<T>(all);
      std::memcpy(to, &made, sizeof made);
    });
  }
  Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensors& operands) const {
    return {Entry::adjoint(cotangent, result, operands[0], static_cast<std::int64_t>(axis))};
  }

 private:
  static std::size_t axis_of(const Ints& axis, const Extents& shape) {
    if (!axis.is_none()) return check_axis(name, axis, 0, shape);
    if (shape.rank() == 1) return 0;
    throw ParameterError(
        "bad_rank", fmt::format("{}: x has rank {} (shape {}), expected 1 where no axis is given",
                                name, shape.rank(), to_string(shape)));
  }
  static Scalar identity(DType type) {
    return with_reduced(type, []<class T>(T) { return Scalar(Entry::template identity<T>()); });
  }
};

/// Sums of each element and all behind it.
Tensor sums_to_the_end(const Tensor& x, std::int64_t axis) {
  return x.flip(axis).cumulative_sum(axis).flip(axis);
}

struct CumulativeSum : Added {
  static constexpr std::string_view name = "cumulative_sum";
  static constexpr const Op& op = cumulative_sum_op;

  static Tensor adjoint(const Tensor& cotangent, const Tensor&, const Tensor&, std::int64_t axis) {
    return sums_to_the_end(cotangent, axis);
  }
};

struct CumulativeProd : Multiplied {
  static constexpr std::string_view name = "cumulative_prod";
  static constexpr const Op& op = cumulative_prod_op;

  /// In front of the first 0 of a line all products hold the element, and dividing by it leaves the
  /// others; of the first 0 they are those with a 1 in its place; behind it all are 0.
  static Tensor adjoint(const Tensor& cotangent, const Tensor& result, const Tensor& x,
                        std::int64_t axis) {
    const Tensor is_zero = x.equal(0);
    const Tensor zeros = is_zero.astype(i64).cumulative_sum(axis);
    const Tensor is_first = is_zero.logical_and(zeros.equal(1));
    const Tensor others = full_like(x, 1).where(is_first, x).cumulative_prod(axis);
    const Tensor in_front =
        sums_to_the_end(cotangent.multiply(result), axis).divide(x).where(zeros.equal(0), 0);
    return sums_to_the_end(cotangent.multiply(others), axis).where(is_first, in_front);
  }
};

}  // namespace

constinit const Op cumulative_sum_op = op_of<Cumulative<CumulativeSum>>();
constinit const Op cumulative_prod_op = op_of<Cumulative<CumulativeProd>>();

Tensor cumulative_sum(const Tensor& x, const Ints& axis, bool include_initial) {
  return build<Cumulative<CumulativeSum>>(x, axis, include_initial);
}
Tensor cumulative_prod(const Tensor& x, const Ints& axis, bool include_initial) {
  return build<Cumulative<CumulativeProd>>(x, axis, include_initial);
}

Tensor ReduceMethods::cumulative_sum(const Ints& axis, bool include_initial) const {
  return weft::cumulative_sum(tensor(), axis, include_initial);
}
Tensor ReduceMethods::cumulative_prod(const Ints& axis, bool include_initial) const {
  return weft::cumulative_prod(tensor(), axis, include_initial);
}

}  // namespace weft
