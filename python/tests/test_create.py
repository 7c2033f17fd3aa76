# SPDX-License-Identifier: Apache-2.0
"""Tensors of one value, and ranges: as NumPy's."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import weft
from support import MOVED, arrays, same

shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)


@given(shapes, st.sampled_from(MOVED))
def test_one_value(shape, dtype):
    for made, expected in [(weft.zeros(shape, dtype=dtype), np.zeros(shape, dtype)),
                           (weft.ones(shape, dtype=dtype), np.ones(shape, dtype)),
                           (weft.full(shape, 1, dtype=dtype), np.full(shape, 1, dtype)),
                           (weft.zeros(shape), np.zeros(shape)), (weft.ones(shape), np.ones(shape)),
                           (weft.full(shape, 2), np.full(shape, 2)),
                           (weft.full(shape, True), np.full(shape, True)),
                           (weft.full(shape, 1.5), np.full(shape, 1.5)),
                           (weft.full(shape, 1j), np.full(shape, 1j))]:
        assert isinstance(made, weft.Tensor)
        same(made.numpy(), expected)
    assert weft.empty(shape, dtype=dtype).shape == shape


@given(arrays())
def test_like(x):
    same(weft.zeros_like(x).numpy(), np.zeros_like(x))
    same(weft.ones_like(weft.asarray(x)).numpy(), np.ones_like(x))
    same(weft.full_like(x, 1, dtype=np.int8).numpy(), np.full_like(x, 1, dtype=np.int8))
    assert weft.empty_like(x).dtype == x.dtype


@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(-4, 4).filter(bool))
def test_arange(start, stop, step):
    same(weft.arange(start, stop, step).numpy(), np.arange(start, stop, step))
    same(weft.arange(stop).numpy(), np.arange(stop))
    same(weft.arange(start, stop, step, dtype=np.float32).numpy(),
         np.arange(start, stop, step, dtype=np.float32))
    same(weft.arange(start / 2, stop / 2, 0.25).numpy(), np.arange(start / 2, stop / 2, 0.25))


@given(st.floats(-9, 9), st.floats(-9, 9), st.integers(0, 9), st.booleans())
def test_linspace(start, stop, num, endpoint):
    same(weft.linspace(start, stop, num, endpoint=endpoint).numpy(),
         np.linspace(start, stop, num, endpoint=endpoint))


@given(st.integers(0, 5), st.none() | st.integers(0, 5), st.integers(-6, 6))
def test_eye(rows, columns, k):
    same(weft.eye(rows, columns, k=k).numpy(), np.eye(rows, columns, k=k))
    same(weft.eye(rows, columns, k=k, dtype=np.int8).numpy(), np.eye(rows, columns, k=k, dtype=np.int8))


@given(st.lists(arrays(min_rank=1, max_rank=1, types=[np.int32, np.float64]), min_size=1, max_size=3),
       st.sampled_from(["xy", "ij"]))
def test_meshgrid(axes, indexing):
    made = weft.meshgrid(*axes, indexing=indexing)
    for one, expected in zip(made, np.meshgrid(*axes, indexing=indexing)):
        same(one, expected)


def test_devices():
    assert weft.zeros(3, device="cpu").device == "cpu"
    with pytest.raises(weft.ParameterError, match="device"):
        weft.zeros(3, device="cuda")


def test_types_are_known():
    assert weft.float32 == np.float32 and weft.bool == np.bool_
    assert weft.finfo(weft.float32).eps == float(np.finfo(np.float32).eps)
    assert weft.iinfo(np.arange(3)).bits == 64
    assert weft.isdtype(weft.float32, ("integral", "real floating"))
    assert not weft.isdtype(weft.bool, "numeric")
    assert weft.can_cast(weft.zeros(2), np.complex128) and not weft.can_cast(np.int16, np.int8)
