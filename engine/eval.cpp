// Evaluation: plan, carry out, keep the value.
#include <fmt/format.h>

#include <weft/engine/buffer.h>
#include <weft/engine/executor.h>
#include <weft/engine/options.h>
#include <weft/graph/plan.h>
#include <weft/graph/tensor.h>

namespace weft {

Tensor Tensor::eval() const { return eval(EvalOptions{}); }

Tensor Tensor::eval(const EvalOptions& options) const {
  node().value_or([&]() -> Storage {
    if (size() == 0) return allocate(0);
    PlanLimits limits;
    limits.stored_bytes = options.memory_limit > 0 ? options.memory_limit : physical_memory();
    return execute(make_plan(node_, limits), options);
  });
  return *this;
}

const void* Tensor::checked_data(DType asked) const {
  const bool fits = asked == dtype() || (dtype().kind() == DType::Kind::opaque && asked.size() == dtype().size());
  if (!fits)
    throw DtypeError(fmt::format("data: {} was asked for, the elements are {}", asked.name(),
                                 dtype().name()));
  return eval().node().value().get();
}

void Tensor::check_single_item() const {
  if (size() != 1)
    throw ShapeError(fmt::format("item: the tensor has {} elements (shape {}), expected 1", size(),
                                 to_string(shape())));
}

void Tensor::throw_moved_from() { throw std::logic_error("a moved-from tensor was used"); }

namespace {

template <class T>
SmallVector<std::int64_t, 8> widened(const void* elements, std::int64_t count) {
  SmallVector<std::int64_t, 8> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<std::int64_t>(static_cast<const T*>(elements)[i]));
  return values;
}

/// The values of an integer or bool tensor, none for any other type: the ops refuse those.
SmallVector<std::int64_t, 8> integer_values(const Tensor& tensor) {
  using Kind = DType::Kind;
  const DType dtype = tensor.dtype();
  if (!dtype.is_integer()) return {};
  const Tensor stored = tensor.eval();
  const void* elements = stored.node().value().get();
  const std::int64_t count = stored.size();
  switch (dtype.kind()) {
    case Kind::i8: return widened<std::int8_t>(elements, count);
    case Kind::i16: return widened<std::int16_t>(elements, count);
    case Kind::i32: return widened<std::int32_t>(elements, count);
    case Kind::u8: return widened<std::uint8_t>(elements, count);
    case Kind::u16: return widened<std::uint16_t>(elements, count);
    case Kind::u32: return widened<std::uint32_t>(elements, count);
    default: return widened<std::int64_t>(elements, count);
  }
}

}  // namespace

Ints::Ints(const Tensor& tensor)
    : dtype_(tensor.dtype()), rank_(static_cast<int>(tensor.rank())), bits_(integer_values(tensor)) {}

}  // namespace weft
