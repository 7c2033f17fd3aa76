// SPDX-License-Identifier: Apache-2.0
// Types that meet, shapes that are broadcast, numbers that take a tensor's type.
#include <weft/ops/elementwise/types.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include <weft/ops/elementwise/astype.h>

namespace weft {
namespace {

bool is_floating(DType type) { return type == f16 || type == bf16 || type == f32 || type == f64; }
bool is_complex(DType type) { return type == c64 || type == c128; }

/// bool, integers, floating-point numbers, complex ones; structs are alone.
int kind_of(DType type) {
  if (type == bool_) return 0;
  if (type.is_integer()) return 1;
  if (is_floating(type)) return 2;
  return is_complex(type) ? 3 : 4;
}

DType signed_of(std::int64_t bytes) {
  return bytes == 1 ? i8 : bytes == 2 ? i16 : bytes == 4 ? i32 : i64;
}

/// Of one kind; none where nothing holds both.
std::optional<DType> meet(DType a, DType b) {
  if (a == b) return a;
  if (a.is_integer() && a.is_signed_integer() != b.is_signed_integer()) {
    const DType own = a.is_signed_integer() ? a : b, other = a.is_signed_integer() ? b : a;
    if (own.size() > other.size()) return own;
    return other.size() < 8 ? std::optional(signed_of(2 * other.size())) : std::nullopt;
  }
  if (a.size() == b.size()) return f32;  // f16 and bf16
  return a.size() > b.size() ? a : b;
}

/// "bool, an integer or a floating-point type".
std::string taken_text(TypeKinds taken) {
  std::vector<std::string_view> names;
  if (taken.boolean) names.push_back("bool");
  if (taken.integer) names.push_back("an integer");
  if (taken.floating) names.push_back("a floating-point");
  if (taken.complex) names.push_back("a complex");
  std::string text(names[0]);
  for (std::size_t k = 1; k < names.size(); ++k)
    text.append(k + 1 < names.size() ? ", " : " or ").append(names[k]);
  return names.back() == "bool" ? text : text + " type";
}

[[noreturn]] void refuse(std::string_view op, TypeKinds taken, DType type,
                         std::string_view instead) {
  std::string way;
  if (type.is_integer() && !instead.empty())
    way = fmt::format(": {}, or cast it (x.astype(f32))", instead);
  else if (type.is_integer() && taken.floating) way = ": cast it (x.astype(f32))";
  else if (type == bool_ && taken.integer) way = ": cast it (x.astype(u8))";
  else if (type == bool_ && taken.floating) way = ": cast it (x.astype(f32))";
  throw DtypeError(fmt::format("{}: {}, expected {}{}", op, type.name(), taken_text(taken), way));
}

template <class Operands, class ShapeOf>
[[noreturn]] void throw_no_shape(std::string_view op, const Operands& operands,
                                 const ShapeOf& shape_of) {
  std::string shapes;
  for (const auto* const each : operands)
    shapes += (shapes.empty() ? "" : ", ") + to_string(shape_of(each));
  throw ShapeError(fmt::format("{}: shapes {} do not broadcast to one", op, shapes));
}

/// What is known of the extent that two make, where either may be 1 and repeat; nothing where they
/// make none.
std::optional<Extent> broadcast(const Extent& a, const Extent& b) {
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.is_known() && b.is_known()) return a.low == b.low ? std::optional(a) : std::nullopt;
  if (a == b) return a;
  // An extent that one of them surely has, and that is not 1, is that of the result.
  if (a.is_known()) return a;
  if (b.is_known()) return b;
  return Extent();
}

}  // namespace

bool TypeKinds::contain(DType type) const {
  switch (kind_of(type)) {
    case 0:
      return boolean;
    case 1:
      return integer;
    case 2:
      return floating;
    case 3:
      return complex;
    default:
      return false;
  }
}

DType common_type(std::string_view op, TypeKinds taken, std::initializer_list<DType> types,
                  std::string_view instead) {
  DType common = *types.begin();
  if (taken.contain(common) &&
      std::all_of(types.begin(), types.end(), [&](DType type) { return type == common; }))
    return common;
  for (const DType type : types) {
    if (!taken.contain(type)) refuse(op, taken, type, instead);
    if (kind_of(type) != kind_of(common))
      throw DtypeError(
          fmt::format("{}: {} and {}, expected one kind: cast one of them "
                      "(x.astype({}))",
                      op, common.name(), type.name(),
                      (kind_of(type) > kind_of(common) ? type : common).name()));
    const std::optional<DType> both = meet(common, type);
    if (!both)
      throw DtypeError(
          fmt::format("{}: {} and {}, which no type holds: cast one of them "
                      "(x.astype(i64))",
                      op, common.name(), type.name()));
    common = *both;
  }
  return common;
}

DType part_of(DType type) { return type == c64 ? f32 : type == c128 ? f64 : type; }

Extents broadcast_shape(std::string_view op, std::initializer_list<const KnownType*> operands) {
  const Extents& first = (*operands.begin())->shape;
  if (operands.size() == 1) return first;
  std::size_t rank = 0;
  bool is_one = true;
  for (const KnownType* operand : operands) {
    if (!operand->shape.has_rank()) return Extents::any();
    rank = std::max(rank, operand->shape.rank());
    is_one = is_one && operand->shape == first;
  }
  if (is_one && first.is_closed()) return first;
  Extents shape(Shape(rank, 1));
  for (const KnownType* operand : operands)
    for (std::size_t k = 0; k < operand->shape.rank(); ++k) {
      const std::size_t axis = rank - operand->shape.rank() + k;
      const std::optional<Extent> both = broadcast(shape[axis], operand->shape[k]);
      if (!both) throw_no_shape(op, operands, [](const KnownType* each) { return each->shape; });
      shape.set(axis, *both);
    }
  return shape;
}

namespace {

/// To a shape with that of one more operand; false where they make none.
bool broadcast(const Shape& own, Shape& shape) {
  if (own.size() > shape.size()) {
    Shape wider(own.size() - shape.size(), 1);
    for (const std::int64_t extent : shape) wider.push_back(extent);
    shape = wider;
  }
  const std::size_t lacking = shape.size() - own.size();
  for (std::size_t k = 0; k < own.size(); ++k) {
    std::int64_t& extent = shape[lacking + k];
    if (extent == 1) extent = own[k];
    else if (own[k] != 1 && own[k] != extent) return false;
  }
  return true;
}

Tensor make(const Instruction& instruction, TensorType&& type, NodeInputs&& inputs,
            bool is_broadcast) {
  std::vector<Shape> shapes;
  if (is_broadcast) {
    shapes.reserve(inputs.size());
    for (const NodePtr& input : inputs) shapes.push_back(input->shape());
  }
  const DType made = type.dtype;
  const std::size_t operands = inputs.size();
  return make_tensor<NodeOf<Elementwise>>(std::move(type), std::move(inputs), instruction, made,
                                          operands, std::move(shapes));
}

}  // namespace

Tensor elementwise_of(const Instruction& instruction, TensorType&& type,
                      ElementwiseOperands operands) {
  NodeInputs inputs(operands.size());
  bool is_broadcast = false;
  for (const Tensor* const operand : operands) {
    is_broadcast |= operand->node().shape() != type.shape;
    inputs.add(operand->node_ptr());
  }
  return make(instruction, std::move(type), std::move(inputs), is_broadcast);
}

Tensor elementwise_of(const Instruction& instruction, const ElementwiseTypes& types,
                      ElementwiseOperands operands) {
  const Node& first = (*operands.begin())->node();
  bool is_one_type = types.taken.contain(first.dtype()), is_one_shape = true;
  for (const Tensor* const* other = operands.begin() + 1; other != operands.end(); ++other) {
    is_one_type &= (*other)->node().dtype() == first.dtype();
    is_one_shape = is_one_shape && (*other)->node().shape() == first.shape();
  }
  DType common = first.dtype();
  if (!is_one_type)
    for (const Tensor* const operand : operands)
      common = common_type(instruction.op, types.taken, {common, operand->node().dtype()},
                           types.instead);
  TensorType type{types.made(common), first.shape()};
  if (!is_one_shape)
    for (const Tensor* const operand : operands)
      if (!broadcast(operand->node().shape(), type.shape))
        throw_no_shape(instruction.op, operands,
                       [](const Tensor* each) { return each->node().shape(); });
  if (!is_one_shape || type.dtype.size() > first.dtype().size())
    check_shape(instruction.op, type.shape, type.dtype);
  NodeInputs inputs(operands.size());
  for (const Tensor* const operand : operands)
    inputs.add(operand->node().dtype() == common ? operand->node_ptr()
                                                 : astype(*operand, common).node_ptr());
  return make(instruction, std::move(type), std::move(inputs), !is_one_shape);
}

Tensor weak(std::string_view op, const Scalar& number, const Tensor& beside) {
  return number.beside(beside.held(op).dtype(), op);
}

}  // namespace weft
