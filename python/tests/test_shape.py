# SPDX-License-Identifier: Apache-2.0
"""The same elements in other axes: as NumPy has them, to the byte."""

import numpy as np
from hypothesis import given, strategies as st

import weft
from support import arrays, axes_of, axis_of, every_way


def factors(draw, count):
    """A shape of so many elements."""
    if count == 0:
        return [0, draw(st.integers(0, 3))]
    shape, left = [], count
    while left > 1 and len(shape) < 4:
        part = draw(st.sampled_from([n for n in range(1, left + 1) if left % n == 0]))
        shape.append(part)
        left //= part
    return [*shape, left]


@given(st.data())
def test_permute_dims(data):
    x = data.draw(arrays())
    order = data.draw(st.permutations(range(x.ndim)))
    every_way(lambda t: weft.permute_dims(t, tuple(order)), x, expected=x.transpose(order))


@given(arrays())
def test_transpose(x):
    every_way(weft.transpose, x, expected=x.T)
    assert weft.asarray(x).T.shape == x.T.shape


@given(arrays(min_rank=2))
def test_matrix_transpose(x):
    every_way(weft.matrix_transpose, x, expected=np.swapaxes(x, -1, -2))
    assert weft.asarray(x).mT.shape == np.swapaxes(x, -1, -2).shape


@given(st.data())
def test_reshape(data):
    x = data.draw(arrays())
    shape = factors(data.draw, x.size)
    expected = x.reshape(shape)
    if x.size and data.draw(st.booleans()):
        shape[data.draw(st.integers(0, len(shape) - 1))] = -1
    every_way(lambda t: weft.reshape(t, tuple(shape)), x, expected=expected)


@given(st.data())
def test_expand_dims(data):
    x = data.draw(arrays(max_rank=3))
    axis = data.draw(axis_of(x, more=1))
    every_way(lambda t: weft.expand_dims(t, axis=axis), x, expected=np.expand_dims(x, axis))


@given(st.data())
def test_expand_dims_by_several(data):
    x = data.draw(arrays(max_rank=3))
    axes = tuple(data.draw(st.lists(st.integers(0, x.ndim + 1), min_size=2, max_size=2, unique=True)))
    every_way(lambda t: weft.expand_dims(t, axis=axes), x, expected=np.expand_dims(x, axes))


@given(st.data())
def test_squeeze(data):
    x = data.draw(arrays(max_side=2))
    ones = [axis for axis in range(x.ndim) if x.shape[axis] == 1]
    axes = tuple(axis for axis in ones if data.draw(st.booleans()))
    every_way(lambda t: weft.squeeze(t, axis=axes), x, expected=np.squeeze(x, axes))


@given(st.data())
def test_moveaxis(data):
    x = data.draw(arrays(min_rank=1))
    source = data.draw(axes_of(x))
    destination = data.draw(axes_of(x, len(source))) if source else ()
    every_way(lambda t: weft.moveaxis(t, source, destination), x,
              expected=np.moveaxis(x, source, destination))


@given(st.data())
def test_swapaxes(data):
    x = data.draw(arrays(min_rank=1))
    one, other = data.draw(axis_of(x)), data.draw(axis_of(x))
    every_way(lambda t: weft.swapaxes(t, one, other), x, expected=np.swapaxes(x, one, other))


@given(st.data())
def test_flatten_and_unflatten(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    start = data.draw(st.integers(0, x.ndim - 1))
    end = data.draw(st.integers(start, x.ndim - 1))
    flat = x.reshape(*x.shape[:start], -1, *x.shape[end + 1:])
    every_way(lambda t: weft.flatten(t, start, end), x, expected=flat)
    every_way(lambda t: weft.unflatten(t, start, x.shape[start:end + 1]), flat, expected=x)


@given(arrays(types=[np.float32, np.int32, np.uint32]))
def test_view_as(x):
    every_way(lambda t: weft.view_as(t, weft.uint32), x,
              expected=np.ascontiguousarray(x).reshape(x.shape).view(np.uint32))


@given(arrays())
def test_stored(x):
    assert weft.stored(weft.asarray(x).T).numpy().tobytes() == x.T.tobytes()


def test_methods_take_extents_one_by_one():
    x = weft.arange(24)
    assert x.reshape(2, 3, 4).shape == x.reshape((2, 3, 4)).shape == (2, 3, 4)
    assert x.reshape(2, 3, 4).transpose(2, 0, 1).shape == (4, 2, 3)
    assert x.reshape(2, 3, 4).permute_dims((2, 0, 1)).shape == (4, 2, 3)
    assert x.reshape(2, 3, 4).transpose().shape == (4, 3, 2)


def test_axes_of_numpy():
    x = weft.asarray(np.zeros((2, 3)))
    assert x.transpose(np.int64(1), np.int64(0)).shape == (3, 2)
    assert x[0].transpose(np.int64(0)).shape == (3,)
    assert weft.tensordot(x, x, axes=np.int64(2)).shape == ()
    assert weft.tensordot(x, x, axes=(np.int64(1), np.int64(1))).shape == (2, 2)
    assert weft.matrix_transpose([[1, 2, 3]]).shape == (3, 1)
