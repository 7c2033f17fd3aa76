// SPDX-License-Identifier: Apache-2.0
// slice_scatter: what it refuses, in which words, and which of several mistakes it tells.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

Tensor data() { return iota<int>({3, 4}); }
Tensor row() { return iota<int>({1, 4}); }

}  // namespace

TEST_CASE("slice_scatter: updates of another type than data are refused") {
  refuses<DtypeError>("dtype_mismatch", "slice_scatter: updates are f32, expected i32 as data", [] {
    data().slice_scatter(iota<float>({1, 4}), {0}, {1});
  });
  refuses<DtypeError>("dtype_mismatch", "slice_scatter: updates are u32, expected i32 as data", [] {
    data().slice_scatter(iota<std::uint32_t>({1, 4}), {0}, {1});
  });
}

TEST_CASE("slice_scatter: data or updates of rank 0 are refused") {
  refuses<ParameterError>("bad_rank", "slice_scatter: data has rank 0, expected at least 1",
                          [] { scalar(1).slice_scatter(iota<int>(1), {}, {}); });
  refuses<ParameterError>("bad_rank", "slice_scatter: updates has rank 0, expected at least 1",
                          [] { iota<int>(3).slice_scatter(scalar(1), {0}, {1}); });
}

TEST_CASE("slice_scatter: parameters of a type that is no integer are refused") {
  for (const DType dtype : all_types()) {
    if (dtype.is_integer()) continue;
    const Ints wrong = ints_of(dtype, 1, {1});
    const auto message = [&](const char* name) {
      return std::string("slice_scatter: ") + name + " is " + dtype.name() +
             ", expected an integer type";
    };
    refuses<DtypeError>("dtype_mismatch", message("start"),
                        [&] { data().slice_scatter(row(), wrong, {1}, {1}, {0}); });
    refuses<DtypeError>("dtype_mismatch", message("stop"),
                        [&] { data().slice_scatter(row(), {0}, wrong, {1}, {0}); });
    refuses<DtypeError>("dtype_mismatch", message("step"),
                        [&] { data().slice_scatter(row(), {0}, {1}, wrong, {0}); });
    refuses<DtypeError>("dtype_mismatch", message("axes"),
                        [&] { data().slice_scatter(row(), {0}, {1}, {1}, wrong); });
  }
}

TEST_CASE("slice_scatter: parameters that are no list are refused") {
  refuses<ParameterError>("bad_rank", "slice_scatter: start has rank 0, expected a list (rank 1)",
                          [] { data().slice_scatter(row(), 0, {1}, {1}, {0}); });
  refuses<ParameterError>("bad_rank", "slice_scatter: stop has rank 0, expected a list (rank 1)",
                          [] { data().slice_scatter(row(), {0}, 1, {1}, {0}); });
  refuses<ParameterError>("bad_rank", "slice_scatter: step has rank 2, expected a list (rank 1)",
                          [] { data().slice_scatter(row(), {0}, {1}, array({{1}}), {0}); });
  refuses<ParameterError>("bad_rank", "slice_scatter: axes has rank 0, expected a list (rank 1)",
                          [] { data().slice_scatter(row(), {0}, {1}, {1}, 0); });
}

TEST_CASE("slice_scatter: lists of unequal length are refused") {
  refuses<ParameterError>("length_mismatch",
                          "slice_scatter: stop [1, 2] has 2 entries, expected 1 as start [0]", [] {
                            data().slice_scatter(row(), {0}, {1, 2});
                          });
  refuses<ParameterError>("length_mismatch",
                          "slice_scatter: step [] has 0 entries, expected 1 as start [0]",
                          [] { data().slice_scatter(row(), {0}, {1}, Ints()); });
  refuses<ParameterError>("length_mismatch",
                          "slice_scatter: axes [0, 1] has 2 entries, expected 1 as start [0]", [] {
                            data().slice_scatter(row(), {0}, {1}, none, {0, 1});
                          });
}

TEST_CASE("slice_scatter: more slices than axes are refused") {
  refuses<ParameterError>("length_mismatch",
                          "slice_scatter: 3 slices, expected at most 2 for shape [3, 4]", [] {
                            data().slice_scatter(row(), {0, 0, 0}, {1, 1, 1});
                          });
}

TEST_CASE("slice_scatter: a step of 0 is refused, also on an empty axis") {
  refuses<ParameterError>("zero_step", "slice_scatter: step [1, 0] has a 0, expected any other",
                          [] {
                            data().slice_scatter(row(), {0, 0}, {1, 4}, {1, 0});
                          });
  refuses<ParameterError>("zero_step", "slice_scatter: step [0] has a 0, expected any other",
                          [] { iota<int>(0).slice_scatter(iota<int>(0), {0}, {0}, {0}); });
}

TEST_CASE("slice_scatter: an axis out of range is refused") {
  refuses<AxisError>("bad_axis", "slice_scatter: axis 2 is out of range for rank 2 (shape [3, 4])",
                     [] { data().slice_scatter(row(), {0}, {1}, {1}, {2}); });
  refuses<AxisError>("bad_axis", "slice_scatter: axis -3 is out of range for rank 2 (shape [3, 4])",
                     [] { data().slice_scatter(row(), {0}, {1}, {1}, {-3}); });
}

TEST_CASE("slice_scatter: an axis named twice is refused, also once from the end") {
  refuses<AxisError>("duplicate_axes",
                     "slice_scatter: axis 0 is named twice in axes [0, 0] (rank 2)", [] {
                       data().slice_scatter(row(), {0, 0}, {1, 1}, {1, 1}, {0, 0});
                     });
  refuses<AxisError>("duplicate_axes",
                     "slice_scatter: axis 0 is named twice in axes [0, -2] (rank 2)", [] {
                       data().slice_scatter(row(), {0, 0}, {1, 1}, {1, 1}, {0, -2});
                     });
}

TEST_CASE("slice_scatter: updates of another shape than the slice are refused, no broadcasting") {
  const auto refuses_shape = [](const Shape& shape, const Ints& stop) {
    refuses<ShapeError>("shape_mismatch",
                        "slice_scatter: updates have shape " + to_string(shape) +
                            ", expected [2, 4], the slice 0:2, 0:4 of [3, 4]",
                        [&] { data().slice_scatter(iota<int>(shape), {0}, stop); });
  };
  refuses_shape({1, 4}, {2});
  refuses_shape({2, 1}, {2});
  refuses_shape({2, 3}, {2});
  refuses_shape({4}, {2});
  refuses_shape({1, 2, 4}, {2});
  refuses_shape({4, 2}, {2});
}

TEST_CASE("slice_scatter: the slice is told as it was resolved") {
  refuses<ShapeError>(
      "shape_mismatch",
      "slice_scatter: updates have shape [1, 4], expected [0, 4], the slice empty, 0:4 of [3, 4]",
      [] { data().slice_scatter(row(), {2}, {1}); });
  refuses<ShapeError>("shape_mismatch",
                      "slice_scatter: updates have shape [1, 4], expected [2, 4], the slice 2 step "
                      "-2 x 2, 0:4 of [3, 4]",
                      [] { data().slice_scatter(row(), {-1}, {-100}, {-2}); });
}

TEST_CASE("slice_scatter: of several mistakes the first is told") {
  const Tensor zero = scalar(1);
  const Ints no_list(0), wrong_type = ints_of(f32, 2, {0});
  refuses<DtypeError>("dtype_mismatch", "slice_scatter: updates are f32, expected i32 as data",
                      [&] { zero.slice_scatter(scalar(1.0f), wrong_type, {1}); });
  refuses<ParameterError>("bad_rank", "slice_scatter: data has rank 0, expected at least 1",
                          [&] { zero.slice_scatter(row(), wrong_type, {1}); });
  refuses<DtypeError>("dtype_mismatch", "slice_scatter: axes is f32, expected an integer type",
                      [&] {
                        data().slice_scatter(row(), no_list, {1, 2}, {0}, wrong_type);
                      });
  refuses<ParameterError>("bad_rank", "slice_scatter: axes has rank 0, expected a list (rank 1)",
                          [&] {
                            data().slice_scatter(row(), {0}, {1, 2}, {0}, 9);
                          });
  refuses<ParameterError>("length_mismatch",
                          "slice_scatter: stop [1] has 1 entries, expected 2 as start [0, 0]", [&] {
                            data().slice_scatter(row(), {0, 0}, {1}, {0, 0}, {9, 9});
                          });
  refuses<ParameterError>("zero_step", "slice_scatter: step [1, 0] has a 0, expected any other",
                          [&] {
                            data().slice_scatter(row(), {0, 0}, {1, 1}, {1, 0}, {9, 9});
                          });
  refuses<AxisError>("bad_axis", "slice_scatter: axis 9 is out of range for rank 2 (shape [3, 4])",
                     [&] {
                       data().slice_scatter(row(), {0, 0}, {1, 1}, {1, 1}, {9, 9});
                     });
  refuses<AxisError>("duplicate_axes",
                     "slice_scatter: axis 1 is named twice in axes [1, 1] (rank 2)", [&] {
                       data().slice_scatter(row(), {0, 0}, {9, 9}, {1, 1}, {1, 1});
                     });
}

TEST_CASE("slice_scatter: a refused call changes nothing and keeps nothing") {
  auto owner = std::make_shared<std::vector<int>>(4, 7);
  const std::weak_ptr<std::vector<int>> watch = owner;
  const int* elements = owner->data();
  {
    const Tensor updates = borrow(elements, {1, 4}, std::move(owner)), x = data().flip();
    CHECK_THROWS_AS(x.slice_scatter(updates, {0}, {2}), ShapeError);
    CHECK_FALSE(x.is_stored());
    expect<int>(updates, {1, 4}, {7, 7, 7, 7});
  }
  CHECK(watch.expired());
}
