// SPDX-License-Identifier: Apache-2.0
// stored: a node that is never pulled through, but for what is stored in its stead.
#include <weft/ops/shape/stored.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>

namespace weft {
namespace {

class StoredOnTheWay final : public Node {
 public:
  explicit StoredOnTheWay(const Tensor& x) : Node(x.dtype(), x.shape(), inputs_of(x)) {}
  std::string_view op() const noexcept override { return "stored"; }
  bool must_be_stored() const noexcept override { return true; }
  void pull_back(const Box& box, PullBack& to) const override { to.add(0, box); }
  bool add_parameters(Structure&) const override { return true; }
  std::size_t trace(Index&) const override { return 0; }
};

}  // namespace

const Op stored_op{"stored", {"x"}, {}, call<weft::stored>, first_shape};

Tensor stored(const Tensor& x) {
  if (is_any_open(stored_op, x)) return defer(stored_op, {{x}, {}});
  return x.is_stored() || x.node().must_be_stored() ? x : make_tensor<StoredOnTheWay>(x);
}

Tensor Tensor::stored() const { return weft::stored(*this); }

}  // namespace weft
