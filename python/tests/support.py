# SPDX-License-Identifier: Apache-2.0
"""Arrays as hypothesis draws them, and what equal means."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import weft

MOVED = [np.bool_, np.int8, np.uint16, np.int32, np.int64, np.float16, np.float32, np.float64,
         np.complex64, np.complex128]
NUMBERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
           np.float32, np.float64]
FLOATS = [np.float32, np.float64]
INTEGERS = NUMBERS[:8]


@st.composite
def laid_out(draw, array):
    """The same elements, in one of the ways in which NumPy's arrays lie."""
    layout = draw(st.sampled_from(["C", "F", "reversed", "stepped"]))
    if array.ndim == 0 or layout == "C":
        return array
    if layout == "F":
        return np.asfortranarray(array)
    axis = draw(st.integers(0, array.ndim - 1))
    if layout == "reversed":
        return np.flip(np.ascontiguousarray(np.flip(array, axis)), axis)
    wide = np.repeat(array, 2, axis=axis)
    return wide[(slice(None),) * axis + (slice(None, None, 2),)]


@st.composite
def arrays(draw, types=MOVED, min_rank=0, max_rank=4, min_side=0, max_side=5, shape=None,
           elements=None):
    """An array of one of the types, of any layout."""
    dtype = np.dtype(draw(st.sampled_from(types)))
    if shape is None:
        shape = draw(hnp.array_shapes(min_dims=min_rank, max_dims=max_rank, min_side=min_side,
                                      max_side=max_side) if max_rank else st.just(()))
    return draw(laid_out(draw(hnp.arrays(dtype, shape, elements=elements))))


def axes_of(array, count=None):
    """Different axes of an array, some counted from the end."""
    rank = array.ndim
    each = st.sampled_from(range(rank)) if rank else st.nothing()
    some = st.lists(each, unique=True, min_size=count or 0, max_size=count or rank)
    return some.flatmap(lambda axes: st.tuples(*(st.sampled_from([a, a - rank]) for a in axes)))


def axis_of(array, more=0):
    rank = array.ndim + more
    return st.integers(-rank, rank - 1)


def same(made, expected):
    """Types, shapes and bytes are equal."""
    expected = np.asarray(expected)
    assert isinstance(made, np.ndarray)
    assert made.dtype == expected.dtype, (made.dtype, expected.dtype)
    assert made.shape == expected.shape
    assert made.tobytes() == expected.tobytes(), (made, expected)


def near(made, expected, ulps=4):
    """Types and shapes are equal, floating-point numbers within so many units in the last place."""
    expected = np.asarray(expected)
    assert isinstance(made, np.ndarray)
    assert made.dtype == expected.dtype, (made.dtype, expected.dtype)
    assert made.shape == expected.shape
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(made, expected)
        return
    parts = [(made.real, expected.real), (made.imag, expected.imag)] if expected.dtype.kind == "c" \
        else [(made, expected)]
    for own, other in parts:
        np.testing.assert_array_equal(np.isnan(own), np.isnan(other))
        known = np.isfinite(other) & np.isfinite(own)
        np.testing.assert_array_equal(np.where(known | np.isnan(own), 0, own),
                                      np.where(known | np.isnan(own), 0, other))
        distance = np.abs(own[known] - other[known])
        # NumPy and weft are each allowed to be off.
        assert (distance <= ulps * np.spacing(np.abs(other[known]))).all(), (own, other)


def every_way(function, *inputs, check=same, expected):
    """Eager on arrays, lazy on tensors, and lazy below another movement."""
    check(function(*inputs), expected)
    lazy = function(*(weft.asarray(x) for x in inputs))
    assert isinstance(lazy, weft.Tensor)
    check(lazy.numpy(), expected)
    turned = [weft.flip(weft.asarray(np.flip(x).copy())) for x in inputs]
    check(function(*turned).numpy(), expected)
