// SPDX-License-Identifier: Apache-2.0
// Calling ops with stand-ins, to hear what they refuse.
#include <weft/graph/stand_in.h>

#include <algorithm>
#include <utility>

#include <weft/graph/value/error.h>

namespace weft {
namespace {

// Stands in for values that are not known: nobody's own, so that messages can be told apart.
constexpr std::int64_t unlikely_value = -4611686018427387905;

/// A tensor of which only type and shape matter.
class StandIn final : public Node {
 public:
  StandIn(DType dtype, Shape shape) : Node(dtype, std::move(shape), std::vector<NodePtr>()) {}
  std::string_view op() const noexcept override { return "stand-in"; }
  void pull_back(const Box&, PullBack&) const override {}
  std::size_t trace(Index&) const override { return 0; }
};

/// What was put in for what, as messages spell them.
using Spellings = std::vector<std::pair<std::string, std::string>>;

std::string respelled(std::string text, const Spellings& spellings) {
  for (const auto& [from, to] : spellings)
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

/// How much of the arguments is the caller's own, least first.
enum class Certain { types, ranks, lengths, parameters, all };

/// Whether a mistake of that category depends on nothing beyond what is certain.
bool is_certain(std::string_view category, Certain certain) {
  if (certain == Certain::all || category == "dtype_mismatch") return true;
  if (certain == Certain::types) return false;
  if (category == "bad_rank") return true;
  if (certain == Certain::ranks) return false;
  if (category == "length_mismatch") return true;
  return certain == Certain::parameters && category != "shape_mismatch" && category != "overflow" &&
         category != "bad_index";
}

class StandIns {
 public:
  explicit StandIns(const Arguments& arguments) {
    for (const Tensor& operand : arguments.operands)
      rank_ = std::max(rank_, operand.partial_shape().rank());
    for (const Tensor& operand : arguments.operands) add(operand);
    for (const Argument& parameter : arguments.parameters) {
      if (const Ints* const ints = std::get_if<Ints>(&parameter)) add(*ints);
      else arguments_.parameters.push_back(parameter);
    }
  }

  const Arguments& arguments() const { return arguments_; }
  Certain certain() const { return certain_; }
  const Spellings& spellings() const { return spellings_; }

 private:
  void add(const Tensor& operand) {
    const PartialShape shape = operand.partial_shape();
    Shape extents = shape.has_rank() ? shape.lowest() : Shape(rank_, 0);
    if (!shape.is_closed()) {
      lower(shape.has_rank() ? Certain::parameters : Certain::types);
      // Ones: whatever else the op does, it does not overflow.
      std::fill(extents.begin(), extents.end(), 1);
      spellings_.emplace_back("shape " + to_string(extents), "shape " + to_string(shape));
    }
    arguments_.operands.push_back(make_tensor<StandIn>(operand.dtype(), extents));
  }

  void add(const Ints& parameter) {
    if (!parameter.is_open()) {
      arguments_.parameters.push_back(parameter);
      return;
    }
    const std::int64_t length = known_length(parameter);
    lower(length < 0 ? Certain::ranks : Certain::lengths);
    // A list and an empty one, as far as there is a choice: no op refuses that for its rank.
    const std::vector<std::int64_t> values(
        static_cast<std::size_t>(std::max<std::int64_t>(length, 0)), unlikely_value);
    const int rank = parameter.rank() < 0 ? 1 : parameter.rank();
    const Ints stand_in(parameter.dtype(), rank, values);
    if (rank == 1 && length > 0) spellings_.emplace_back(stand_in.text(), "(a tensor)");
    arguments_.parameters.push_back(stand_in);
  }

  void lower(Certain to) { certain_ = std::min(certain_, to); }

  std::size_t rank_ = 1;
  Arguments arguments_;
  Certain certain_ = Certain::all;
  Spellings spellings_;
};

}  // namespace

PartialShape infer(const Op& op, const Arguments& arguments) {
  const StandIns stand_ins(arguments);
  try {
    const Tensor result = op.build(stand_ins.arguments());
    if (stand_ins.certain() == Certain::all) return result.shape();
  } catch (Error& error) {
    if (is_certain(error.category(), stand_ins.certain())) {
      error.say(respelled(error.what(), stand_ins.spellings()));
      throw;
    }
  }
  try {
    return op.infer(arguments);
  } catch (Error& error) {
    // What ops share, as partial shapes, does not know their names.
    const std::string message = error.what();
    const bool names_op = message.substr(0, message.find(": ")).find(' ') == std::string::npos;
    if (!names_op) error.say(std::string(op.name) + ": " + message);
    throw;
  }
}

}  // namespace weft
