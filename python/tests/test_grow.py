# SPDX-License-Identifier: Apache-2.0
"""More elements than before: as NumPy makes them, to the byte."""

import numpy as np
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import weft
from support import INTEGERS, arrays, axis_of, every_way, same


@given(st.data())
def test_broadcast_to(data):
    x = data.draw(arrays(max_rank=3))
    shape = [data.draw(st.integers(0, 4)) if n == 1 else n for n in x.shape]
    shape = [data.draw(st.integers(0, 3)) for _ in range(data.draw(st.integers(0, 2)))] + shape
    every_way(lambda t: weft.broadcast_to(t, tuple(shape)), x, expected=np.broadcast_to(x, shape))


@given(hnp.mutually_broadcastable_shapes(num_shapes=3), st.data())
def test_broadcast_arrays(shapes, data):
    all_of_them = [data.draw(arrays(shape=shape)) for shape in shapes.input_shapes]
    for made, expected in zip(weft.broadcast_arrays(*all_of_them), np.broadcast_arrays(*all_of_them)):
        same(made, expected)
    assert weft.broadcast_shapes(*shapes.input_shapes) == shapes.result_shape


@given(st.data())
def test_concat(data):
    first = data.draw(arrays(min_rank=1))
    axis = data.draw(st.none() | axis_of(first))
    parts = [first]
    for _ in range(data.draw(st.integers(0, 3))):
        shape = list(first.shape)
        shape[0 if axis is None else axis] = data.draw(st.integers(0, 3))
        parts.append(data.draw(arrays(types=[first.dtype.type], shape=tuple(shape))))
    expected = np.concatenate(parts, axis=axis)
    same(weft.concat(parts, axis=axis), expected)
    same(weft.concat([weft.asarray(x) for x in parts], axis=axis).numpy(), expected)


@given(st.data())
def test_stack(data):
    first = data.draw(arrays(max_rank=3))
    axis = data.draw(axis_of(first, more=1))
    parts = [first] + [data.draw(arrays(types=[first.dtype.type], shape=first.shape))
                       for _ in range(data.draw(st.integers(0, 3)))]
    same(weft.stack(parts, axis=axis), np.stack(parts, axis=axis))
    same(weft.stack([weft.asarray(x) for x in parts], axis=axis).numpy(), np.stack(parts, axis=axis))


@given(arrays(types=INTEGERS[:7], min_rank=1, max_rank=1), arrays(types=INTEGERS[:7], min_rank=1, max_rank=1))
def test_integers_that_are_joined_meet_in_one_type(x, y):
    same(weft.concat([x, y]), np.concatenate([x, y]))


@given(st.data())
def test_tile(data):
    x = data.draw(arrays(max_rank=3, max_side=3))
    counts = data.draw(st.integers(0, 3) | st.lists(st.integers(0, 3), max_size=4).map(tuple))
    every_way(lambda t: weft.tile(t, counts), x, expected=np.tile(x, counts))


@given(st.data())
def test_repeat(data):
    x = data.draw(arrays())
    axis = data.draw(st.none() | axis_of(x)) if x.ndim else None
    extent = x.size if axis is None else x.shape[axis]
    counts = data.draw(st.integers(0, 3) | hnp.arrays(np.int64, (extent,), elements=st.integers(0, 3)))
    every_way(lambda t: weft.repeat(t, counts, axis=axis), x, expected=np.repeat(x, counts, axis=axis))


@given(st.data())
def test_pad_by_a_value(data):
    x = data.draw(arrays(types=[np.int8, np.float32, np.int64]))
    widths = [(data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3))) for _ in range(x.ndim)]
    value = data.draw(st.integers(-5, 5))
    every_way(lambda t: weft.pad(t, widths, constant_values=value), x,
              expected=np.pad(x, widths, constant_values=value) if x.ndim else x)
    width = data.draw(st.integers(0, 3))
    every_way(lambda t: weft.pad(t, width), x, expected=np.pad(x, width) if x.ndim else x)


@given(st.sampled_from(["edge", "reflect", "symmetric", "wrap"]), st.data())
def test_pad_by_a_mode(mode, data):
    x = data.draw(arrays(min_rank=1, max_rank=3, min_side=1))
    most = [n - 1 if mode == "reflect" else n for n in x.shape]
    widths = [(data.draw(st.integers(0, n)), data.draw(st.integers(0, n))) for n in most]
    every_way(lambda t: weft.pad(t, widths, mode), x, expected=np.pad(x, widths, mode))


@given(st.data())
def test_unfold(data):
    x = data.draw(arrays(min_rank=1, min_side=1))
    axis = data.draw(axis_of(x))
    size, step = data.draw(st.integers(1, x.shape[axis])), data.draw(st.integers(1, 3))
    windows = np.lib.stride_tricks.sliding_window_view(x, size, axis)
    steps = (slice(None),) * (axis % x.ndim) + (slice(None, None, step),)
    every_way(lambda t: weft.unfold(t, axis, size, step), x, expected=windows[steps])


def test_integers_of_numpy():
    x = np.arange(6).reshape(2, 3)
    same(weft.tile(x, np.int64(2)), np.tile(x, 2))
    same(weft.repeat(x, np.int64(2), axis=np.int64(1)), np.repeat(x, 2, 1))
    same(weft.slice_scatter(x, x[:1], np.int64(1), np.int64(2)), x[[0, 0]])


def test_lists():
    same(weft.repeat([[1, 2], [3, 4]], 2), np.repeat([[1, 2], [3, 4]], 2))
    same(weft.pad([1, 2], 1), np.pad([1, 2], 1))
    for made, expected in zip(weft.broadcast_arrays([1, 2], [[1], [2]]), np.broadcast_arrays([1, 2], [[1], [2]])):
        same(made, expected)
