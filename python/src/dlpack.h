// SPDX-License-Identifier: Apache-2.0
// DLPack, by which libraries hand arrays to one another: both ways, CPU memory alone.
#pragma once

#include <nanobind/nanobind.h>

#include <weft/graph/tensor.h>

namespace weft::python {

bool has_dlpack(nanobind::handle array);

/// A tensor over the elements, which the producer keeps until no tensor needs them. Throws
/// DtypeError for types that weft lacks, ParameterError (bad_device) for memory of another device.
Tensor tensor_from_dlpack(nanobind::handle array, bool must_borrow);

/// The elements as a capsule, read-only; evaluates. With a version of 1 or more the capsule tells
/// so, without one only copies may be handed out. Strides below 0, which torch refuses, are only
/// handed out where they may be; else the value is computed.
nanobind::object to_dlpack(const Tensor& tensor, bool is_versioned, bool copy, bool may_go_back);

}  // namespace weft::python
