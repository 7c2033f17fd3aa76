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


@pytest.mark.parametrize("dtype, value", [(np.uint8, 300), (np.uint8, -1), (np.int64, np.nan), (np.int64, np.inf),
                                          (np.int32, 1e20), (np.int64, 2.0**63), (np.int8, np.int64(128)),
                                          (np.int64, 10**30), (np.uint64, 10**3000)])
def test_values_beyond_the_type_are_refused(dtype, value):
    for call in (lambda: weft.full((2,), value, dtype=dtype), lambda: weft.full_like(np.zeros(2, dtype), value)):
        with pytest.raises(weft.OverflowError) as caught:
            call()
        assert len(str(caught.value)) < 200


def test_fractions_are_cut():
    for dtype, value in [(np.uint8, 255.5), (np.uint8, -0.5), (np.int64, -2.7)]:
        same(weft.full(2, value, dtype=dtype).numpy(), np.full(2, value, dtype))


def test_zeros_of_any_type():
    for dtype in ("U3", "S2", "M8[s]", [("a", "i4"), ("b", "U2")]):
        same(weft.zeros(2, dtype=dtype).numpy(), np.zeros(2, dtype))
        same(weft.zeros_like(np.ones(2, dtype)).numpy(), np.zeros(2, dtype))
