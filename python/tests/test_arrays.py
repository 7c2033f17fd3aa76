# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out: without a copy, whatever their layout, types and owners."""

import array
import collections.abc
import gc
import io
import pickle
import sys
import weakref

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given

import weft
from support import MOVED, arrays, same

BASE = np.arange(24.0).reshape(4, 6)
LAYOUTS = {"C": BASE, "F": np.asfortranarray(BASE), "reversed": BASE[::-1, ::-1],
           "stepped": BASE[::2, 1::2]}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_memory_is_shared_both_ways(layout):
    a = LAYOUTS[layout]
    x = weft.asarray(a)
    out = x.numpy()
    assert np.shares_memory(a, out)
    assert out.strides == a.strides and not out.flags.writeable
    same(out, a)
    assert np.shares_memory(weft.asarray(out).numpy(), a)
    assert np.shares_memory(np.from_dlpack(x, copy=False), a)
    # What torch would refuse is computed, unless a copy is.
    assert np.shares_memory(np.from_dlpack(x), a) == (layout != "reversed")
    same(np.array(np.from_dlpack(x)), a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_one_box_is_a_view(layout):
    a = LAYOUTS[layout]
    x = weft.asarray(a)
    for made, expected in [(x.T, a.T), (x[1:, ::-2], a[1:, ::-2]), (weft.flip(x), np.flip(a)),
                           (x[0], a[0]), (x.mT, a.T), (x[:, None], a[:, None])]:
        out = made.numpy()
        assert np.shares_memory(out, a) and not made.is_stored
        same(out, expected)
    rolled = weft.roll(x, 1, axis=0).numpy()
    assert not np.shares_memory(rolled, a)


def test_a_result_keeps_its_memory_and_is_read_only():
    y = weft.roll(np.arange(1000), 1)
    gc.collect()
    same(y, np.roll(np.arange(1000), 1))
    with pytest.raises(ValueError):
        y[0] = 1
    mine = weft.asarray(np.arange(5)).numpy(copy=True)
    mine[0] = 9
    assert mine.flags.writeable and mine[0] == 9


def test_copies_are_asked_for():
    a = np.arange(5.0)
    x, y = weft.asarray(a), weft.asarray(a, copy=True)
    a[0] = 7
    assert float(x[0]) == 7 and float(y[0]) == 0
    assert np.shares_memory(weft.asarray(a, copy=False).numpy(), a)
    for refused in (a.astype(">f8"), [1, 2], np.frombuffer(bytes(17), np.uint8)[1:].view(np.float64),
                    3):
        with pytest.raises(weft.ParameterError, match="copy=False"):
            weft.asarray(refused, copy=False)
    with pytest.raises(weft.ParameterError, match="copy=False"):
        weft.asarray(a, dtype=np.float32, copy=False)
    same(weft.asarray(a, dtype=np.float32).numpy(), a.astype(np.float32))


@given(arrays(types=[np.dtype(">i2"), np.dtype(">i4"), np.dtype(">f4"), np.dtype(">f8"), np.dtype(">c8")]))
def test_bytes_in_the_other_order_are_swapped(x):
    same(weft.asarray(x).numpy(), x.astype(x.dtype.newbyteorder("=")))
    same(weft.transpose(x), x.T.astype(x.dtype.newbyteorder("=")))


@given(arrays(types=MOVED))
def test_there_and_back(x):
    same(weft.asarray(x).numpy(), x)
    same(np.asarray(weft.asarray(x)), x)
    same(np.array(weft.asarray(x)), x)
    same(pickle.loads(pickle.dumps(weft.asarray(x))).numpy(), x)
    assert weft.asarray(x).dtype == x.dtype


def test_unaligned_elements_are_copied():
    a = np.zeros(17, np.uint8)[1:].view(np.float64)
    assert not a.flags.aligned
    same(weft.roll(a, 1), np.roll(a, 1))


def test_overlapping_strides():
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(6), 3)
    same(weft.asarray(windows).numpy(), windows)
    one = np.broadcast_to(np.float32(3), (4, 5))
    same(weft.roll(one, 1), one)


@pytest.mark.parametrize("dtype", ["M8[ns]", "m8[D]", "S5", "U7", "V3", [("a", "i4"), ("b", "f8")],
                                   [("s", "S3"), ("n", [("x", "u1"), ("y", ">i2", (2,))])],
                                   {"names": ["p"], "formats": ["i4"], "offsets": [4], "itemsize": 12},
                                   np.longdouble, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn,
                                   ml_dtypes.float8_e5m2])
def test_types_that_movement_keeps(dtype):
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(7)
    kind = dtype.kind
    a = rng.integers(0, 255, (3, 4, dtype.itemsize), np.uint8)
    if kind in "US":
        a = rng.integers(65, 90, (3, 4)).astype(dtype)
    elif dtype == np.longdouble:
        a = rng.standard_normal((3, 4)).astype(dtype)
    else:
        a = np.frombuffer(a.tobytes(), dtype).reshape(3, 4)
    out = weft.transpose(weft.roll(a, (1, 2), axis=(0, 1)))
    assert out.dtype == dtype
    # Of bytes: NumPy does not keep those between the fields of a struct.
    raw = a.view((np.void, dtype.itemsize))
    assert out.view(raw.dtype).tobytes() == np.roll(raw, (1, 2), (0, 1)).T.tobytes()
    assert weft.asarray(a).dtype == dtype
    made = weft.asarray(a).numpy()
    assert np.shares_memory(made, a) and made.dtype == dtype


def test_bfloat16_computes():
    a = np.array([1, 2, 3], ml_dtypes.bfloat16)
    made = (weft.asarray(a) * 2 + 1).numpy()
    assert made.dtype == a.dtype and made.astype(float).tolist() == [3, 5, 7]
    assert weft.astype(np.ones(2, np.float32), weft.bfloat16).dtype == a.dtype


def test_objects_are_refused_by_name():
    for refused in (np.array([{}, []], object), [object()], object()):
        with pytest.raises(weft.DtypeError, match="object"):
            weft.asarray(refused)


def test_buffers():
    for given_buffer in (bytearray(b"abc"), array.array("d", [1, 2]), memoryview(b"abcdef")[::2]):
        x = weft.asarray(given_buffer)
        expected = np.asarray(memoryview(given_buffer))
        same(x.numpy(), expected)
        assert np.shares_memory(x.numpy(), expected)


@given(arrays(types=[t for t in MOVED if np.dtype(t).kind != "c"], min_side=1))
def test_a_buffer_is_lent(x):
    t = weft.asarray(x)
    view = memoryview(t)
    assert view.readonly and view.shape == x.shape and view.format == memoryview(x).format
    assert view.tobytes() == x.tobytes() and np.shares_memory(np.asarray(view), x)
    assert bytes(memoryview(t.T)) == x.T.tobytes()
    same(np.asarray(t), x)


@pytest.mark.parametrize("dtype", [np.complex64, "S5", [("a", "i4"), ("b", "f8")]])
def test_a_buffer_of_other_types_is_as_numpy_says(dtype):
    x = np.zeros((2, 3), dtype)
    view = memoryview(weft.asarray(x))
    assert view.format == memoryview(x).format and np.asarray(view).dtype == x.dtype
    dates = weft.asarray(np.zeros(3, "M8[s]"))
    with pytest.raises(ValueError):
        memoryview(dates)
    assert np.asarray(dates).dtype == dates.dtype


def test_a_buffer_is_of_what_is_stored():
    y = weft.roll(weft.arange(5), 2)
    with pytest.raises(BufferError, match="eval"):
        memoryview(y)
    assert not y.is_stored
    view = memoryview(y.eval())
    assert view.tolist() == [3, 4, 0, 1, 2]
    assert bytes(y) == y.numpy().tobytes()
    with pytest.raises(TypeError, match="read-write"):
        io.BytesIO(b"12345").readinto(y)
    del y
    gc.collect()
    assert view.tolist() == [3, 4, 0, 1, 2]
    given_up = weft.arange(5).eval()
    weft.donate(given_up)
    with pytest.raises(BufferError):
        memoryview(given_up)
    if sys.version_info >= (3, 12):
        assert isinstance(weft.arange(3), collections.abc.Buffer)


def test_a_buffer_keeps_its_source():
    a = np.arange(10)
    alive = weakref.ref(a)
    view = memoryview(weft.asarray(a).T)
    del a
    gc.collect()
    assert alive() is not None and view[3] == 3
    view.release()
    gc.collect()
    assert alive() is None


def test_lists_and_numbers():
    same(weft.asarray([[1, 2], [3, 4]]).numpy(), [[1, 2], [3, 4]])
    same(weft.asarray(2.5).numpy(), 2.5)
    same(weft.asarray(True).numpy(), True)


class Unversioned:
    """A producer of before DLPack's versions."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


@given(arrays(types=[np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64, np.complex64,
                     np.bool_]))
def test_dlpack(x):
    x = np.array(x, order="K")
    same(weft.from_dlpack(x).numpy(), x)
    same(weft.from_dlpack(Unversioned(x)).numpy(), x)
    same(np.from_dlpack(weft.asarray(x)), x)
    out = np.from_dlpack(weft.asarray(x))
    assert not out.flags.writeable
    if x.size:
        assert np.shares_memory(weft.from_dlpack(x).numpy(), x)
        assert np.shares_memory(out, x) == all(s > 0 or n == 1 for s, n in zip(x.strides, x.shape))
        assert np.shares_memory(np.from_dlpack(weft.asarray(x), copy=False), x)
    assert np.from_dlpack(weft.asarray(x), copy=True).flags.writeable or x.size == 0


def test_dlpack_says_what_it_cannot():
    x = weft.asarray(np.arange(3))
    assert x.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="copy=False"):
        x.__dlpack__(copy=False)
    with pytest.raises(TypeError):
        weft.asarray(np.zeros(3, "M8[s]")).__dlpack__(max_version=(1, 0))
    capsule = x.__dlpack__(max_version=(1, 0))
    del capsule  # nobody took it: it frees itself


def test_a_source_lives_as_long_as_something_needs_it():
    a = np.arange(100_000.0)
    alive = weakref.ref(a)
    y = weft.asarray(a)[::-1] + 1
    del a
    gc.collect()
    assert alive() is not None
    y.eval()
    gc.collect()
    assert alive() is None
    assert float(y[0]) == 100_000


def test_a_view_of_a_source_keeps_it():
    a = np.arange(10)
    alive = weakref.ref(a)
    out = weft.asarray(a).T.numpy()
    del a
    gc.collect()
    assert alive() is not None and out[3] == 3
    del out
    gc.collect()
    assert alive() is None


def test_capsules_keep_what_they_point_to():
    a = np.arange(10)
    alive = weakref.ref(a)
    x = weft.from_dlpack(a)
    del a
    gc.collect()
    assert alive() is not None
    del x
    gc.collect()
    assert alive() is None


def test_conversions_leak_nothing():
    a = np.arange(8.0)

    def convert():
        x = weft.asarray(a)
        x.numpy()
        np.from_dlpack(x)
        weft.from_dlpack(a)
        weft.roll(a, 1)
        x.numpy(copy=True)
        memoryview(x)

    convert()
    gc.collect()
    before = sys.getrefcount(a), len(gc.get_objects())
    for _ in range(10_000):
        convert()
    gc.collect()
    assert sys.getrefcount(a) == before[0]
    assert len(gc.get_objects()) - before[1] < 50


def test_titles_of_structs_are_kept():
    x = np.zeros(3, [(("Title", "a"), "i4"), (("Other", "b"), "f8")])
    assert weft.flip(x).dtype == x.dtype


VIEWS = {
    "broadcast_to": lambda a: weft.broadcast_to(a, (2, 3, 4)), "center_crop": lambda a: weft.center_crop(a, [1, 2]),
    "crop": lambda a: weft.crop(a, [1], [0]), "diagonal": weft.diagonal, "expand_dims": lambda a: weft.expand_dims(a, 0),
    "flip": weft.flip, "moveaxis": lambda a: weft.moveaxis(a, 0, 1), "narrow": lambda a: weft.narrow(a, 0, 1, 2),
    "permute_dims": lambda a: weft.permute_dims(a, (1, 0)), "rearrange": lambda a: weft.rearrange(a, "h w -> w h"),
    "reshape": lambda a: weft.reshape(a, (4, 3)), "rot90": weft.rot90, "select": lambda a: weft.select(a, 0, 1),
    "slice": lambda a: weft.slice(a, 1, 3), "squeeze": weft.squeeze, "swapaxes": lambda a: weft.swapaxes(a, 0, 1),
    "transpose": weft.transpose, "unflatten": lambda a: weft.unflatten(a, 1, (2, 2)),
    "unfold": lambda a: weft.unfold(a, 0, 2), "view_as": lambda a: weft.view_as(a, np.int64),
    "split": lambda a: weft.split(a, 3)[1], "chunk": lambda a: weft.chunk(a, 2)[1], "unstack": lambda a: weft.unstack(a)[1],
    "matrix_transpose": weft.matrix_transpose, "broadcast_arrays": lambda a: weft.broadcast_arrays(a, a)[1],
}


@pytest.mark.parametrize("name", VIEWS)
def test_what_views_are_of_arrays(name):
    a = np.arange(12.0).reshape(3, 4)
    assert np.shares_memory(VIEWS[name](a), a)


COPIES = {
    "roll": lambda a: weft.roll(a, 0, axis=0), "roll of all": lambda a: weft.roll(a, 12),
    "concat": lambda a: weft.concat([a]), "concat of parts": lambda a: weft.concat([a[:1], a[1:]]),
    "stack": lambda a: weft.stack([a]), "tile": lambda a: weft.tile(a, (1, 1)),
    "repeat": lambda a: weft.repeat(a, 1, axis=0), "pad": lambda a: weft.pad(a, 0),
    "astype": lambda a: weft.astype(a, a.dtype), "positive": weft.positive, "real": weft.real, "conj": weft.conj,
    "clip": weft.clip, "tril": lambda a: weft.tril(a, k=10), "fftshift": lambda a: weft.fftshift(a[:, :1], axis=1),
    "slice_scatter": lambda a: weft.slice_scatter(a, a[:0], 0, 0, axis=0), "diff": lambda a: weft.diff(a, n=0),
    "floor": lambda a: weft.floor(a.view(np.int64)), "sum": lambda a: weft.sum(a, axis=()),
    "where": lambda a: weft.where(np.array(True), a, 0.0), "take": lambda a: weft.take(a, np.arange(3), axis=0),
    "einsum": lambda a: weft.einsum("ij->ji", a), "flatten": weft.flatten, "stop_gradient": weft.stop_gradient,
    "window_partition": lambda a: weft.window_partition(a[None, :, :, None], (3, 4)),
    "meshgrid": lambda a: weft.meshgrid(a[0], a[1])[0], "eval_region": lambda a: weft.eval_region(a, [0, 0], [2, 2]),
    "program": lambda a: weft.Program([weft.placeholder(a.dtype)], lambda x: x)(a),
}


@pytest.mark.parametrize("name", COPIES)
def test_what_copies_are_of_arrays(name):
    a = np.arange(12.0).reshape(3, 4)
    made = COPIES[name](a)
    before = made.copy()
    assert not np.shares_memory(made, a) and not made.flags.writeable
    a[:] = 50
    same(made, before)


def test_astype_may_give_what_it_got():
    a = np.arange(3.0)
    assert weft.astype(a, np.float64, copy=False) is a
    assert not np.shares_memory(weft.astype(a, np.float32, copy=False), a)
