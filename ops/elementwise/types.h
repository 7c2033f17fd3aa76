// SPDX-License-Identifier: Apache-2.0
// What types and shapes of operands make together.
#pragma once

#include <initializer_list>
#include <string_view>

#include <weft/graph/elementwise.h>
#include <weft/graph/value/extents.h>
#include <weft/graph/value/tensor_type.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Kinds of types, each within which types meet.
struct TypeKinds {
  bool boolean = false, integer = false, floating = false, complex = false;

  bool contain(DType type) const;
};
namespace kinds {
inline constexpr TypeKinds numbers{.integer = true, .floating = true, .complex = true};
inline constexpr TypeKinds reals{.integer = true, .floating = true};
inline constexpr TypeKinds floats{.floating = true};
inline constexpr TypeKinds fractions{.floating = true, .complex = true};
inline constexpr TypeKinds complexes{.complex = true};
inline constexpr TypeKinds integers{.integer = true};
inline constexpr TypeKinds bits{.boolean = true, .integer = true};
inline constexpr TypeKinds booleans{.boolean = true};
inline constexpr TypeKinds anything{
    .boolean = true, .integer = true, .floating = true, .complex = true};
}  // namespace kinds

/// The type that operands of an op are computed in: of one kind the smallest that holds all of
/// them; signed with unsigned the next larger signed one, f16 with bf16 f32. Throws DtypeError,
/// which names the cast, where kinds differ, for u64 with a signed type, and for a type that the op
/// does not take, `instead` of which there may be another op for integers.
DType common_type(std::string_view op, TypeKinds taken, std::initializer_list<DType> types,
                  std::string_view instead = {});

/// Of the parts of complex numbers; of others the type itself.
DType part_of(DType type);

/// NumPy's: aligned at the last axis; extents of 1 repeat. Throws ShapeError.
Extents broadcast_shape(std::string_view op, std::initializer_list<const KnownType*> operands);

using ElementwiseOperands = std::initializer_list<const Tensor*>;

/// The tensor of that type which an instruction makes of operands, of its shape or broadcast to it.
Tensor elementwise_of(const Instruction& instruction, TensorType&& type,
                      ElementwiseOperands operands);

/// What an op takes, and the type it makes of that which its operands are computed in.
struct ElementwiseTypes {
  TypeKinds taken;
  std::string_view instead;
  DType (*made)(DType common);
};
/// The same of operands all of which are known, cast to a common type where theirs differ. Throws
/// what common_type() and broadcast_shape() do, and what check_shape() does.
Tensor elementwise_of(const Instruction& instruction, const ElementwiseTypes& types,
                      ElementwiseOperands operands);

/// A C++ number beside a tensor takes its type. Throws DtypeError for a fraction beside integers,
/// ParameterError for a number beyond the range of the type.
Tensor weak(std::string_view op, const Scalar& number, const Tensor& beside);

}  // namespace weft
