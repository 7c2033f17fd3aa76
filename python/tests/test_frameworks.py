# SPDX-License-Identifier: Apache-2.0
"""torch and JAX: their arrays come in and go out through DLPack, without a copy.

Where one is not installed nothing of it is tested, and the summary says so (conftest.py).
"""

import gc
import weakref

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given

import weft
from conftest import FRAMEWORKS
from support import arrays, same

TYPES = [np.uint8, np.int16, np.int32, np.float16, np.float32, np.complex64, np.bool_]


class Torch:
    """What the tests ask of torch."""

    asks_with_version = True

    def __init__(self, module):
        self.module = module

    def array(self, x):
        return self.module.tensor(x.tolist(), dtype=getattr(self.module, x.dtype.name))

    def pointer(self, x):
        return x.data_ptr()

    def imported(self, x):
        return self.module.from_dlpack(x)

    def turned(self, x):
        return x.permute(tuple(reversed(range(x.ndim))))

    def values(self, x):
        return x.tolist()


class Jax(Torch):
    """What they ask of JAX, whose arrays are always dense. It is handed copies: it names no version."""

    asks_with_version = False

    def array(self, x):
        return self.module.numpy.array(x)

    def pointer(self, x):
        return x.unsafe_buffer_pointer()

    def imported(self, x):
        return self.module.dlpack.from_dlpack(x)

    def turned(self, x):
        return x.transpose()


KINDS = {"torch": Torch, "jax": Jax}
every = pytest.mark.parametrize("framework", [KINDS[name](module) for name, module in FRAMEWORKS.items()],
                                ids=list(FRAMEWORKS)) if FRAMEWORKS else lambda test: None


@every
@given(x=arrays(types=TYPES, min_side=1, max_rank=3))
def test_in(framework, x):
    theirs = framework.array(np.ascontiguousarray(x).reshape(x.shape))
    for made in (weft.asarray(theirs), weft.from_dlpack(theirs), weft.asarray(theirs, copy=False)):
        same(made.numpy(), x)
        assert made.numpy().__array_interface__["data"][0] == framework.pointer(theirs)
    same(weft.asarray(framework.turned(theirs)).numpy(), x.T)
    same(weft.flip(theirs), np.flip(x))  # an array in, an array out


@every
@given(x=arrays(types=TYPES, min_side=1, max_rank=3))
def test_out(framework, x):
    ours = weft.asarray(x)
    for tensor, expected in [(ours, x), (ours.T, x.T), (weft.flip(ours), np.flip(x)), (weft.roll(ours, 1), np.roll(x, 1))]:
        made = framework.imported(tensor)
        assert tuple(made.shape) == expected.shape
        assert np.array_equal(np.array(framework.values(made), expected.dtype), expected,
                              equal_nan=expected.dtype.kind in "fc")


@every
def test_out_without_a_copy_where_it_can_be_said_to_be_read_only(framework):
    ours = weft.roll(weft.arange(1000, dtype=np.float32), 3).eval()
    theirs = framework.imported(ours)
    shares = framework.pointer(theirs) == ours.numpy().__array_interface__["data"][0]
    assert shares == framework.asks_with_version
    del ours
    gc.collect()
    assert framework.values(theirs)[:4] == [997, 998, 999, 0]


@every
def test_bfloat16(framework):
    x = np.array([1.5, -2, 3], ml_dtypes.bfloat16)
    theirs = framework.array(x)
    ours = weft.asarray(theirs)
    assert ours.dtype == x.dtype and ours.numpy().tobytes() == x.tobytes()
    assert framework.values(framework.imported(ours * 2)) == [3, -4, 6]


@every
def test_a_source_is_freed(framework):
    theirs = framework.array(np.arange(100, dtype=np.float32))
    ours = weft.asarray(theirs)
    alive = weakref.ref(theirs)
    del theirs
    gc.collect()
    same(ours.numpy(), np.arange(100, dtype=np.float32))
    del ours
    gc.collect()
    assert alive() is None
