// SPDX-License-Identifier: Apache-2.0
// astype: what it refuses, and what it means.
#include <weft/ops/elementwise/astype.h>

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <weft/ops/elementwise/entry.h>

namespace weft {
namespace {

/// Towards zero, within the range; 0 of NaN.
template <class Integer, class Float>
Integer saturated(Float x) {
  if (std::isnan(x)) return 0;
  if (x >= std::ldexp(Float{1}, std::numeric_limits<Integer>::digits))
    return std::numeric_limits<Integer>::max();
  if (x < static_cast<Float>(std::numeric_limits<Integer>::min()))
    return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(x);
}

void convert(const Elements& elements) {
  with_element(elements.types[0], elements.at[0], [&](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) {
      if (elements.type.is_integer()) {
        with_integer(elements.type, [&](auto element) {
          element = saturated<decltype(element)>(x);
          std::memcpy(elements.out, &element, sizeof(element));
        });
        return;
      }
    }
    put_element(x, elements.type, elements.out);
  });
}

Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) {
  return {cotangent.astype(operands[0].dtype())};
}

constexpr Instruction cast{.op = "astype", .compute = convert, .is_cast = true, .adjoint = adjoint};

struct AsType {
  static constexpr std::string_view name = "astype";
  static constexpr const Op& op = astype_op;
  static constexpr std::tuple fields{operand("x", "any shape"),
                                     parameter("dtype", "of the result")};

  static KnownType infer(const KnownType& x, DType dtype) {
    if (x.dtype != dtype) {
      for (const DType type : {x.dtype, dtype})
        if (!kinds::anything.contain(type))
          throw DtypeError(fmt::format("astype: {} to {}, expected bool or numbers", x.dtype.name(),
                                       dtype.name()));
      if (kinds::complexes.contain(x.dtype) && !kinds::complexes.contain(dtype))
        throw DtypeError(fmt::format("astype: {} to {}, expected a complex type: real, imag or abs",
                                     x.dtype.name(), dtype.name()));
    }
    return {dtype, x.shape};
  }
  static Tensor make(TensorType type, const Tensor& x, DType dtype) {
    if (x.dtype() == dtype) return x;
    return make_tensor<NodeOf<Elementwise>>(std::move(type), inputs_of(x), cast, dtype,
                                            std::size_t{1});
  }
};

}  // namespace

constinit const Op astype_op = op_of<AsType>();

Tensor astype(const Tensor& x, DType dtype) { return build<AsType>(x, dtype); }
Tensor Tensor::astype(DType dtype) const { return weft::astype(*this, dtype); }

}  // namespace weft
