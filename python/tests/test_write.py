# SPDX-License-Identifier: Apache-2.0
"""Copies with a part replaced: as NumPy's assignments make them, to the byte."""

import numpy as np
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import weft
from support import arrays, axis_of, every_way


@given(st.data())
def test_slice_scatter(data):
    x = data.draw(arrays(min_rank=1))
    axis = data.draw(st.integers(0, x.ndim - 1))
    start, stop = data.draw(st.integers(-6, 6)), data.draw(st.integers(-6, 6))
    step = data.draw(st.integers(1, 3))
    key = (slice(None),) * axis + (slice(start, stop, step),)
    expected = x.copy()
    updates = data.draw(arrays(types=[x.dtype.type], shape=expected[key].shape))
    expected[key] = updates
    every_way(lambda d, u: weft.slice_scatter(d, u, [start], [stop], [step], axis=[axis]), x, updates,
              expected=expected)


@given(st.data())
def test_select_scatter(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    axis = data.draw(axis_of(x))
    index = data.draw(st.integers(-x.shape[axis], x.shape[axis] - 1))
    expected = x.copy()
    seen = np.moveaxis(expected, axis, 0)
    updates = data.draw(arrays(types=[x.dtype.type], shape=seen[index].shape))
    seen[index] = updates
    every_way(lambda d, u: weft.select_scatter(d, u, axis, index), x, updates, expected=expected)


@given(st.data())
def test_index_put(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    axis = data.draw(axis_of(x))
    indices = data.draw(hnp.arrays(np.int64, st.integers(0, 4),
                                   elements=st.integers(0, x.shape[axis] - 1)))
    expected = x.copy()
    seen = np.moveaxis(expected, axis, 0)
    updates = np.moveaxis(data.draw(arrays(types=[x.dtype.type],
                                           shape=(len(indices), *seen.shape[1:]))), 0, axis)
    seen[indices] = np.moveaxis(updates, axis, 0)
    every_way(lambda d, u: weft.index_put(d, indices, u, axis=axis), x, updates, expected=expected)


@given(st.data())
def test_scatter_elements(data):
    x = data.draw(arrays(min_rank=1, max_rank=3, min_side=1))
    axis = data.draw(axis_of(x))
    order = data.draw(st.permutations(range(x.shape[axis])))
    shape = list(x.shape)
    shape[axis] = data.draw(st.integers(0, x.shape[axis]))
    row = np.array(order[:shape[axis]], dtype=np.int64)
    indices = np.broadcast_to(np.expand_dims(row, [k for k in range(x.ndim) if k != axis % x.ndim]),
                              shape)
    updates = data.draw(arrays(types=[x.dtype.type], shape=tuple(shape)))
    expected = x.copy()
    np.put_along_axis(expected, indices, updates, axis)
    every_way(lambda d, u: weft.scatter_elements(d, indices, u, axis=axis), x, updates,
              expected=expected)


@given(st.data())
def test_scatter_nd(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    rows = data.draw(st.lists(st.integers(0, x.shape[0] - 1), unique=True, max_size=3))
    indices = np.array(rows, dtype=np.int64).reshape(-1, 1)
    updates = data.draw(arrays(types=[x.dtype.type], shape=(len(rows), *x.shape[1:])))
    expected = x.copy()
    expected[rows] = updates
    every_way(lambda d, u: weft.scatter_nd(d, indices, u), x, updates, expected=expected)


@given(arrays(min_rank=2), st.integers(-5, 5))
def test_triangles(x, k):
    every_way(lambda t: weft.tril(t, k=k), x, expected=np.tril(x, k))
    every_way(lambda t: weft.triu(t, k=k), x, expected=np.triu(x, k))
