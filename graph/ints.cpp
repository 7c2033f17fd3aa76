// Integer parameters: how they read, and what is refused.
#include <weft/graph/ints.h>

#include <fmt/format.h>

#include <weft/graph/error.h>

namespace weft {

std::string Ints::text() const {
  if (is_none_) return "none";
  std::string joined;
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) joined += ", ";
    joined += exceeds_int64(i) ? fmt::format("{}", static_cast<std::uint64_t>(bits_[i]))
                               : fmt::format("{}", bits_[i]);
  }
  return rank_ == 0 ? joined : "[" + joined + "]";
}

void check_integer(std::string_view op, std::string_view parameter, const Ints& values) {
  if (!values.dtype().is_integer())
    throw DtypeError(fmt::format("{}: {} is {}, expected an integer type", op, parameter,
                                 values.dtype().name()));
}

void check_list(std::string_view op, std::string_view parameter, const Ints& values) {
  if (values.rank() != 1)
    throw ParameterError("bad_rank", fmt::format("{}: {} has rank {}, expected a list (rank 1)", op,
                                                 parameter, values.rank()));
}

void check_scalar_or_list(std::string_view op, std::string_view parameter, const Ints& values) {
  if (values.rank() > 1)
    throw ParameterError("bad_rank", fmt::format("{}: {} has rank {}, expected a scalar or a list",
                                                 op, parameter, values.rank()));
}

std::size_t check_axis(std::string_view op, std::int64_t axis, const Shape& shape) {
  const std::int64_t rank = static_cast<std::int64_t>(shape.size());
  if (axis < -rank || axis >= rank)
    throw AxisError("bad_axis", fmt::format("{}: axis {} is out of range for rank {} (shape {})",
                                            op, axis, rank, to_string(shape)));
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

SmallVector<std::size_t, 8> check_unique_axes(std::string_view op, const Ints& axes,
                                              const Shape& shape) {
  SmallVector<std::size_t, 8> checked;
  for (std::size_t i = 0; i < axes.size(); ++i) checked.push_back(check_axis(op, axes[i], shape));
  for (std::size_t i = 0; i < checked.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (checked[i] == checked[j])
        throw AxisError("duplicate_axes",
                        fmt::format("{}: axis {} is named twice in axes {} (rank {})", op,
                                    checked[i], axes.text(), shape.size()));
  return checked;
}

}  // namespace weft
