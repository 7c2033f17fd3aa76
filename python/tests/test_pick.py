# SPDX-License-Identifier: Apache-2.0
"""Some of the elements, by slices and indices: as NumPy picks them, to the byte."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import weft
from support import arrays, axis_of, every_way, same

ends = st.integers(-7, 7)
steps = st.integers(-3, 3).filter(bool)


@given(st.data())
def test_slice(data):
    x = data.draw(arrays(min_rank=1))
    axes = data.draw(st.lists(st.integers(0, x.ndim - 1), unique=True, min_size=1))
    start, stop, step = ([data.draw(each) for _ in axes] for each in (ends, ends, steps))
    index = [slice(None)] * x.ndim
    for k, axis in enumerate(axes):
        index[axis] = slice(start[k], stop[k], step[k])
    every_way(lambda t: weft.slice(t, start, stop, step, axis=axes), x, expected=x[tuple(index)])


@given(st.data())
def test_narrow_and_crop(data):
    x = data.draw(arrays(min_rank=1))
    axis = data.draw(st.integers(0, x.ndim - 1))
    start = data.draw(st.integers(0, x.shape[axis]))
    length = data.draw(st.integers(0, x.shape[axis] - start))
    expected = np.take(x, range(start, start + length), axis=axis)
    every_way(lambda t: weft.narrow(t, axis, start, length), x, expected=expected)
    after = x.shape[axis] - start - length
    every_way(lambda t: weft.crop(t, [start], [after], axis=[axis]), x, expected=expected)


@given(st.data())
def test_center_crop(data):
    x = data.draw(arrays(min_rank=1, max_rank=1))
    size = data.draw(st.integers(0, len(x)))
    start = (len(x) - size) // 2
    every_way(lambda t: weft.center_crop(t, [size]), x, expected=x[start:start + size])


@given(st.data())
def test_select(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    axis = data.draw(axis_of(x))
    index = data.draw(st.integers(-x.shape[axis], x.shape[axis] - 1))
    every_way(lambda t: weft.select(t, axis, index), x, expected=np.take(x, index, axis=axis))


@given(st.data())
def test_diagonal(data):
    x = data.draw(arrays(min_rank=2))
    axes = data.draw(st.permutations(range(x.ndim)))[:2]
    offset = data.draw(st.integers(-x.shape[axes[0]], x.shape[axes[1]]))
    every_way(lambda t: weft.diagonal(t, offset, *axes), x, expected=np.diagonal(x, offset, *axes))


@given(st.data())
def test_split_and_chunk(data):
    x = data.draw(arrays(min_rank=1))
    axis = data.draw(st.integers(0, x.ndim - 1))
    places = sorted(data.draw(st.lists(st.integers(0, x.shape[axis]), max_size=3)))
    lengths = np.diff([0, *places, x.shape[axis]]).tolist()
    for made, expected in zip(weft.split(x, lengths, axis=axis), np.split(x, places, axis=axis)):
        same(made, expected)
    for made, expected in zip(weft.asarray(x).split(lengths, axis=axis),
                              np.split(x, places, axis=axis)):
        same(made.numpy(), expected)
    count = data.draw(st.integers(1, 4))
    size = -(-x.shape[axis] // count)
    chunks = weft.chunk(x, count, axis=axis)
    joined = np.concatenate(chunks, axis=axis) if x.shape[axis] else x
    same(np.ascontiguousarray(joined), np.ascontiguousarray(x))
    assert all(part.shape[axis] <= size for part in chunks)


@given(st.data())
def test_unstack(data):
    x = data.draw(arrays(min_rank=1))
    axis = data.draw(axis_of(x))
    made = weft.unstack(x, axis=axis)
    assert isinstance(made, tuple) and len(made) == x.shape[axis]
    for k, part in enumerate(made):
        same(part, np.take(x, k, axis=axis))


def indices_for(extent, shape):
    return hnp.arrays(st.sampled_from([np.int32, np.int64, np.uint8]), shape,
                      elements=st.integers(0, min(extent, 256) - 1))


@given(st.data())
def test_take(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    axis = data.draw(st.none() | axis_of(x))
    extent = x.size if axis is None else x.shape[axis]
    indices = data.draw(indices_for(extent, data.draw(hnp.array_shapes(min_dims=0, max_dims=2))))
    expected = np.take(x, indices, axis=axis)
    same(weft.take(x, indices, axis=axis), expected)
    same(weft.take(weft.asarray(x), indices, axis=axis).numpy(), expected)
    same(weft.take(x, indices.tolist(), axis=axis), expected)


@given(st.data())
def test_take_along_axis(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    axis = data.draw(axis_of(x))
    shape = list(x.shape)
    shape[axis] = data.draw(st.integers(0, 4))
    for other in range(x.ndim):
        if other != axis % x.ndim and data.draw(st.booleans()):
            shape[other] = 1
    indices = data.draw(hnp.arrays(np.int64, tuple(shape), elements=st.integers(0, x.shape[axis] - 1)))
    expected = np.take_along_axis(x, indices, axis)
    same(weft.take_along_axis(x, indices, axis=axis), expected)
    same(weft.take_along_axis(weft.asarray(x), weft.asarray(indices), axis=axis).numpy(), expected)


@given(st.data())
def test_gather_elements(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    axis = data.draw(axis_of(x))
    shape = [data.draw(st.integers(0, extent)) for extent in x.shape]
    indices = data.draw(hnp.arrays(np.int64, tuple(shape), elements=st.integers(0, x.shape[axis] - 1)))
    seen = x[tuple(slice(0, n) if k != axis % x.ndim else slice(None) for k, n in enumerate(shape))]
    every_way(lambda t: weft.gather_elements(t, indices, axis=axis), x,
              expected=np.take_along_axis(seen, indices, axis))


@given(st.data())
def test_gather_nd(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    depth = data.draw(st.integers(1, x.ndim))
    rows = data.draw(st.integers(0, 4))
    columns = [data.draw(indices_for(x.shape[k], (rows,))) for k in range(depth)]
    indices = np.stack([column.astype(np.int64) for column in columns], -1)
    every_way(lambda t: weft.gather_nd(t, indices), x,
              expected=x[tuple(indices[:, k] for k in range(depth))])


@given(st.data())
def test_where(data):
    x = data.draw(arrays())
    y = data.draw(arrays(types=[x.dtype.type], shape=x.shape))
    condition = data.draw(arrays(types=[np.bool_], shape=x.shape))
    every_way(weft.where, condition, x, y, expected=np.where(condition, x, y))


def test_where_takes_numbers():
    x = np.arange(4, dtype=np.float32)
    same(weft.where(x > 1, x, 0), np.where(x > 1, x, np.float32(0)))
    same(weft.where(x > 1, 2, 3), np.where(x > 1, 2, 3))


index_parts = st.one_of(st.just(Ellipsis), st.none(), st.integers(-6, 5),
                        st.builds(slice, st.none() | ends, st.none() | ends, st.none() | steps))


@given(st.data())
def test_basic_indexing(data):
    x = data.draw(arrays())
    key = tuple(data.draw(st.lists(index_parts, max_size=5)))
    if data.draw(st.booleans()) and len(key) == 1:
        key = key[0]
    try:
        expected = x[key]
    except IndexError:
        with pytest.raises(IndexError):
            weft.asarray(x)[key]
        return
    same(weft.asarray(x)[key].numpy(), expected)


@given(st.data())
def test_indexing_by_arrays(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    shape = data.draw(hnp.array_shapes(max_dims=2, max_side=3))
    key = []
    for axis in range(data.draw(st.integers(1, x.ndim))):
        extent = x.shape[axis]
        kind = data.draw(st.sampled_from(["array", "integer", "slice"]))
        if kind == "integer":
            key.append(data.draw(st.integers(-extent, extent - 1)))
        elif kind == "array":
            key.append(data.draw(hnp.arrays(np.int64, shape, elements=st.integers(-extent, extent - 1))))
        else:
            key.append(slice(None, None, data.draw(steps)))
    same(weft.asarray(x)[tuple(key)].numpy(), x[tuple(key)])


def test_indices_of_several_types():
    x = np.arange(12).reshape(3, 4)
    key = (np.array([2, 0], np.int8), np.array([1, 3], np.uint16))
    same(weft.asarray(x)[key].numpy(), x[key])


def test_indexing_by_lists():
    x = np.arange(12).reshape(3, 4)
    same(weft.asarray(x)[[2, 0]].numpy(), x[[2, 0]])
    same(weft.asarray(x)[:, []].numpy(), x[:, []])


@pytest.mark.parametrize("mask", [True, [True, False, True], np.array([True, False, True]),
                                  weft.asarray(np.array([True, False, True]))])
def test_masks_are_refused(mask):
    with pytest.raises(weft.DtypeError, match="mask"):
        weft.arange(3)[mask]


def test_writing_by_index_names_slice_scatter():
    x = weft.arange(3)
    with pytest.raises(weft.InPlaceError, match="slice_scatter"):
        x[0] = 1


def test_axes_of_numpy():
    x, indices = np.arange(12).reshape(3, 4), np.array([[0, 2, 1, 0]])
    for axis in (0, np.int64(0), np.array(0)):
        same(weft.take_along_axis(x, indices, axis=axis), np.take_along_axis(x, indices, 0))
